// Bootstring parameters of Punycode (RFC 3492, section 5).
const base = 36;
const lowestThreshold = 1;
const highestThreshold = 26;
const skew = 38;
const damping = 700;
const initialBias = 72;
const firstNonBasic = 0x80;

/**
 * Decodes one Punycode label without its `xn--` (RFC 3492, section 6.2).
 *
 * @param text - Lower-case letters, digits and hyphens, at most 59 of them.
 * @returns Code points, or undefined when the text encodes nothing or something that is not a code point.
 */
export function decodePunycode(text: string): readonly number[] | undefined {
  const delimiter = text.lastIndexOf('-');
  const output = Array.from(text.slice(0, Math.max(delimiter, 0)), (character) => character.charCodeAt(0));
  let next = delimiter + 1;
  let codePoint = firstNonBasic;
  let position = 0;
  let bias = initialBias;
  while (next < text.length) {
    const start = position;
    let weight = 1;
    for (let step = base; ; step += base) {
      const digit = digitValue(text.charCodeAt(next));
      next += 1;
      if (digit === undefined) return undefined;
      position += digit * weight;
      const threshold = Math.min(Math.max(step - bias, lowestThreshold), highestThreshold);
      if (digit < threshold) break;
      weight *= base - threshold;
    }
    const length = output.length + 1;
    bias = adapt(position - start, length, start === 0);
    codePoint += Math.floor(position / length);
    if (codePoint > 0x10_ffff || (codePoint >= 0xd800 && codePoint <= 0xdfff)) return undefined;
    position %= length;
    output.splice(position, 0, codePoint);
    position += 1;
  }
  return output;
}

function digitValue(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  return undefined;
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / damping) : Math.floor(delta / 2);
  rest += Math.floor(rest / length);
  let bias = 0;
  for (; rest > ((base - lowestThreshold) * highestThreshold) / 2; bias += base) {
    rest = Math.floor(rest / (base - lowestThreshold));
  }
  return bias + Math.floor(((base - lowestThreshold + 1) * rest) / (rest + skew));
}
