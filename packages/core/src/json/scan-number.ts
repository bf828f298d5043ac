/** Every number of so many digits survives as a double, and so does every 16-digit one below 9 × 10^15. */
const ALWAYS_KEPT = 15;
/** So many digits are finite, with an exponent of two digits too. */
const ALWAYS_FINITE = 200;

const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const MINUS = 0x2d;
const PLUS = 0x2b;

/**
 * The offset after the number whose first digit is at `start`. 0 when a double may not hold it: too large, or an integer
 * that would be rounded.
 */
export function numberEnd(bytes: Uint8Array, start: number): number {
  const end = digitsEnd(bytes, start + 1);
  const next = bytes[end] as number;
  if (next === POINT || isExponent(next)) return restOfNumber(bytes, start, end);
  const digits = end - start;
  if (digits <= ALWAYS_KEPT) return end;
  return digits === ALWAYS_KEPT + 1 && (bytes[start] as number) < NINE ? end : 0;
}

function restOfNumber(bytes: Uint8Array, start: number, whole: number): number {
  let end = bytes[whole] === POINT ? digitsEnd(bytes, whole + 1) : whole;
  const digits = end - start;
  if (digits > ALWAYS_FINITE) return 0;
  const next = bytes[end] as number;
  // A fraction that does not end in zero belongs to no integer, so a double may round it.
  if (!isExponent(next)) return digits > ALWAYS_KEPT && bytes[end - 1] === ZERO ? 0 : end;
  const sign = bytes[++end] as number;
  // 1.2345678901234567e-7 is what printed doubles look like, and less than one.
  if (digits > ALWAYS_KEPT && (whole - start > 1 || sign !== MINUS || bytes[end + 1] === ZERO)) return 0;
  if (sign === MINUS || sign === PLUS) end++;
  const exponent = end;
  end = digitsEnd(bytes, end);
  return end - exponent > 2 ? 0 : end;
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  let byte = bytes[end] as number;
  while (byte >= ZERO && byte <= NINE) byte = bytes[++end] as number;
  return end;
}

function isExponent(byte: number): boolean {
  return byte === 0x65 || byte === 0x45;
}
