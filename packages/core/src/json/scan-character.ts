const QUOTE = 0x22;
const SLASH = 0x5c;
/** The top bit of each of four bytes, as a number of 32 bits with a sign. */
const TOP_BITS = 0x8080_8080 | 0;

/**
 * A table with 1 for each byte of a string that needs a look: a quote, a backslash, the beginning of U+F000 and above.
 * Each scanning module makes its own, because the engine only folds constants of the same module.
 */
export function createOddTable(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    byte === QUOTE || byte === SLASH || byte >= 0xef ? 1 : 0,
  );
}

/**
 * Whether four bytes at once are ASCII and neither quote nor backslash: adding 7f to each byte of a difference sets its top
 * bit unless the byte is zero. Only a byte beyond ASCII can carry into the next one, and then the answer is no anyway.
 */
export function isPlainWord(word: number): boolean {
  const quotes = (word ^ 0x2222_2222) + 0x7f7f_7f7f;
  const slashes = (word ^ 0x5c5c_5c5c) + 0x7f7f_7f7f;
  return (quotes & slashes & ~word & 0x8080_8080) === TOP_BITS;
}

/** The same of sixteen bytes, which takes little more than twice the time. */
export function isPlainBlock(view: DataView, at: number): boolean {
  const one = view.getInt32(at);
  const two = view.getInt32(at + 4);
  const three = view.getInt32(at + 8);
  const four = view.getInt32(at + 12);
  const quotes =
    ((one ^ 0x2222_2222) + 0x7f7f_7f7f) &
    ((two ^ 0x2222_2222) + 0x7f7f_7f7f) &
    ((three ^ 0x2222_2222) + 0x7f7f_7f7f) &
    ((four ^ 0x2222_2222) + 0x7f7f_7f7f);
  const slashes =
    ((one ^ 0x5c5c_5c5c) + 0x7f7f_7f7f) &
    ((two ^ 0x5c5c_5c5c) + 0x7f7f_7f7f) &
    ((three ^ 0x5c5c_5c5c) + 0x7f7f_7f7f) &
    ((four ^ 0x5c5c_5c5c) + 0x7f7f_7f7f);
  return (quotes & slashes & ~(one | two | three | four) & 0x8080_8080) === TOP_BITS;
}

/**
 * The offset after a `\uXXXX`, or after a pair of them, whose digits begin at `at`. 0 when it is malformed, half a pair or
 * a noncharacter, or may be.
 */
export function escapeEnd(bytes: Uint8Array, at: number): number {
  const unit = readHex(bytes, at);
  if (unit < 0xd800) return unit < 0 ? 0 : at + 4;
  if (unit >= 0xe000) return (unit >= 0xfdd0 && unit <= 0xfdef) || unit >= 0xfffe ? 0 : at + 4;
  if (unit >= 0xdc00 || bytes[at + 4] !== 0x5c || bytes[at + 5] !== 0x75) return 0;
  const low = readHex(bytes, at + 6);
  if (low < 0xdc00 || low > 0xdfff) return 0;
  return (low & 0x3fe) === 0x3fe && (unit & 0x3f) === 0x3f ? 0 : at + 10;
}

function readHex(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let i = at; i < at + 4; i++) {
    const byte = bytes[i] as number;
    const letter = byte | 0x20;
    if (byte >= 0x30 && byte <= 0x39) unit = unit * 16 + byte - 0x30;
    else if (letter >= 0x61 && letter <= 0x66) unit = unit * 16 + letter - 0x57;
    else return -1;
  }
  return unit;
}

/**
 * Whether the UTF-8 sequence at the offset, whose first byte is at least EF, is a noncharacter, or the U+FFFD that an
 * encoder writes for half a pair.
 */
export function isDoubtfulAt(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  if (bytes[at] === 0xef) {
    return (second === 0xb7 && third >= 0x90 && third <= 0xaf) || (second === 0xbf && third >= 0xbd);
  }
  return (second & 0x0f) === 0x0f && third === 0xbf && (bytes[at + 3] as number) >= 0xbe;
}
