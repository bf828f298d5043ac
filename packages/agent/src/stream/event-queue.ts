/**
 * Hands events from a run to one consumer. Whoever pushes may wait until there is room, so that a slow consumer slows
 * the model down instead of filling the memory.
 */
export interface EventQueue<Event> {
  /** Resolves when the consumer has taken enough, or is gone. */
  push(event: Event): Promise<void>;
  /** Adds without waiting, for what cannot be held back; dropped when the queue is full. */
  offer(event: Event): void;
  /** Says that nothing follows. */
  end(): void;
  /** The consumer is gone: nothing is kept any more, and nobody waits. */
  abandon(): void;
  next(): Promise<Event | undefined>;
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
  const add = (event: Event): void => {
    if (waiting === undefined) events.push(event);
    else {
      const give = waiting;
      waiting = undefined;
      give(event);
    }
  };

  return {
    async push(event) {
      if (!open) return;
      add(event);
      if (events.length >= room) await new Promise<void>((resolve) => drained.push(resolve));
    },
    offer(event) {
      if (open && events.length < room) add(event);
    },
    end() {
      open = false;
      waiting?.(undefined);
      waiting = undefined;
      release();
    },
    abandon() {
      open = false;
      events.length = 0;
      release();
    },
    async next() {
      const event = events.shift();
      if (event !== undefined) {
        if (events.length < room) release();
        return event;
      }
      if (!open) return undefined;
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
  };
}
