import type { Digest } from '../json/digest.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { ExecutionClass } from '../tool/profile.ts';

/** One exact call that waits for a yes or no. Plain JSON, safe to store; arguments are included. */
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
  /** Milliseconds since the epoch; no decision until then is `approval_expired`. */
  readonly expiresAt: number;
}

/** The answer of an approver. */
export type ApprovalDecision =
  | 'allow'
  | 'decline'
  | 'defer'
  | { readonly decision: 'allow'; readonly arguments?: JsonObject }
  | { readonly decision: 'decline'; readonly reason?: string }
  | { readonly decision: 'defer' };
