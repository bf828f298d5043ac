import { decodeUtf8 } from './decode-utf8.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import { createKnownValues, type KnownValues } from './known-values.ts';
import { type JsonMemberPlace, type Outline, outlineOf } from './outline.ts';
import { type ReadJsonOptions, toReadRules } from './read-rules.ts';
import type { CleanScan } from './scan-clean.ts';
import { toByteScan, toScan } from './screen.ts';
import { inUnits } from './unit-outline.ts';

const ZERO = 0x30;
const NINE = 0x39;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;
const NULL = [0x6e, 0x75, 0x6c, 0x6c] as const;

/** An object as `readJson` reads it, and where its members are in the text. */
export interface OutlinedJson {
  readonly value: JsonObject;
  /** In the order of the text. */
  readonly members: readonly JsonMemberPlace[];
  /** The object itself, in UTF-16 units, or in bytes where the text came as bytes. */
  readonly start: number;
  /** Behind its last unit or byte. */
  readonly end: number;
}

/** Settings of {@link createOutlineReader}. */
export interface OutlineReaderOptions extends ReadJsonOptions {
  /**
   * Members of the outermost object whose values come again and again in the same words. Such a value is read once; it is
   * deeply frozen and the same value each time.
   */
  readonly remember?: readonly string[];
  /** Bytes of UTF-8 of all texts that are remembered, together. Default 1,048,576. */
  readonly maxRemembered?: number;
}

/** Reads objects whose text is to be changed in places. */
export interface OutlineReader {
  /**
   * @param text - The whole text, or its UTF-8 bytes, which are copied before they are looked at; no text is made of those
   *   that are known.
   * @returns `undefined` where `readJson` has to be asked: for whatever is unusual, or wrong.
   */
  read(text: string | Uint8Array): OutlinedJson | undefined;
}

/** Makes a reader with bounds and permissions of its own. @throws {@link JsonError} `json/options-invalid`. */
export function createOutlineReader(options: OutlineReaderOptions = {}): OutlineReader {
  const { maxBytes, maxDepth } = toReadRules(options);
  const values = createKnownValues(new Set(options.remember), options.maxRemembered ?? 1_048_576);
  return Object.freeze({
    read(text: string | Uint8Array) {
      const isText = typeof text === 'string';
      if ((isText ? text.length * 3 : text.length) > maxBytes) return undefined;
      const scan = isText ? toScan(text) : toByteScan(text);
      const outline = outlineOf(scan, maxDepth, values);
      if (outline === undefined) return undefined;
      // The buffer is written to as soon as known values are left out of it; all that is looked up there comes before.
      const placed = isText && scan.length !== text.length ? inUnits(scan, outline) : outline;
      const numbers = hasNumberName(scan, outline) ? spelledNames(scan, outline) : undefined;
      const fresh = freshTexts(scan, outline, values);
      const { members } = outline;
      const rest = isText && !outline.hasKnown ? text : restOf(scan, outline);
      const value = rest === undefined ? undefined : parse(rest);
      if (value === undefined) return undefined;
      const keys = Object.keys(value);
      if (keys.length !== members.length || Object.hasOwn(value, '__proto__')) return undefined;
      // Members are in the order of the text, but for those whose names are numbers.
      const names = numbers ?? keys;
      for (const { known } of members) if (known !== undefined) value[known.name] = known.value;
      for (const { bytes, name } of fresh) {
        const read = value[name];
        if (read !== undefined) values.add(name, bytes, read);
      }
      return { value, members: placesOf(placed, names), start: placed.start, end: placed.end };
    },
  });
}

/** The grammar of everything that is not known is judged here. */
function parse(text: string): Record<string, JsonValue> | undefined {
  try {
    return JSON.parse(text) as Record<string, JsonValue>;
  } catch {
    return undefined;
  }
}

/** The text with `null` in the place of each known value; `undefined` where the bytes are no UTF-8. */
function restOf({ buffer, length }: CleanScan, { hasKnown, members }: Outline): string | undefined {
  const { bytes } = buffer;
  if (!hasKnown) return decodeUtf8(bytes.subarray(0, length));
  let at = 0;
  let from = 0;
  for (const { end, known, start } of members) {
    if (known === undefined) continue;
    if (at !== from) bytes.copyWithin(at, from, start);
    at += start - from;
    for (const byte of NULL) bytes[at++] = byte;
    from = end;
  }
  bytes.copyWithin(at, from, length);
  return decodeUtf8(bytes.subarray(0, at + length - from));
}

/** Names in the order of the text. */
function spelledNames({ buffer }: CleanScan, { members }: Outline): readonly string[] {
  return members.map(({ nameEnd, nameStart }) => decodeUtf8(buffer.bytes.subarray(nameStart, nameEnd)) ?? '');
}

function hasNumberName({ buffer }: CleanScan, { members }: Outline): boolean {
  for (const { nameStart } of members) {
    const first = buffer.bytes[nameStart] ?? 0;
    if (first >= ZERO && first <= NINE) return true;
  }
  return false;
}

function placesOf({ members }: Outline, names: readonly string[]): readonly JsonMemberPlace[] {
  const places: JsonMemberPlace[] = [];
  for (let index = 0; index < members.length; index++) {
    const member = members[index];
    const name = names[index];
    if (member === undefined || name === undefined) continue;
    const { end, nameStart, start } = member;
    places.push({ name, start: nameStart - 1, value: { start, end } });
  }
  return places;
}

/** A text that is worth to be kept, in bytes of its own. */
interface FreshText {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const NONE: readonly FreshText[] = Object.freeze([]);

function freshTexts({ buffer }: CleanScan, { members }: Outline, values: KnownValues): readonly FreshText[] {
  let fresh: FreshText[] | undefined;
  for (const { end, known, nameEnd, nameStart, start } of members) {
    if (known !== undefined || !isOpening(buffer.bytes[start])) continue;
    const name = values.nameAt(buffer.bytes, nameStart, nameEnd);
    if (name === undefined || !values.keeps(end - start)) continue;
    fresh ??= [];
    fresh.push({ name, bytes: buffer.bytes.slice(start, end) });
  }
  return fresh ?? NONE;
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPEN_ARRAY || byte === OPEN_OBJECT;
}
