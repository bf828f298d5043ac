import { freezeJson } from './freeze-json.ts';
import type { JsonValue } from './json-value.ts';
import type { ScanBuffer } from './scan-buffer.ts';

/** A value, deeply frozen, and the UTF-8 that it was read from. */
export interface KnownValue {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly value: JsonValue;
}

/** Where the name of a member is, without its quotes, and where its value begins. */
export interface MemberHead {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
}

/** Values of members that come again and again in the same words. */
export interface KnownValues {
  /** The value of a member, where it was kept and the text has all of its bytes before `length`. */
  find(buffer: ScanBuffer, length: number, head: MemberHead): KnownValue | undefined;
  /** The name that stands there, where values of such a member are kept. */
  nameAt(bytes: Uint8Array, start: number, end: number): string | undefined;
  /** Whether a value of so many bytes is kept. */
  keeps(bytes: number): boolean;
  /** Keeps a value, which is frozen from then on, and the bytes, which may not change. */
  add(name: string, bytes: Uint8Array, value: JsonValue): void;
}

/** Bytes by which texts are told apart before they are compared: whole groups of four. */
const HEAD = 96;
/** Texts with one head that are compared one by one. */
const MOST_ALIKE = 8;
/** What one text counts for besides its bytes. */
const ENTRY_COST = 256;

const HASH_FACTOR = 0x5bd1_e995;

/** Values whose texts begin alike, or so that their hashes are. */
interface Group {
  readonly values: (KnownValue & { readonly view: DataView })[];
  /** When it was used last. A map in the order of use would be written to, and grow garbage, with every text. */
  usedAt: number;
}

/**
 * Makes an empty memory.
 *
 * @param names - Members whose values are kept.
 * @param maxLength - Bytes of all texts together; those that were not used for the longest time go first.
 */
export function createKnownValues(names: ReadonlySet<string>, maxLength: number): KnownValues {
  const encoder = new TextEncoder();
  const kept = [...names].map((name) => ({ name, bytes: encoder.encode(name) }));
  const groups = new Map<number, Group>();
  let length = 0;
  let uses = 0;

  const nameAt = (bytes: Uint8Array, start: number, end: number): string | undefined => {
    for (const { bytes: own, name } of kept) if (hasBytes(bytes, start, end, own)) return name;
    return undefined;
  };
  const cost = ({ bytes }: KnownValue): number => bytes.length + ENTRY_COST;
  const makeRoom = (): void => {
    while (length > maxLength) {
      let oldest: number | undefined;
      let usedAt = Number.POSITIVE_INFINITY;
      for (const [hash, group] of groups) {
        if (group.usedAt >= usedAt) continue;
        oldest = hash;
        usedAt = group.usedAt;
      }
      if (oldest === undefined) return;
      for (const value of groups.get(oldest)?.values ?? []) length -= cost(value);
      groups.delete(oldest);
    }
  };

  return {
    nameAt,
    keeps: (bytes) => bytes >= HEAD && bytes <= maxLength / 4,
    find(buffer, end, { nameEnd, nameStart, start }) {
      if (length === 0 || start + HEAD > end) return undefined;
      const name = nameAt(buffer.bytes, nameStart, nameEnd);
      const group = name === undefined ? undefined : groups.get(headOf(buffer.view, start));
      if (group === undefined) return undefined;
      for (const known of group.values) {
        if (known.name !== name || start + known.bytes.length > end) continue;
        if (!isSame(buffer.view, start, known.view)) continue;
        group.usedAt = ++uses;
        return known;
      }
      return undefined;
    },
    add(name, bytes, value) {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const known = { name, bytes, view, value: freezeJson(value) };
      const head = headOf(view, 0);
      const group = groups.get(head) ?? { values: [], usedAt: 0 };
      const { values } = group;
      const first = values.length >= MOST_ALIKE ? values.shift() : undefined;
      if (first !== undefined) length -= cost(first);
      values.push(known);
      length += cost(known);
      group.usedAt = ++uses;
      groups.set(head, group);
      makeRoom();
    },
  };
}

function hasBytes(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let at = 0; at < name.length; at++) if (bytes[start + at] !== name[at]) return false;
  return true;
}

/** A hash of the first bytes. */
function headOf(view: DataView, start: number): number {
  let hash = 0;
  for (let at = start; at < start + HEAD; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at), HASH_FACTOR);
    hash ^= hash >>> 13;
  }
  return hash;
}

/**
 * Whether all bytes of `known` stand at `start`. Eight at once are compared as one double, which is exact: JSON in UTF-8 has
 * no byte 00, no byte ff and no 7f behind one from f0 on, so no eight of it are a zero, which may have a sign, or a NaN.
 */
function isSame(view: DataView, start: number, known: DataView): boolean {
  const length = known.byteLength;
  const whole = length - (length % 16);
  let at = 0;
  for (; at < whole; at += 16) {
    const from = start + at;
    if (view.getFloat64(from, true) !== known.getFloat64(at, true)) return false;
    if (view.getFloat64(from + 8, true) !== known.getFloat64(at + 8, true)) return false;
  }
  for (; at < length; at++) if (view.getUint8(start + at) !== known.getUint8(at)) return false;
  return true;
}
