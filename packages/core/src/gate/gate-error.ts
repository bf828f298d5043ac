import { ignoreThrown } from '../internal/ignore-thrown.ts';
import type { Outcome } from './outcome.ts';

/**
 * Every code of a {@link GateError}.
 *
 * `permanent`: a handler threw `PermanentError`. `authorization`, `availability`, `approval`: the mechanism could not
 * decide, so the run must end. The call did not run, unless its handler asked a policy itself: its outcome says so.
 * `options-invalid`: an option is unknown, missing or out of range. `session-closed`: the session was closed, or ended
 * with an earlier error, which is the cause.
 */
export const gateErrorCodes = [
  'gate/permanent',
  'gate/authorization',
  'gate/availability',
  'gate/approval',
  'gate/options-invalid',
  'gate/session-closed',
] as const;

/** A code of {@link GateError}. */
export type GateErrorCode = (typeof gateErrorCodes)[number];

/** What a {@link GateError} carries besides its code and message. */
export interface GateErrorOptions {
  /** What a policy or handler threw; for diagnosis, never serialised, never for a model. */
  readonly cause?: unknown;
  readonly callId?: string;
  readonly outcomes?: readonly Outcome[];
}

/**
 * Thrown by a gate only when the run must end, or for misuse. What a model does wrong is an outcome. `message` is
 * safe to log: it holds no argument, no result and no text of the cause.
 */
export class GateError extends Error {
  override readonly name = 'GateError';
  readonly code: GateErrorCode;
  /** The call that ended the run, where one did. */
  readonly callId: string | undefined;
  readonly #outcomes: readonly Outcome[] | undefined;

  constructor(code: GateErrorCode, message: string, options: GateErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    ignoreThrown(options.cause);
    this.code = code;
    this.callId = options.callId;
    this.#outcomes = options.outcomes;
  }

  /**
   * One outcome for each call of the turn that ended the run, in call order; a result that finished anyway is among
   * them. Of a call that was executed alone, its own. `undefined` when no call was running.
   */
  get outcomes(): readonly Outcome[] | undefined {
    return this.#outcomes;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is GateError {
    try {
      if (!(value instanceof Error) || value.name !== 'GateError' || !('code' in value)) return false;
      return gateErrorCodes.some((code) => code === value.code);
    } catch {
      return false;
    }
  }
}
