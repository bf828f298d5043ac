import { followsContextRule, isContextual } from './idn-context.ts';

// RFC 5892, section 2.6: code points whose status is decided by hand.
const exceptionallyValid: ReadonlySet<number> = new Set([0xdf, 0x3c2, 0x6fd, 0x6fe, 0xf0b, 0x3007]);
const exceptionallyDisallowed: ReadonlySet<number> = new Set([
  0x640, 0x7fa, 0x302e, 0x302f, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303b,
]);

const letterDigit = /^[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]$/u;
const ignorable = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Noncharacter_Code_Point}]$/u;
// Ignorable blocks (2.4: marks for symbols, musical notation) and conjoining Hangul jamo (2.9).
const excludedBlock = /^[\u20D0-\u20FF\u{1D100}-\u{1D24F}\u1100-\u11FF\uA960-\uA97F\uD7B0-\uD7FF]$/u;
const combiningMark = /^\p{M}/u;

/**
 * Whether code points are an internationalised label (U-label) of IDNA 2008, RFC 5891, section 4.2: normalised,
 * only permitted code points, no leading combining mark, no hyphens at the third and fourth place. The rule for
 * bidirectional text (RFC 5893) concerns display and is not asked.
 */
export function isIdnLabel(codePoints: readonly number[]): boolean {
  const text = String.fromCodePoint(...codePoints);
  if (codePoints.every((codePoint) => codePoint < 0x80)) return false;
  if (text !== text.normalize('NFC') || combiningMark.test(text)) return false;
  if (text.slice(2, 4) === '--' || text.startsWith('-') || text.endsWith('-')) return false;
  return codePoints.every((codePoint, index) =>
    isContextual(codePoint) ? followsContextRule(codePoints, index) : isPermitted(codePoint),
  );
}

/** The derived property PVALID of RFC 5892, section 3. */
function isPermitted(codePoint: number): boolean {
  if (exceptionallyValid.has(codePoint)) return true;
  if (exceptionallyDisallowed.has(codePoint)) return false;
  const character = String.fromCodePoint(codePoint);
  if (codePoint < 0x80) return /^[a-z0-9-]$/.test(character);
  const stable = character.normalize('NFKC').toLowerCase().normalize('NFKC');
  return (
    stable === character &&
    letterDigit.test(character) &&
    !ignorable.test(character) &&
    !excludedBlock.test(character)
  );
}
