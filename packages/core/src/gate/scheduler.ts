import { Chain } from './chain.ts';
import type { KeyLocks } from './key-locks.ts';
import { ReadyHeap } from './ready-heap.ts';
import type { CallOrder, Segment, Ticket } from './ticket.ts';

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
  readonly #single = new Chain<Ticket>();
  readonly #lanes = new Map<string, Chain<Ticket>>();
  /** Tickets with a key in call order, from the first one whose key is not known. */
  readonly #unplaced = new Chain<Ticket>();
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
      chain: undefined,
      placed: order !== 'keyed',
      key: undefined,
      claim: undefined,
      ready: false,
      state: 'early',
      resume: undefined,
      previous: undefined,
      next: undefined,
    };
    this.#sequence += 1;
    if (order === 'single') join(ticket, this.#single);
    else if (order === 'keyed') join(ticket, this.#unplaced);
    return ticket;
  }

  /** Says which key a `keyed` ticket has; said again before it is ready, it goes to the end of the other key's lane. */
  place(ticket: Ticket, key: string): void {
    if (ticket.state === 'left' || ticket.key === key) return;
    if (ticket.placed) {
      this.#leaveChain(ticket);
      this.#joinLane(ticket, key);
      return;
    }
    ticket.key = key;
    this.#placeKnown();
  }

  /** @returns `true` when the call may run at once; otherwise `ticket.resume` is called when it may. */
  request(ticket: Ticket): boolean {
    ticket.ready = true;
    if (ticket.segment === this.#current) this.#advance(ticket);
    else ticket.segment.waiting.push(ticket);
    return ticket.state === 'running';
  }

  /** Ends a ticket, wherever it stands, and lets go who waited for it. */
  leave(ticket: Ticket): void {
    const { state, segment, claim } = ticket;
    if (state === 'left') return;
    ticket.state = 'left';
    ticket.resume = undefined;
    if (claim !== undefined) this.#locks.release(claim);
    this.#leaveChain(ticket);
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

  #joinLane(ticket: Ticket, key: string): void {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Chain();
      this.#lanes.set(key, lane);
    }
    ticket.key = key;
    ticket.placed = true;
    join(ticket, lane);
    if (ticket.segment === this.#current) this.#advance(ticket);
  }

  #leaveChain(ticket: Ticket): void {
    const { chain, key, placed } = ticket;
    if (chain === undefined) return;
    ticket.chain = undefined;
    const turn = chain.first === ticket;
    chain.remove(ticket);
    if (!placed) this.#placeKnown();
    else if (chain.first === undefined && key !== undefined) this.#lanes.delete(key);
    else if (turn && chain.first?.segment === this.#current) this.#advance(chain.first);
  }

  /** Lets a ticket of the current segment go as far as it can. */
  #advance(ticket: Ticket): void {
    if (!ticket.ready || !ticket.placed || ticket.state !== 'early') return;
    if (ticket.chain !== undefined && ticket.chain.first !== ticket) return;
    if (ticket.key === undefined) {
      this.#takeSlot(ticket);
      return;
    }
    const onGranted = (): void => this.#takeSlot(ticket);
    ticket.claim = { key: ticket.key, onGranted, previous: undefined, next: undefined };
    ticket.state = 'wants-key';
    if (this.#locks.claim(ticket.claim)) this.#takeSlot(ticket);
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

function join(ticket: Ticket, chain: Chain<Ticket>): void {
  ticket.chain = chain;
  chain.append(ticket);
}

function newSegment(barrier: boolean): Segment {
  return { barrier, open: 0, waiting: [], next: undefined };
}
