import { Chain } from './chain.ts';
import type { KeyLocks } from './key-locks.ts';
import { ReadyHeap } from './ready-heap.ts';
import type { CallOrder, Seat, Segment, Ticket } from './ticket.ts';

/**
 * Decides when each call of one session may run: in call order as far as its order asks for it, never together with
 * another holder of its resource key in the whole gate, and never more than `concurrency` at once. A ticket keeps its
 * place in the order from its arrival, also while an approval is awaited, until it leaves.
 *
 * A call takes its key before its slot and waits for nothing once it has both, so no two calls wait for each other.
 */
export class Scheduler {
  readonly #concurrency: number;
  readonly #locks: KeyLocks;
  readonly #ready = new ReadyHeap<Ticket>();
  readonly #single = new Chain<Seat>();
  readonly #lanes = new Map<string, Chain<Seat>>();
  /** Tickets with a key in call order, from the first one whose key is not known. */
  readonly #unplaced = new Chain<Seat>();
  #current: Segment = newSegment(false);
  #last: Segment = this.#current;
  #sequence = 0;
  #running = 0;

  constructor(concurrency: number, locks: KeyLocks) {
    this.#concurrency = concurrency;
    this.#locks = locks;
  }

  /** Takes the next place in call order. A `keyed` ticket has to be placed before it can be ready. */
  arrive(order: CallOrder): Ticket {
    const ticket: Ticket = {
      sequence: this.#sequence,
      segment: this.#segmentFor(order === 'barrier'),
      seat: undefined,
      ready: false,
      state: 'early',
      resume: undefined,
    };
    this.#sequence += 1;
    if (order === 'single') takeSeat(ticket, this.#single, true);
    else if (order === 'keyed') takeSeat(ticket, this.#unplaced, false);
    return ticket;
  }

  /** Says which key a `keyed` ticket has; said again before it is ready, it goes to the end of the other key's lane. */
  place(ticket: Ticket, key: string): void {
    const { seat } = ticket;
    if (seat === undefined || seat.key === key) return;
    if (seat.placed) {
      this.#leaveLane(seat);
      this.#joinLane(seat, key);
      return;
    }
    seat.key = key;
    this.#placeKnown();
  }

  /** @returns `true` when the call may run at once; otherwise `ticket.resume` is called when it may. */
  request(ticket: Ticket): boolean {
    ticket.ready = true;
    if (ticket.segment === this.#current) this.#advance(ticket);
    else ticket.segment.waiting.push(ticket);
    return ticket.state === 'running';
  }

  /** Gives back the slot of a ticket that runs. Its key and its place in the order stay its own until it leaves. */
  linger(ticket: Ticket): void {
    if (ticket.state !== 'running') return;
    ticket.state = 'lingering';
    this.#running -= 1;
    this.#fillSlots();
  }

  /** Ends a ticket, wherever it stands, and lets go who waited for it. */
  leave(ticket: Ticket): void {
    const { state, segment, seat } = ticket;
    if (state === 'left') return;
    ticket.state = 'left';
    ticket.resume = undefined;
    if (seat !== undefined) {
      ticket.seat = undefined;
      if (seat.claim !== undefined) this.#locks.release(seat.claim);
      this.#leaveLane(seat);
    }
    segment.open -= 1;
    if (segment === this.#current && segment.open === 0) this.#nextSegment();
    // Given back last: who was let go by this ticket stands in line with the others, in call order.
    if (state === 'running') this.#running -= 1;
    this.#fillSlots();
  }

  #segmentFor(barrier: boolean): Segment {
    const last = this.#last;
    const idle = last === this.#current && last.open === 0;
    if (barrier ? !(idle && last.barrier) : last.barrier) {
      this.#last = newSegment(barrier);
      if (idle) this.#current = this.#last;
      else last.next = this.#last;
    }
    this.#last.open += 1;
    return this.#last;
  }

  #nextSegment(): void {
    while (this.#current.open === 0 && this.#current.next !== undefined) this.#current = this.#current.next;
    const { waiting } = this.#current;
    if (waiting.length > 0) for (const ticket of waiting.splice(0)) this.#advance(ticket);
  }

  #placeKnown(): void {
    for (let first = this.#unplaced.first; first?.key !== undefined; first = this.#unplaced.first) {
      this.#unplaced.remove(first);
      this.#joinLane(first, first.key);
    }
  }

  #joinLane(seat: Seat, key: string): void {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Chain();
      this.#lanes.set(key, lane);
    }
    seat.key = key;
    seat.placed = true;
    seat.lane = lane;
    lane.append(seat);
    if (seat.ticket.segment === this.#current) this.#advance(seat.ticket);
  }

  #leaveLane(seat: Seat): void {
    const { lane, key, placed } = seat;
    const turn = lane.first === seat;
    lane.remove(seat);
    const next = lane.first?.ticket;
    if (!placed) this.#placeKnown();
    else if (next === undefined && key !== undefined) this.#lanes.delete(key);
    else if (turn && next?.segment === this.#current) this.#advance(next);
  }

  /** Lets a ticket of the current segment go as far as it can. */
  #advance(ticket: Ticket): void {
    if (!ticket.ready || ticket.state !== 'early') return;
    const { seat } = ticket;
    if (seat === undefined) {
      this.#takeSlot(ticket);
      return;
    }
    if (!seat.placed || seat.lane.first !== seat) return;
    if (seat.key === undefined) {
      this.#takeSlot(ticket);
      return;
    }
    const onGranted = (): void => this.#takeSlot(ticket);
    seat.claim = { key: seat.key, onGranted, previous: undefined, next: undefined };
    ticket.state = 'wants-key';
    if (this.#locks.claim(seat.claim)) this.#takeSlot(ticket);
  }

  #takeSlot(ticket: Ticket): void {
    if (this.#running >= this.#concurrency) {
      ticket.state = 'wants-slot';
      this.#ready.push(ticket);
      return;
    }
    this.#running += 1;
    ticket.state = 'running';
    ticket.resume?.();
  }

  #fillSlots(): void {
    while (this.#running < this.#concurrency) {
      const ticket = this.#ready.pop();
      if (ticket === undefined) return;
      if (ticket.state === 'wants-slot') this.#takeSlot(ticket);
    }
  }
}

function takeSeat(ticket: Ticket, lane: Chain<Seat>, placed: boolean): void {
  ticket.seat = {
    ticket,
    lane,
    placed,
    key: undefined,
    claim: undefined,
    previous: undefined,
    next: undefined,
  };
  lane.append(ticket.seat);
}

function newSegment(barrier: boolean): Segment {
  return { barrier, open: 0, waiting: [], next: undefined };
}
