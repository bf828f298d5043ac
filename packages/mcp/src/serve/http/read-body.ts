import type { Clock } from '@toolgate/core';

/** What became of a body. */
export type BodyRead =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-slow' }
  | { readonly kind: 'broken' };

/** Bounds of one body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** For the whole of it, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Reads a body within its bounds. More than is allowed is never held, whatever its declared length. */
export async function readBody(
  request: Request,
  { maxBytes, timeoutMs, clock }: BodyLimits,
): Promise<BodyRead> {
  const { body } = request;
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) {
    await body?.cancel().catch(() => undefined);
    return { kind: 'too-large' };
  }
  if (body === null) return { kind: 'read', bytes: new Uint8Array() };
  const reader = body.getReader();
  let over: (() => void) | undefined;
  const late = new Promise<BodyRead>((resolve) => {
    over = () => resolve({ kind: 'too-slow' });
  });
  const timer = clock.setTimer(() => over?.(), timeoutMs);
  const read = await Promise.race([readAll(reader, maxBytes), late]);
  clock.clearTimer(timer);
  if (read.kind !== 'read') void reader.cancel().catch(() => undefined);
  return read;
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, maxBytes: number): Promise<BodyRead> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.byteLength;
      if (size > maxBytes) return { kind: 'too-large' };
      pieces.push(next.value);
    }
  } catch {
    return { kind: 'broken' };
  }
  return { kind: 'read', bytes: join(pieces, size) };
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}
