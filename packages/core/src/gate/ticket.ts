import type { Chain, Link } from './chain.ts';
import type { KeyClaim } from './key-locks.ts';

/**
 * How a call is ordered among the calls of its session: `free` waits for nobody, `single` runs one at a time with the
 * others of its kind, `barrier` waits for everything before it and holds up everything after it, `keyed` runs one at a
 * time with the holders of the same resource key.
 */
export type CallOrder = 'free' | 'single' | 'barrier' | 'keyed';

/** Calls between two barriers, or one barrier. */
export interface Segment {
  readonly barrier: boolean;
  /** Tickets that have not left. */
  open: number;
  /** Tickets that are ready before the segment's turn. */
  readonly waiting: Ticket[];
  next: Segment | undefined;
}

/**
 * Where a ticket stands. `early`: something before it in its session has to end first, or it is not ready. `lingering`:
 * its slot is free, and what must not run beside it still waits.
 */
export type TicketState = 'early' | 'wants-key' | 'wants-slot' | 'running' | 'lingering' | 'left';

/** A place in a lane: the tickets of one lane run one after the other. */
export interface Seat extends Link<Seat> {
  readonly ticket: Ticket;
  /** Its ticket has its turn when it is the first. */
  lane: Chain<Seat>;
  /** A ticket whose key is not known, or that comes after one, is in no lane of a key yet. */
  placed: boolean;
  key: string | undefined;
  claim: KeyClaim | undefined;
}

/** One call's place in the order of its session. */
export interface Ticket {
  /** Position in call order. */
  readonly sequence: number;
  readonly segment: Segment;
  /** Absent for a ticket that waits for no lane. */
  seat: Seat | undefined;
  ready: boolean;
  state: TicketState;
  /** Set while the call waits; called once when it may run. */
  resume: (() => void) | undefined;
}
