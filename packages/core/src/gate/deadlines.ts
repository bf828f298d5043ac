import { Chain, type Link } from './chain.ts';
import { type Clock, MAX_TIMER_MS } from './clock.ts';

/** Who is told that time is over. */
export interface DeadlineOwner {
  onDeadline(): void;
}

/** One running deadline. */
export interface Deadline extends Link<Deadline> {
  readonly owner: DeadlineOwner;
  readonly lane: DeadlineLane;
  readonly dueAt: number;
  active: boolean;
}

/** All deadlines of one length. They fall due in the order in which they start, so the first one is the next. */
export interface DeadlineLane {
  readonly ms: number;
  /** Somebody keeps it; otherwise it is forgotten when it is empty. */
  kept: boolean;
  readonly chain: Chain<Deadline>;
}

/**
 * The deadlines of one gate: however many there are, they share one timer, and starting or stopping one costs a few
 * assignments. The timer is armed when a deadline starts that is due before it, and holds the process only while
 * some deadline runs.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #lanes = new Map<number, DeadlineLane>();
  #running = 0;
  #timer: unknown;
  /** When the timer fires; `Infinity` when there is none. */
  #armedFor = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds of the clock that deadlines are measured by. */
  elapsed(): number {
    const { elapsed } = this.#clock;
    return elapsed === undefined ? this.#clock.now() : elapsed();
  }

  /** The lane of one length, for keeping: there are as many as a gate has different lengths. */
  lane(ms: number): DeadlineLane {
    const lane = this.passingLane(ms);
    lane.kept = true;
    return lane;
  }

  /** The lane of a length that may never come again; to be used at once. */
  passingLane(ms: number): DeadlineLane {
    let lane = this.#lanes.get(ms);
    if (lane === undefined) {
      lane = { ms, kept: false, chain: new Chain() };
      this.#lanes.set(ms, lane);
    }
    return lane;
  }

  /** How many lengths are known. */
  get lanes(): number {
    return this.#lanes.size;
  }

  start(lane: DeadlineLane, owner: DeadlineOwner, now: number): Deadline {
    const dueAt = now + lane.ms;
    const deadline: Deadline = { owner, lane, dueAt, active: true, previous: undefined, next: undefined };
    lane.chain.append(deadline);
    this.#running += 1;
    if (dueAt < this.#armedFor) this.#arm(dueAt, now);
    else if (this.#running === 1) this.#clock.holdTimer?.(this.#timer, true);
    return deadline;
  }

  /** Stops a deadline; one that stopped or fell due already stays so. */
  stop(deadline: Deadline): void {
    if (!deadline.active) return;
    deadline.active = false;
    deadline.lane.chain.remove(deadline);
    this.#running -= 1;
    if (this.#running === 0) this.#clock.holdTimer?.(this.#timer, false);
  }

  /** Forgets the timer when no deadline runs, so that nothing is left behind. */
  rest(): void {
    if (this.#running === 0) this.#disarm();
  }

  #arm(dueAt: number, now: number): void {
    this.#disarm();
    // A timer may fire a fraction early; one that is set again for less than a millisecond would only spin.
    const delayMs = Math.min(Math.max(Math.ceil(dueAt - now), 1), MAX_TIMER_MS);
    this.#armedFor = now + delayMs;
    this.#timer = this.#clock.setTimer(() => this.#sweep(), delayMs);
  }

  #disarm(): void {
    if (this.#armedFor === Number.POSITIVE_INFINITY) return;
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#timer = undefined;
    const now = this.elapsed();
    let next = Number.POSITIVE_INFINITY;
    for (const { chain, kept, ms } of this.#lanes.values()) {
      for (let first = chain.first; first !== undefined && first.dueAt <= now; first = chain.first) {
        this.stop(first);
        first.owner.onDeadline();
      }
      if (chain.first !== undefined) next = Math.min(next, chain.first.dueAt);
      else if (!kept) this.#lanes.delete(ms);
    }
    // What an owner did may have started a deadline in a lane that was looked at before; that one armed the timer.
    if (next < this.#armedFor) this.#arm(next, now);
  }
}
