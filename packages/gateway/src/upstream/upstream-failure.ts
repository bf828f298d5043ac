import type { Refusal } from '../http/refusal.ts';

/** Why an exchange with a provider gave no answer. */
export type UpstreamFailureKind =
  /** No connection, or none in time. Nothing was sent. */
  | 'unreachable'
  /** The connection broke before the answer began. */
  | 'reset'
  /** Nothing, or nothing more, came in time. */
  | 'timeout'
  /** A status that is no success. */
  | 'status'
  /** An answer that says that there is none. */
  | 'reported'
  /** An answer that cannot be read, or that broke off. */
  | 'invalid';

/** A failed exchange, in words of ours. Frozen. */
export interface UpstreamFailure {
  readonly kind: UpstreamFailureKind;
  /** What the client is told when no other candidate answers. */
  readonly refusal: Refusal;
  /** Whether another candidate may be asked: the fault is not in the request. */
  readonly retryable: boolean;
  /** When the provider wants to be asked again, or what it refused may be right by then, in milliseconds from now. */
  readonly retryAfterMs?: number;
}
