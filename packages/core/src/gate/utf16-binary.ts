/** Whether the low byte of a unit comes first. */
export type ByteOrder = 'little' | 'big';

/** As many as an engine takes as arguments of one call. */
const PIECE = 0x8000;
/** Units that are looked at where no mark says the order. */
const SAMPLE = 512;

const CHARSET = /;\s{0,9}charset\s{0,9}=\s{0,9}"?utf-?16(le|be)?"?\s{0,9}(?:;|$)/i;

/**
 * In which order the bytes of a text in UTF-16 stand: as its mark or its charset says or, without one, where it is mostly
 * Latin and one of the two bytes of most units is zero, the other one of few.
 *
 * @param binary - One character for each byte.
 * @returns `undefined` where it is no such text.
 */
export function utf16Order(binary: string, mediaType: string): ByteOrder | undefined {
  const mark = binary.slice(0, 2);
  if (mark === '\xff\xfe') return 'little';
  if (mark === '\xfe\xff') return 'big';
  const said = CHARSET.exec(mediaType);
  if (said?.[1] !== undefined) return said[1].toLowerCase() === 'le' ? 'little' : 'big';
  // Of the charset without an order, the Encoding Standard says which one it is.
  return orderByZeros(binary) ?? (said === null ? undefined : 'little');
}

function orderByZeros(binary: string): ByteOrder | undefined {
  const units = Math.min(SAMPLE, binary.length >> 1);
  const zeros = [0, 0];
  for (let at = 0; at < units * 2; at += 1) {
    if (binary.charCodeAt(at) === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  }
  const [first = 0, second = 0] = zeros;
  const isMost = (count: number, other: number): boolean => count * 2 > units && other * 8 < count;
  if (isMost(second, first)) return 'little';
  return isMost(first, second) ? 'big' : undefined;
}

/** The text of bytes in UTF-16, unit by unit, so that each one can be written again; half a unit at the end is left out. */
export function fromUtf16(binary: string, order: ByteOrder): string {
  const [low, high] = order === 'little' ? [0, 1] : [1, 0];
  let text = '';
  for (let from = 0; from + 1 < binary.length; from += PIECE) {
    const units: number[] = [];
    for (let at = from; at < Math.min(from + PIECE, binary.length - 1); at += 2)
      units.push(binary.charCodeAt(at + low) | (binary.charCodeAt(at + high) << 8));
    text += String.fromCharCode(...units);
  }
  return text;
}

/** The bytes of a text in UTF-16, one character for each. */
export function toUtf16(text: string, order: ByteOrder): string {
  let binary = '';
  for (let from = 0; from < text.length; from += PIECE / 2) {
    const bytes: number[] = [];
    for (let at = from; at < Math.min(from + PIECE / 2, text.length); at += 1) {
      const unit = text.charCodeAt(at);
      bytes.push(...(order === 'little' ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff]));
    }
    binary += String.fromCharCode(...bytes);
  }
  return binary;
}
