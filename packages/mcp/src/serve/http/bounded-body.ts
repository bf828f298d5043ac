/** What is done with a stream that goes out. */
export interface OutgoingOptions {
  /** Bytes that may wait for the reader. One message more than that is the most that is ever held. */
  readonly maxWaitingBytes: number;
  /** Called once: `true` when the stream came to its end, `false` when its reader is gone or too slow. */
  readonly onEnd: (complete: boolean) => void;
}

/**
 * A response whose body is taken from its source at once and given up when its reader does not keep up, so that a
 * client that reads nothing holds nothing.
 */
export function boundedBody(response: Response, { maxWaitingBytes, onEnd }: OutgoingOptions): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    onEnd(true);
    return response;
  }
  const reader = body.getReader();
  let ended = false;
  const end = (complete: boolean): void => {
    if (ended) return;
    ended = true;
    if (!complete) void reader.cancel().catch(() => undefined);
    onEnd(complete);
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        void pump(reader, controller, () => ended).then(end, (error: unknown) => {
          controller.error(error);
          end(false);
        });
      },
      cancel: () => end(false),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxWaitingBytes }),
  );
  return new Response(stream, { status, statusText, headers });
}

/** Whether all of it went through. */
async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
  isEnded: () => boolean,
): Promise<boolean> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (isEnded()) return false;
    if ((controller.desiredSize ?? 0) <= 0)
      throw new DOMException('The client reads too slowly.', 'AbortError');
    controller.enqueue(next.value);
  }
  if (!isEnded()) controller.close();
  return true;
}
