import { ModelError } from '../model-error.ts';

/**
 * Reads a body to its end, at most `maxBytes` of it, and closes it.
 *
 * @throws ModelError `model/response-too-large`, unless `cut` asks for the beginning instead.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  options: { readonly cut?: boolean } = {},
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
      if (size > maxBytes) {
        if (options.cut === true) break;
        throw new ModelError('model/response-too-large', `the response has more than ${maxBytes} bytes`);
      }
    }
  } finally {
    // Also on success: it releases the connection when the body was cut.
    await reader.cancel().catch(() => undefined);
  }
  const whole = new Uint8Array(Math.min(size, maxBytes));
  let at = 0;
  for (const chunk of chunks) {
    const room = chunk.subarray(0, whole.byteLength - at);
    whole.set(room, at);
    at += room.byteLength;
  }
  return whole;
}
