import { isThrown, markThrown } from './thrown-mark.ts';

/**
 * Thrown when an authorizer could not decide: by a guard, and then the tool did not run, or by `recheck` while it runs.
 * The cause is sealed: it is no property and no `cause`, because what a policy throws is neither the tool's outcome nor
 * text for a model. In a gate it ends the run as `gate/authorization`.
 */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError';
  readonly code = 'tool/authorization';
  readonly #cause: unknown;

  constructor(cause: unknown) {
    super('The authorizer could not decide.');
    this.#cause = cause;
    markThrown(this, 'authorization');
  }

  /** What the authorizer threw or answered instead of a boolean; for diagnosis only. */
  diagnosis(): unknown {
    return this.#cause;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is AuthorizationError {
    return isThrown(value, 'authorization');
  }
}
