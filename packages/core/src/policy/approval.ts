import type { Digest } from '../json/digest.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ExecutionClass } from '../tool/profile.ts';
import type { ToolDefinition } from '../tool/tool-definition.ts';

/** One exact call that waits for a yes or no. Plain JSON, safe to store, deeply frozen; arguments are included. */
export interface ApprovalRequest {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  readonly class: ExecutionClass;
  readonly contractDigest: Digest;
  readonly argumentsDigest: Digest;
  readonly arguments: JsonObject;
  /** Pointers of members that defaults filled in, so that a reviewer sees what the model did not write. */
  readonly filled?: readonly string[];
  /** Who the run acts for, as the application names it. */
  readonly principal?: string;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** Milliseconds since the epoch; no decision until then is `approval_expired`. `'none'` where the scope says so. */
  readonly expiresAt: number | 'none';
}

/**
 * The answer of an approver. `allow` with `arguments` changes what runs: the edited arguments are admitted by the
 * contract and authorised again. `reason` is shown to the model, cleaned and cut to 500 characters. `defer` means
 * that somebody decides later; the call is suspended. Everything else (`true`, `undefined`, `'yes'`, an unknown
 * member) is no decision, and the call does not run.
 */
export type ApprovalDecision =
  | 'allow'
  | 'decline'
  | 'defer'
  | { readonly decision: 'allow'; readonly arguments?: JsonObject }
  | { readonly decision: 'decline'; readonly reason?: string }
  | { readonly decision: 'defer' };

/** What an approver learns besides the request; it is not stored. */
export interface ApprovalCall<Context = unknown> {
  readonly context: Context;
  /** Frozen: what the model was shown of the tool. */
  readonly definition: ToolDefinition;
  /** Aborted when the answer is no longer needed: the run was cancelled, or the request expired. */
  readonly signal: AbortSignal;
}

/**
 * Decides on one exact call. May ask a person: the wait does not consume the tool's own deadline. A throw or a
 * rejection means that it could not decide, which ends the run; it is not a refusal.
 *
 * TypeScript widens the one literal of an async function: one that always gives the same answer says
 * `'allow' as const`, or is not async.
 */
export type Approver<Context = unknown> = (
  request: ApprovalRequest,
  call: ApprovalCall<Context>,
) => ApprovalDecision | Promise<ApprovalDecision>;

/** Time for a decision where a scope names none: one hour. */
export const DEFAULT_APPROVAL_LIFETIME_MS = 3_600_000;
