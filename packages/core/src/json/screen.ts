import { createScanMemory, isClean } from './scan-clean.ts';

/** Room behind the text for the sentinels and for what a look ahead may touch. */
const PADDING = 16;
/** Bytes of the buffer that is always there. */
const SMALL = 65_536;
/** Longest buffer that is kept, in bytes, and only until the garbage collector wants it. */
const LARGE = 8_388_608;

const encoder = new TextEncoder();
const memory = createScanMemory();
const small = new Uint8Array(SMALL);
let large: WeakRef<Uint8Array<ArrayBuffer>> | undefined;

/**
 * Whether the text is surely I-JSON by the strictest rules, if it is JSON. Half a surrogate pair makes it `false`. The
 * buffers are shared by all calls: nothing foreign runs in here, so no call can be entered twice.
 */
export function screen(text: string, maxDepth: number): boolean {
  let buffer = bufferOf(text.length + PADDING);
  let { read, written } = encoder.encodeInto(text, buffer);
  if (read < text.length || written + PADDING > buffer.length) {
    buffer = bufferOf(text.length * 3 + PADDING);
    ({ read, written } = encoder.encodeInto(text, buffer));
  }
  buffer[written] = 0x22;
  buffer[written + 1] = 0x22;
  return isClean(memory, text, buffer, written, maxDepth);
}

function bufferOf(size: number): Uint8Array {
  if (size <= SMALL) return small;
  const kept = large?.deref();
  if (kept !== undefined && kept.length >= size) return kept;
  const fresh = new Uint8Array(size);
  if (size <= LARGE) large = new WeakRef(fresh);
  return fresh;
}
