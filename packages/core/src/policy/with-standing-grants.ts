import type { Approver } from './approval.ts';
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
  const { now = Date.now } = options;
  const tests = grants.map(compileGrant);
  return (request, call) =>
    tests.some((covers) => covers(request, now())) ? 'allow' : approver(request, call);
}
