/**
 * Hands events from a run to one consumer. Whoever pushes may wait until there is room, so that a slow consumer slows
 * the model down instead of filling the memory.
 */
export interface EventQueue<Event> {
  /** A promise, when there is no room for more: it resolves when the consumer has taken enough, or is gone. */
  readonly push: (event: Event) => Promise<void> | undefined;
  /** Adds without waiting, for what cannot be held back; dropped when the queue is full. */
  readonly offer: (event: Event) => void;
  /** Says that nothing follows. */
  readonly end: () => void;
  /** The consumer is gone: nothing is kept any more, and nobody waits. */
  readonly abandon: () => void;
  /** The next event; `undefined` after the last one. One call at a time. */
  readonly next: () => Promise<Event | undefined>;
}

/** @param room - How many events may wait. */
export function createEventQueue<Event>(room = 64): EventQueue<Event> {
  const events: Event[] = [];
  let waiting: ((event: Event | undefined) => void) | undefined;
  let drained: (() => void)[] = [];
  let open = true;

  const release = (): void => {
    const resume = drained;
    drained = [];
    for (const resolve of resume) resolve();
  };
  const give = (event: Event | undefined): boolean => {
    const taker = waiting;
    waiting = undefined;
    taker?.(event);
    return taker !== undefined;
  };

  return {
    push(event) {
      if (!open || give(event)) return undefined;
      events.push(event);
      return events.length < room ? undefined : new Promise((resolve) => drained.push(resolve));
    },
    offer(event) {
      if (open && events.length < room && !give(event)) events.push(event);
    },
    end() {
      open = false;
      give(undefined);
      release();
    },
    abandon() {
      open = false;
      events.length = 0;
      give(undefined);
      release();
    },
    next() {
      const event = events.shift();
      if (event === undefined && open) {
        return new Promise((resolve) => {
          waiting = resolve;
        });
      }
      if (events.length < room) release();
      return Promise.resolve(event);
    },
  };
}
