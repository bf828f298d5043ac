import type { IncomingMessage } from 'node:http';

/**
 * The body of a request of `node:http` as a web stream that reads no faster than it is read. Not `Readable.toWeb`: on
 * Node 20 that one ends the process when a stream is cancelled while more of it arrives.
 */
export function incomingBody(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let over = false;
  const end = (finish: () => void): void => {
    if (over) return;
    over = true;
    finish();
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      incoming.on('data', (piece: Buffer) => {
        if (over) return;
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.once('end', () => end(() => controller.close()));
      incoming.once('error', (error) => end(() => controller.error(error)));
      incoming.once('close', () => end(() => controller.error(new Error('The client is gone.'))));
      incoming.pause();
    },
    pull: () => void incoming.resume(),
    cancel: () => end(() => incoming.pause()),
  });
}
