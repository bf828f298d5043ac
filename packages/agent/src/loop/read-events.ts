import { ignoreThrown } from '@toolgate/core';
import type { ModelEvent } from '@toolgate/model';

/**
 * Takes one event. `end`: it was the last one, whatever may follow; `stop`: no more are wanted; a promise: wait for it
 * before the next one.
 */
export type TakeEvent = (event: ModelEvent) => Promise<unknown> | 'end' | 'stop' | undefined;

/**
 * Hands events on until there are no more, the signal is aborted, or `take` says so; also for a model that ignores its
 * signal. Nothing waits for what a model does after that.
 *
 * @throws What the model or `take` throws.
 */
export async function readEvents(
  events: AsyncIterable<ModelEvent>,
  signal: AbortSignal,
  take: TakeEvent,
): Promise<void> {
  // Each of them a promise where a generator was written as an async function, by a slip.
  ignoreThrown(events);
  const iterator = events[Symbol.asyncIterator]();
  ignoreThrown(iterator);
  // One reaction a step: each event on one promise that lives as long as the stream would keep all of them.
  let giveUp: (() => void) | undefined;
  const onAbort = (): void => giveUp?.();
  signal.addEventListener('abort', onAbort);
  let leave: 'close' | 'drain' | 'nothing' = 'close';
  try {
    while (!signal.aborted) {
      leave = 'nothing';
      const next = await new Promise<IteratorResult<ModelEvent> | undefined>((resolve, reject) => {
        giveUp = () => resolve(undefined);
        iterator.next().then(resolve, (thrown: unknown) => {
          // Also where nobody waits any more.
          ignoreThrown(thrown);
          reject(thrown);
        });
      });
      if (next?.done === true) return;
      leave = 'close';
      if (next === undefined) return;
      const taken = take(next.value);
      if (taken === 'end') leave = 'drain';
      if (taken === 'end' || taken === 'stop') return;
      if (taken !== undefined) await taken;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    if (leave === 'close') close(iterator);
    else if (leave === 'drain') drain(iterator);
  }
}

/** Not awaited: a model that hangs in its own cleanup must not hang the run. */
function close(iterator: AsyncIterator<ModelEvent>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(ignoreThrown);
  } catch (thrown) {
    ignoreThrown(thrown);
    // A model whose cleanup throws has been let go all the same.
  }
}

/** Asked once more, a generator runs to its end and its connection can be used again; what still comes is not wanted. */
function drain(iterator: AsyncIterator<ModelEvent>): void {
  try {
    iterator.next().then((next) => {
      if (next.done !== true) close(iterator);
    }, ignoreThrown);
  } catch (thrown) {
    ignoreThrown(thrown);
    close(iterator);
  }
}
