import { type CharacterSet, classEscapes, complement, inexactSet, single } from './character-set.ts';
import {
  isDigit,
  type PatternReader,
  startsWith,
  take,
  takeSymbol,
  takeWhile,
  UnreadPattern,
} from './pattern-reader.ts';

const controlEscapes: ReadonlyMap<string, number> = new Map([
  ['t', 0x09],
  ['n', 0x0a],
  ['v', 0x0b],
  ['f', 0x0c],
  ['r', 0x0d],
]);

/**
 * Reads what stands for characters after a backslash, in a class or outside (ECMA-262, section 22.2.1 and annex
 * B.1.2). The native engine has already accepted the pattern, so only forms that are not analysed are refused.
 */
export function parseCharacterEscape(reader: PatternReader): CharacterSet {
  const letter = takeSymbol(reader);
  const known = classEscapes.get(letter);
  if (known !== undefined) return known;
  const control = controlEscapes.get(letter);
  if (control !== undefined) return single(control);
  if (isDigit(letter)) return parseNull(letter, reader);
  switch (letter) {
    case 'c':
      return parseControlLetter(reader);
    case 'x':
      return single(parseHex(reader, 2) ?? 0x78);
    case 'u':
      return single(parseCodePoint(reader));
    case 'p':
    case 'P':
      return reader.unicode ? parseProperty(reader, letter === 'P') : single(codeOf(letter));
    default:
      return single(codeOf(letter));
  }
}

/** The number of one symbol. */
export function codeOf(symbol: string): number {
  return symbol.codePointAt(0) ?? 0;
}

function parseNull(digit: string, reader: PatternReader): CharacterSet {
  const following = reader.symbols[reader.next];
  if (digit !== '0' || (following !== undefined && isDigit(following)))
    throw new UnreadPattern('it has an octal escape');
  return single(0);
}

function parseControlLetter(reader: PatternReader): CharacterSet {
  const letter = takeWhile(reader, (symbol) => /^[A-Za-z]$/.test(symbol), 1);
  if (letter === '') throw new UnreadPattern('it has an incomplete control escape');
  return single(codeOf(letter) % 32);
}

function parseCodePoint(reader: PatternReader): number {
  if (reader.unicode && take(reader, '{')) {
    const digits = takeWhile(reader, (symbol) => symbol !== '}');
    take(reader, '}');
    return Number.parseInt(digits, 16);
  }
  const unit = parseHex(reader, 4);
  if (unit === undefined) return 0x75;
  // Under `u`, two escapes of a surrogate pair are one character.
  if (!reader.unicode || unit < 0xd800 || unit > 0xdbff || !startsWith(reader, '\\u')) return unit;
  const before = reader.next;
  reader.next += 2;
  const low = parseHex(reader, 4);
  if (low !== undefined && low >= 0xdc00 && low <= 0xdfff)
    return 0x1_0000 + (unit - 0xd800) * 0x400 + (low - 0xdc00);
  reader.next = before;
  return unit;
}

/** Reads exactly `length` hexadecimal digits, or nothing. */
function parseHex(reader: PatternReader, length: number): number | undefined {
  const before = reader.next;
  const digits = takeWhile(reader, (symbol) => /^[0-9A-Fa-f]$/.test(symbol), length);
  if (digits.length === length) return Number.parseInt(digits, 16);
  reader.next = before;
  return undefined;
}

function parseProperty(reader: PatternReader, negated: boolean): CharacterSet {
  if (!take(reader, '{')) throw new UnreadPattern('it has an incomplete property escape');
  const name = takeWhile(reader, (symbol) => symbol !== '}');
  take(reader, '}');
  const property = new RegExp(`^\\p{${name}}$`, 'u');
  const set = inexactSet((character) => property.test(String.fromCharCode(character)));
  return negated ? complement(set) : set;
}
