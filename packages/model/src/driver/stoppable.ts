/**
 * An iteration whose early end takes effect at once. A plain async generator would first finish the step that is under
 * way, which for a model that says nothing is a long time.
 *
 * @param start - Called when the iteration begins; its signal is aborted when the iteration is ended early.
 */
export function stoppable<Value>(
  start: (stopped: AbortSignal) => AsyncGenerator<Value, void, undefined>,
): AsyncIterable<Value> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<Value, void, undefined> {
      const controller = new AbortController();
      const inner = start(controller.signal);
      return {
        next: () => inner.next(),
        return: () => {
          controller.abort();
          return inner.return();
        },
      };
    },
  };
}
