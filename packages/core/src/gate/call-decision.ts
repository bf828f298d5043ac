import type { ApprovalDecision } from '../policy/approval.ts';
import { type ApprovalGrant, isGrant } from '../policy/approval-grant.ts';
import { type Decision, readDecision } from '../policy/read-decision.ts';
import type { ToolProgress } from '../tool/tool.ts';
import { GateError } from './gate-error.ts';
import { isSignal } from './open-options.ts';

/** What the caller brings along for one call. */
export interface ExecuteOptions {
  /** A yes to the approval request of this call, made with `createGrant`. Void when anything it was bound to differs. */
  readonly grant?: ApprovalGrant;
  /** A no. The call is declined, whatever the policies say now. A yes takes a grant. */
  readonly decision?: Extract<ApprovalDecision, 'decline' | { readonly decision: 'decline' }>;
  /** Cancels this call and no other one of the session. */
  readonly signal?: AbortSignal;
  /** Told what the handler reports while it runs, with its text. What it throws is dropped. */
  readonly progress?: (update: ToolProgress) => void;
  /**
   * Told `true` when an approver is waited for, and `false` when it has answered; where the call ends first, its end says
   * so. What it throws is dropped.
   */
  readonly asking?: (asked: boolean) => void;
}

/** Options after the door. */
export interface CallDecision {
  readonly grant: ApprovalGrant | undefined;
  readonly decline: Extract<Decision, { readonly kind: 'decline' }> | undefined;
  readonly signal: AbortSignal | undefined;
  readonly progress: ((update: ToolProgress) => void) | undefined;
  readonly asking: ((asked: boolean) => void) | undefined;
}

/**
 * Reads the options of one call; `undefined` when it comes without any.
 *
 * @throws {@link GateError} `gate/options-invalid`; `policy/decision-invalid` for a decision that is none.
 */
export function readExecuteOptions(options: ExecuteOptions | undefined): CallDecision | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null) refuse('The options of a call are an object.');
  const { grant, decision, signal, progress, asking, ...others } = options;
  if (Object.keys(others).length > 0) {
    refuse('The options of a call are grant, decision, signal, progress and asking.');
  }
  if (grant !== undefined && !isGrant(grant)) refuse('A grant is made by createGrant.');
  const read = decision === undefined ? undefined : readDecision(decision);
  if (read !== undefined && read.kind !== 'decline')
    refuse('The decision of a call can only decline; use a grant to allow.');
  if (signal !== undefined && !isSignal(signal)) refuse('signal is an AbortSignal.');
  if (progress !== undefined && typeof progress !== 'function') refuse('progress is a function.');
  if (asking !== undefined && typeof asking !== 'function') refuse('asking is a function.');
  if (
    grant === undefined &&
    read === undefined &&
    signal === undefined &&
    progress === undefined &&
    asking === undefined
  ) {
    return undefined;
  }
  return { grant, decline: read, signal, progress, asking };
}

function refuse(message: string): never {
  throw new GateError('gate/options-invalid', message);
}
