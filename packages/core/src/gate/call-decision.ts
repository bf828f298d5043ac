import type { ApprovalDecision } from '../policy/approval.ts';
import { type ApprovalGrant, isGrant } from '../policy/approval-grant.ts';
import { type Decision, readDecision } from '../policy/read-decision.ts';
import { GateError } from './gate-error.ts';

/** What the caller brings along for one call. */
export interface ExecuteOptions {
  /** A yes to the approval request of this call, made with `createGrant`. Void when anything it was bound to differs. */
  readonly grant?: ApprovalGrant;
  /** A no. The call is declined, whatever the policies say now. A yes takes a grant. */
  readonly decision?: Extract<ApprovalDecision, 'decline' | { readonly decision: 'decline' }>;
}

/** Options after the door. */
export interface CallDecision {
  readonly grant: ApprovalGrant | undefined;
  readonly decline: Extract<Decision, { readonly kind: 'decline' }> | undefined;
}

/**
 * Reads the options of one call; `undefined` when it comes without a decision.
 *
 * @throws {@link GateError} `gate/options-invalid`; `policy/decision-invalid` for a decision that is none.
 */
export function readExecuteOptions(options: ExecuteOptions | undefined): CallDecision | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null) refuse('The options of a call are an object.');
  const { grant, decision, ...others } = options;
  if (Object.keys(others).length > 0) refuse('The options of a call are grant and decision.');
  if (grant !== undefined && !isGrant(grant)) refuse('A grant is made by createGrant.');
  const read = decision === undefined ? undefined : readDecision(decision);
  if (read !== undefined && read.kind !== 'decline')
    refuse('The decision of a call can only decline; use a grant to allow.');
  if (grant === undefined && read === undefined) return undefined;
  return { grant, decline: read };
}

function refuse(message: string): never {
  throw new GateError('gate/options-invalid', message);
}
