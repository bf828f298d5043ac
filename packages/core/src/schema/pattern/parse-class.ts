import { type CharacterSet, characterSet, complement, single, unite } from './character-set.ts';
import { codeOf, parseCharacterEscape } from './parse-escape.ts';
import { type PatternReader, take, takeSymbol, UnreadPattern } from './pattern-reader.ts';

/** Reads a class `[…]`; the reader stands behind the opening bracket. */
export function parseClass(reader: PatternReader): CharacterSet {
  const negated = take(reader, '^');
  const members: CharacterSet[] = [];
  while (!take(reader, ']')) {
    const first = parseMember(reader);
    if (reader.symbols[reader.next] !== '-' || reader.symbols[reader.next + 1] === ']') {
      members.push(first);
      continue;
    }
    reader.next += 1;
    const last = parseMember(reader);
    members.push(rangeOf(first, last));
  }
  const united = unite(members);
  return negated ? complement(united) : united;
}

function parseMember(reader: PatternReader): CharacterSet {
  const symbol = takeSymbol(reader);
  if (symbol !== '\\') return single(codeOf(symbol));
  if (take(reader, 'b')) return single(0x08);
  if (take(reader, '-')) return single(0x2d);
  if (!reader.unicode && reader.symbols[reader.next] === 'c')
    throw new UnreadPattern('it has a control escape in a class');
  return parseCharacterEscape(reader);
}

/** `first-last`; annex B reads a range with a class escape at one end as its three members. */
function rangeOf(first: CharacterSet, last: CharacterSet): CharacterSet {
  const [from, to] = [soleCharacter(first), soleCharacter(last)];
  if (from === undefined || to === undefined) return unite([first, single(0x2d), last]);
  return characterSet([[from, to]]);
}

function soleCharacter(set: CharacterSet): number | undefined {
  const [range] = set.ranges;
  return set.exact && set.ranges.length === 1 && range !== undefined && range[0] === range[1]
    ? range[0]
    : undefined;
}
