/**
 * A set of characters of a pattern: code points under `u`, UTF-16 units without.
 *
 * An inexact set stands for a Unicode property: its ASCII part is right, and it holds every other character, more
 * than the property does. That errs to the safe side wherever a larger set means more ways to match.
 */
export interface CharacterSet {
  /** Sorted, disjoint, not touching; both ends belong to the range. */
  readonly ranges: readonly CharacterRange[];
  readonly exact: boolean;
}

/** First and last character. */
export type CharacterRange = readonly [first: number, last: number];

/** The last code point; larger than any UTF-16 unit, so one alphabet serves both kinds of pattern. */
export const lastCharacter = 0x10_ffff;

const firstBeyondAscii = 0x80;

/** The set of the given ranges, which may overlap and be in any order. */
export function characterSet(ranges: readonly CharacterRange[], exact = true): CharacterSet {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const previous = merged.at(-1);
    if (previous !== undefined && first <= previous[1] + 1) previous[1] = Math.max(previous[1], last);
    else merged.push([first, last]);
  }
  return { ranges: merged, exact };
}

/** Every character of any of the sets. */
export function unite(sets: readonly CharacterSet[]): CharacterSet {
  return characterSet(
    sets.flatMap((set) => set.ranges),
    sets.every((set) => set.exact),
  );
}

/** Every character that is not in the set; of an inexact one, every character that may not be. */
export function complement(set: CharacterSet): CharacterSet {
  const ranges: CharacterRange[] = [];
  let next = 0;
  for (const [first, last] of set.ranges) {
    if (first > next) ranges.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCharacter) ranges.push([next, lastCharacter]);
  return set.exact
    ? characterSet(ranges)
    : characterSet([...ranges, [firstBeyondAscii, lastCharacter]], false);
}

/** The set of one character. */
export function single(character: number): CharacterSet {
  return { ranges: [[character, character]], exact: true };
}

/** A set that holds the ASCII characters which `isMember` says, and everything beyond ASCII. */
export function inexactSet(isMember: (character: number) => boolean): CharacterSet {
  const ranges: CharacterRange[] = [[firstBeyondAscii, lastCharacter]];
  for (let character = 0; character < firstBeyondAscii; character += 1) {
    if (isMember(character)) ranges.push([character, character]);
  }
  return characterSet(ranges, false);
}

const digits = characterSet([[0x30, 0x39]]);
const word = characterSet([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
// WhiteSpace and LineTerminator of ECMA-262, sections 12.2 and 12.3.
const space = characterSet([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]);

/** The class escapes `\d \D \w \W \s \S` by their letter. */
export const classEscapes: ReadonlyMap<string, CharacterSet> = new Map([
  ['d', digits],
  ['D', complement(digits)],
  ['w', word],
  ['W', complement(word)],
  ['s', space],
  ['S', complement(space)],
]);

/** What `.` matches without the `s` flag. */
export const dot: CharacterSet = complement(
  characterSet([
    [0x0a, 0x0a],
    [0x0d, 0x0d],
    [0x2028, 0x2029],
  ]),
);
