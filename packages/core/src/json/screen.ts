import { createScanBuffer, PADDING, type ScanBuffer } from './scan-buffer.ts';
import { type CleanScan, createScanMemory, isClean } from './scan-clean.ts';
import { createTextSearch } from './scan-string.ts';

/** Bytes of the buffer that is always there. */
const SMALL = 65_536;
/** Longest buffer that is kept, in bytes, and only until the garbage collector wants it. */
const LARGE = 8_388_608;

const QUOTE = 0x22;

const encoder = new TextEncoder();
const memory = createScanMemory();
const small = createScanBuffer(SMALL);
let large: WeakRef<ScanBuffer> | undefined;

/** Whether the text is surely I-JSON by the strictest rules, if it is JSON. Half a surrogate pair makes it `false`. */
export function screen(text: string, maxDepth: number): boolean {
  return isClean(toScan(text), maxDepth);
}

/**
 * The text as bytes to scan. The buffers are shared by all scans: nothing foreign may run before the scan is over, so that
 * none is entered twice.
 */
export function toScan(text: string): CleanScan {
  let buffer = bufferOf(text.length + PADDING);
  let { read, written } = encoder.encodeInto(text, buffer.bytes);
  if (read < text.length || written + PADDING > buffer.bytes.length) {
    buffer = bufferOf(text.length * 3 + PADDING);
    ({ read, written } = encoder.encodeInto(text, buffer.bytes));
  }
  buffer.bytes[written] = QUOTE;
  buffer.bytes[written + 1] = QUOTE;
  const search = written === text.length ? createTextSearch(text) : undefined;
  return { memory, buffer, length: written, search };
}

/** The same for what may be UTF-8. What is no UTF-8 has to be found out by whoever decodes it. */
export function toByteScan(source: Uint8Array): CleanScan {
  const { length } = source;
  const buffer = bufferOf(length + PADDING);
  buffer.bytes.set(source);
  buffer.bytes[length] = QUOTE;
  buffer.bytes[length + 1] = QUOTE;
  return { memory, buffer, length, search: undefined };
}

function bufferOf(size: number): ScanBuffer {
  if (size <= SMALL) return small;
  const kept = large?.deref();
  if (kept !== undefined && kept.bytes.length >= size) return kept;
  const fresh = createScanBuffer(size);
  if (size <= LARGE) large = new WeakRef(fresh);
  return fresh;
}
