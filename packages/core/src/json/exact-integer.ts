/**
 * Whether an integer survives as a double: the double is exactly it, or prints as it. True for anything that is not
 * an integer, since a fraction is an approximation to begin with.
 *
 * @param token - One number of the JSON grammar whose double is finite.
 */
export function isExactInteger(token: string): boolean {
  const value = Number(token);
  const printed = String(value);
  if (printed === token) return true;
  const written = toDecimal(token);
  if (written.exponent < 0) return true;
  if (isSame(written, toDecimal(printed))) return true;
  // Finite, so there are at most 309 digits.
  return BigInt(written.digits + '0'.repeat(written.exponent)) === BigInt(Math.abs(value));
}

/** A number without its sign. */
interface Decimal {
  /** Significant digits without zeros at either end; `''` for zero. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly exponent: number;
}

function isSame(left: Decimal, right: Decimal): boolean {
  return left.digits === right.digits && left.exponent === right.exponent;
}

function toDecimal(token: string): Decimal {
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
