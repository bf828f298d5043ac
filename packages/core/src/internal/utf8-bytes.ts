/** Units from which on an encoder is worth its call; it counts many times faster than a loop. */
const LONG = 256;
/** Units that are encoded at once, so that no text needs a buffer of its size. */
const CHUNK = 16_384;

const encoder = new TextEncoder();
/** What is encoded is not looked at, only counted. */
let scratch: Uint8Array | undefined;

/** Bytes that a text takes in UTF-8; a lone surrogate counts as U+FFFD, 3 bytes, as an encoder would write it. */
export function utf8Bytes(text: string): number {
  return text.length < LONG ? countUnits(text) : countEncoded(text);
}

function countEncoded(text: string): number {
  // A unit takes at most 3 bytes.
  scratch ??= new Uint8Array(CHUNK * 3);
  let bytes = 0;
  for (let start = 0; start < text.length; ) {
    let end = start + CHUNK;
    // The halves of a pair are counted together.
    if (end < text.length && isHigh(text.charCodeAt(end - 1))) end -= 1;
    bytes += encoder.encodeInto(text.slice(start, end), scratch).written;
    start = end;
  }
  return bytes;
}

function countUnits(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (!isHigh(unit) || !isLow(text.charCodeAt(i + 1))) bytes += 2;
    else {
      bytes += 2;
      i++;
    }
  }
  return bytes;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
