import type { JsonText } from './json-text.ts';
import { inOrder, type Splice } from './splice.ts';
import { byteUnits } from './written-json.ts';

/** UTF-8 as a text whose units are its bytes. */
export interface ByteText extends JsonText {
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Bytes that are looked at as a text; they are not copied. */
export function toByteText(bytes: Uint8Array): ByteText {
  return {
    bytes,
    length: bytes.length,
    charCodeAt: (at) => bytes[at] ?? Number.NaN,
    indexOf: (character, from) => bytes.indexOf(character.charCodeAt(0), from),
    slice: (start, end) => decoder.decode(bytes.subarray(start, end)),
  };
}

/** Replacements whose texts have a unit for each byte of their UTF-8. */
export function toByteSplices(splices: readonly Splice[]): readonly Splice[] {
  for (const splice of splices) if (!hasByteUnits(splice)) return splices.map(toByteSplice);
  return splices;
}

/** Bytes with all replacements made, in the terms of {@link toByteSplices}. */
export function spliceBytes({ bytes }: ByteText, splices: readonly Splice[]): ByteText {
  let { length } = bytes;
  for (const { end, start, text } of splices) length += text.length - (end - start);
  const result = new Uint8Array(length);
  let at = 0;
  let from = 0;
  for (const { end, start, text, written } of inOrder(splices)) {
    result.set(bytes.subarray(from, start), at);
    at += start - from;
    if (written !== undefined) result.set(written.bytes, at);
    else for (let unit = 0; unit < text.length; unit++) result[at + unit] = text.charCodeAt(unit);
    at += text.length;
    from = end;
  }
  result.set(bytes.subarray(from), at);
  return toByteText(result);
}

function toByteSplice(splice: Splice): Splice {
  if (hasByteUnits(splice)) return splice;
  return { ...splice, text: splice.written?.units ?? byteUnits(encoder.encode(splice.text)) };
}

function hasByteUnits({ text, written }: Splice): boolean {
  return written === undefined ? isAscii(text) : written.units === text;
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
