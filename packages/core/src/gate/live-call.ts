import type { Link } from './chain.ts';

/** A call that has no outcome yet. */
export interface LiveCall extends Link<LiveCall> {
  readonly cancel: (reason: unknown) => void;
}
