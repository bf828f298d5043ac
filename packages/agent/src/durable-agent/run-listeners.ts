import { createEventQueue, type EventQueue } from '../stream/event-queue.ts';

/** Live events of runs, for whoever listens in this process. */
export interface RunListeners<Event> {
  /** Tells everybody who listens to the run; nobody is waited for. */
  tell(runId: string, event: Event): void;
  /** Events from now on, until `last` gives the one that ends them. Once. */
  listen(runId: string, last: () => Promise<Event>): AsyncIterable<Event>;
  /** How many listen. */
  readonly size: number;
}

/** Events that may wait for one listener. */
const ROOM = 1_024;

/** Makes the list of listeners. One that is slower than its run misses events, but never the last one. */
export function createRunListeners<Event>(): RunListeners<Event> {
  const queues = new Map<string, Set<EventQueue<Event>>>();
  let size = 0;

  async function* follow(runId: string, last: () => Promise<Event>): AsyncGenerator<Event> {
    const queue = createEventQueue<Event>(ROOM);
    const all = queues.get(runId) ?? new Set();
    queues.set(runId, all.add(queue));
    size += 1;
    try {
      // What the run said before its end has been told by then.
      const ending = last().finally(() => queue.end());
      ending.catch(() => undefined);
      for (let event = await queue.next(); event !== undefined; event = await queue.next()) yield event;
      yield await ending;
    } finally {
      queue.abandon();
      all.delete(queue);
      if (all.size === 0) queues.delete(runId);
      size -= 1;
    }
  }

  return {
    tell(runId, event) {
      // Each of them gets the same one.
      Object.freeze(event);
      for (const queue of queues.get(runId) ?? []) queue.offer(event);
    },
    listen: follow,
    get size() {
      return size;
    },
  };
}
