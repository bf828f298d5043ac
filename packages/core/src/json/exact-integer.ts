/**
 * Whether an integer survives as a double: the double is exactly it, or prints as it. True for anything that is not
 * an integer, since a fraction is an approximation to begin with.
 *
 * @param token - One number of the JSON grammar whose double is finite.
 */
export function isExactInteger(token: string): boolean {
  const { digits, exponent } = toDecimal(token);
  if (exponent < 0) return true;
  const value = Number(token);
  if (digits.length <= MOST_PRINTED) {
    const printed = toDecimal(String(value));
    if (printed.digits === digits && printed.exponent === exponent) return true;
  }
  return exponent <= MOST_TENS && BigInt(digits + '0'.repeat(exponent)) === BigInt(Math.abs(value));
}

/** No double prints with more significant digits. */
const MOST_PRINTED = 17;
/** No double is a multiple of a higher power of ten: 5^23 takes more than its 53 bits. */
const MOST_TENS = 22;

/** Digits that need no work: no sign, no point, no exponent, no zero at either end. */
const PLAIN = /^[1-9](?:\d*[1-9])?$/;

/** A number without its sign. */
interface Decimal {
  /** Significant digits without zeros at either end; `''` for zero. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly exponent: number;
}

function toDecimal(token: string): Decimal {
  if (PLAIN.test(token)) return { digits: token, exponent: 0 };
  const first = token.startsWith('-') ? 1 : 0;
  const power = indexOr(token, 'e', indexOr(token, 'E', token.length));
  const point = indexOr(token, '.', power);
  const digits = token.slice(first, point) + token.slice(point + 1, power);
  const exponent = power === token.length ? 0 : Number(token.slice(power + 1));
  return withoutZeros(digits, exponent - Math.max(0, power - point - 1));
}

function indexOr(text: string, piece: string, fallback: number): number {
  const index = text.indexOf(piece);
  return index === -1 ? fallback : index;
}

function withoutZeros(digits: string, exponent: number): Decimal {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  let start = 0;
  while (start < end && digits.charCodeAt(start) === 0x30) start++;
  return start === end
    ? { digits: '', exponent: 0 }
    : { digits: digits.slice(start, end), exponent: exponent + (digits.length - end) };
}
