import { ignoreThrown } from '@toolgate/core';
import { ModelError } from '../model-error.ts';
import { untilAborted } from './until-aborted.ts';

/** Bounds of reading a body. */
export interface ReadBoundedOptions {
  readonly maxBytes: number;
  /** Ends the reading, also of a body that does not listen. */
  readonly signal: AbortSignal;
  /** Whether a longer body is cut instead of refused. Default `false`. */
  readonly cut?: boolean;
}

/**
 * Reads a body to its end, at most `maxBytes` of it, and closes it.
 *
 * @throws ModelError `model/response-too-large`; the reason of the signal.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal, cut = false }: ReadBoundedOptions,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size <= maxBytes) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) break;
      chunks.push(value);
      size += value.byteLength;
    }
  } finally {
    closeReader(reader);
  }
  if (size > maxBytes && !cut) {
    throw new ModelError('model/response-too-large', `The answer has more than ${maxBytes} bytes.`);
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

/** Closes a body, also one whose source never says that it is closed. */
export function closeReader(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): void {
  reader?.cancel().catch(ignoreThrown);
}
