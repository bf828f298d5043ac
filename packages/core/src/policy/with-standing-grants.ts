import { unknownField } from '../internal/unknown-field.ts';
import type { Approver } from './approval.ts';
import { PolicyError } from './policy-error.ts';
import { compileGrant, type StandingGrant } from './standing-grant.ts';

/** Settings of {@link withStandingGrants}. */
export interface StandingGrantOptions {
  /** Milliseconds since the epoch. Default: the platform's clock. */
  readonly now?: () => number;
}

/**
 * Answers yes to calls that a standing grant covers, and asks `approver` about all others. It only ever turns a
 * question into a yes: what a scope denies, or an authorizer, is refused before anybody is asked.
 *
 * @throws PolicyError `policy/standing-grant-invalid`
 */
export function withStandingGrants<Context>(
  grants: readonly StandingGrant[],
  approver: Approver<Context>,
  options: StandingGrantOptions = {},
): Approver<Context> {
  // At once: an approver that cannot be asked would end a run later, and only where no grant holds.
  if (!Array.isArray(grants)) refuse('they are an array.');
  if (typeof approver !== 'function') refuse('the approver that is asked otherwise is a function.');
  if (typeof options !== 'object' || options === null || unknownField(options, ['now']) !== undefined)
    refuse('the options are { now }.');
  const { now = Date.now } = options;
  if (typeof now !== 'function') refuse('now is a function.');
  const tests = grants.map(compileGrant);
  return (request, call) =>
    tests.some((covers) => covers(request, now())) ? 'allow' : approver(request, call);
}

function refuse(message: string): never {
  throw new PolicyError('policy/standing-grant-invalid', `Standing grants cannot be used: ${message}`);
}
