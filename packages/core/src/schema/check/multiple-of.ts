/** A double as the decimal that its shortest text says: `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * A check for `multipleOf` that reads both numbers as the decimals their texts say, so that 0.3 is a multiple of 0.1
 * and 0.35 is not. Exact for every pair of doubles.
 */
export function multipleOf(divisor: number): (value: number) => boolean {
  const decimal = toDecimal(divisor);
  const places = -decimal.exponent;
  if (places > 15 || decimal.digits > BigInt(Number.MAX_SAFE_INTEGER) || decimal.exponent > 0) {
    return (value) => isMultiple(toDecimal(value), decimal);
  }
  const scale = 10 ** places;
  const scaledDivisor = Number(decimal.digits);
  return (value) => {
    const scaled = Math.round(value * scale);
    if (Math.abs(scaled) > 1e15) return isMultiple(toDecimal(value), decimal);
    // Division by an exact power of ten rounds correctly, and up to 15 digits name one double only. So equality says
    // that `value` has no more decimal places than the divisor; with more it cannot be a multiple.
    return scaled / scale === value && scaled % scaledDivisor === 0;
  };
}

function isMultiple(value: Decimal, divisor: Decimal): boolean {
  if (value.digits === 0n) return true;
  const shift = value.exponent - divisor.exponent;
  return shift >= 0
    ? (value.digits * 10n ** BigInt(shift)) % divisor.digits === 0n
    : value.digits % (divisor.digits * 10n ** BigInt(-shift)) === 0n;
}

function toDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
