import { followSignal, ignoreThrown } from '@toolgate/core';
import { AgentError } from '../agent-error.ts';
import type { AgentEvent } from '../agent-event.ts';
import type { RunResult } from '../run-result.ts';
import { createEventQueue } from './event-queue.ts';

/** Does a run and reports on the way. */
export type RunWork = (
  signal: AbortSignal,
  emit: (event: AgentEvent) => Promise<void> | undefined,
  offer: (event: AgentEvent) => void,
) => Promise<RunResult>;

/**
 * Makes the events of a run iterable, once. Leaving the iteration early cancels the run and waits for it; what it
 * throws is thrown by the iteration.
 */
export function createRunStream(parent: AbortSignal | undefined, work: RunWork): AsyncIterable<AgentEvent> {
  let used = false;
  return {
    [Symbol.asyncIterator]() {
      if (used) throw new AgentError('agent/stream-used', 'a run can be iterated once; start another one');
      used = true;
      return iterate(parent, work);
    },
  };
}

async function* iterate(
  parent: AbortSignal | undefined,
  work: RunWork,
): AsyncGenerator<AgentEvent, void, undefined> {
  const queue = createEventQueue<AgentEvent>();
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(parent?.reason);
  if (parent?.aborted === true) onAbort();
  const unfollow = parent && followSignal(parent, onAbort);

  const run = work(controller.signal, queue.push, queue.offer).finally(queue.end);
  // The rejection is thrown below; until then it must not count as unhandled.
  run.catch(ignoreThrown);
  let finished = false;
  try {
    for (let event = await queue.next(); event !== undefined; event = await queue.next()) yield event;
    const result = await run;
    finished = true;
    yield { kind: 'run-end', result };
  } finally {
    if (!finished) {
      controller.abort();
      queue.abandon();
      await run.catch(() => undefined);
    }
    unfollow?.();
  }
}
