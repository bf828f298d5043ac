const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text of UTF-8 bytes, decoded fatally; a byte order mark stays in it. `undefined` when the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes at the beginning are whole, valid UTF-8 sequences (Unicode 15, table 3-7). */
export function validUtf8Length(bytes: Uint8Array): number {
  let at = 0;
  for (;;) {
    const first = bytes[at];
    if (first === undefined) return at;
    const length = sequenceLength(first);
    if (length === 0 || !hasValidTail(bytes, at, first, length)) return at;
    at += length;
  }
}

function sequenceLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

function hasValidTail(bytes: Uint8Array, at: number, first: number, length: number): boolean {
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    const low = i > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
    const high = i > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
    if (byte < low || byte > high) return false;
  }
  return true;
}
