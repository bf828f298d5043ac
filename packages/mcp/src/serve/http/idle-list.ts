import type { Clock } from '@toolgate/core';

/** How long something may lie unused. */
export interface IdleOptions<Value> {
  readonly clock: Clock;
  readonly idleMs: number;
  /** What is busy does not expire. */
  readonly isBusy: (value: Value) => boolean;
  readonly onExpire: (value: Value) => void;
}

/** One entry with its id. */
export interface IdleEntry<Value> {
  readonly id: string;
  readonly value: Value;
}

/** Things by id, the one that was used longest ago first; what nobody uses for a while falls out. One timer for all. */
export class IdleList<Value> {
  readonly #options: IdleOptions<Value>;
  readonly #entries = new Map<string, { readonly value: Value; usedAt: number }>();
  #timer: unknown;

  constructor(options: IdleOptions<Value>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  add(id: string, value: Value): void {
    this.#entries.set(id, { value, usedAt: this.#now() });
    this.#arm();
  }

  get(id: string): Value | undefined {
    return this.#entries.get(id)?.value;
  }

  /** Notes that an entry is in use; one that is gone stays gone. */
  touch(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    entry.usedAt = this.#now();
    this.#entries.set(id, entry);
  }

  remove(id: string): void {
    this.#entries.delete(id);
    if (this.#entries.size === 0) this.#disarm();
  }

  /** The entries that a test holds for, longest unused first. */
  filter(test: (value: Value) => boolean): readonly IdleEntry<Value>[] {
    return [...this.#entries].map(([id, { value }]) => ({ id, value })).filter(({ value }) => test(value));
  }

  /** Forgets everything and hands it out. */
  clear(): readonly Value[] {
    const values = [...this.#entries.values()].map(({ value }) => value);
    this.#entries.clear();
    this.#disarm();
    return values;
  }

  #now(): number {
    const { clock } = this.#options;
    return clock.elapsed?.() ?? clock.now();
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#entries.size === 0) return;
    const { clock, idleMs } = this.#options;
    this.#timer = clock.setTimer(() => {
      this.#timer = undefined;
      this.#sweep();
      this.#arm();
    }, idleMs);
    // Waiting for idleness is no reason to stay alive.
    clock.holdTimer?.(this.#timer, false);
  }

  #disarm(): void {
    if (this.#timer !== undefined) this.#options.clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #sweep(): void {
    const { idleMs, isBusy, onExpire } = this.#options;
    const before = this.#now() - idleMs;
    for (const [id, { value, usedAt }] of this.#entries) {
      if (usedAt > before || isBusy(value)) continue;
      this.#entries.delete(id);
      onExpire(value);
    }
  }
}
