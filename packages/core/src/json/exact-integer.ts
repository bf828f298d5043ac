/**
 * Whether an integer survives as a double: the double is exactly it, or prints as it. True for anything that is not
 * an integer (a fraction is an approximation to begin with) and for what does not fit a double at all.
 *
 * @param token - One number of the JSON grammar.
 */
export function isExactInteger(token: string): boolean {
  if (token.length <= ALWAYS_EXACT) return true;
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  const written = toDecimal(token);
  if (written.exponent < 0) return true;
  const kept = toDecimal(String(value));
  if (written.digits === kept.digits && written.exponent === kept.exponent) return true;
  return BigInt(written.digits + '0'.repeat(written.exponent)) === BigInt(Math.abs(value));
}

/** Every decimal of so many significant digits comes back unchanged from a double (IEEE 754 binary64). */
const ALWAYS_EXACT = 15;

interface Decimal {
  /** Significant digits, without zeros at either end; `''` for zero. */
  readonly digits: string;
  /** Power of ten of the last digit. */
  readonly exponent: number;
}

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function toDecimal(token: string): Decimal {
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(token) ?? [];
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all.charCodeAt(end - 1) === 48) end--;
  let start = 0;
  while (start < end && all.charCodeAt(start) === 48) start++;
  if (start === end) return { digits: '', exponent: 0 };
  return { digits: all.slice(start, end), exponent: Number(exponent) - fraction.length + (all.length - end) };
}
