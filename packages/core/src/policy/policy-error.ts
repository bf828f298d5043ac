import { ignoreThrown } from '../internal/ignore-thrown.ts';

/**
 * Every code of a {@link PolicyError}.
 *
 * `scope-invalid`: a scope has an unknown field, a name that no tool can have, or an approval setting that says
 * nothing. `tool-unknown`: it refuses names that no tool of its gate has, and holds one. `threshold-unknown`: the approval
 * threshold is no execution class. `profile-invalid`, `privileged-invalid`, `budget-invalid`, `availability-invalid`: a tool
 * declares that capability wrongly. `availability-failed`: an availability policy threw, or answered with something else
 * than a boolean. `decision-invalid`: an approver answered with something that is no decision. `request-invalid`: a
 * stored approval request cannot be read, or was changed.
 * `grant-void`: a grant was used, is too old, or was given for another call. `standing-grant-invalid`: a standing grant
 * has an unknown field, a rule that is none, no expiry, or a pattern that can be slow.
 */
export const policyErrorCodes = [
  'policy/scope-invalid',
  'policy/tool-unknown',
  'policy/threshold-unknown',
  'policy/profile-invalid',
  'policy/privileged-invalid',
  'policy/budget-invalid',
  'policy/availability-invalid',
  'policy/availability-failed',
  'policy/decision-invalid',
  'policy/request-invalid',
  'policy/grant-void',
  'policy/standing-grant-invalid',
] as const;

/** A code of {@link PolicyError}. */
export type PolicyErrorCode = (typeof policyErrorCodes)[number];

/**
 * A policy that cannot be used as declared, or an answer that is no answer. `message` names the fix and holds neither
 * arguments nor the text of a cause.
 */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly code: PolicyErrorCode;

  constructor(code: PolicyErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    ignoreThrown(options?.cause);
    this.code = code;
  }

  /** Also true for an error from a second installed copy, where `instanceof` would say no. Never throws. */
  static is(value: unknown): value is PolicyError {
    try {
      if (!(value instanceof Error) || value.name !== 'PolicyError' || !('code' in value)) return false;
      return policyErrorCodes.some((code) => code === value.code);
    } catch {
      return false;
    }
  }
}
