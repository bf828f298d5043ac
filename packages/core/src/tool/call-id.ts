const MAX_BYTES = 256;

/**
 * Whether a value can be the id of a call: 1 to 256 bytes of well-formed text without control characters, and not
 * blank. Providers use letters, digits, `_` and `-`; nothing is trimmed.
 */
export function isCallId(value: unknown): value is string {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_BYTES) return false;
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index);
    if (unit < 0x21 || unit > 0x7e) return isUnusualCallId(value);
  }
  return true;
}

function isUnusualCallId(value: string): boolean {
  if (!value.isWellFormed() || value.trim() === '') return false;
  let bytes = 0;
  for (const character of value) {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x20 || (point >= 0x7f && point <= 0x9f) || point === 0x2028 || point === 0x2029)
      return false;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes <= MAX_BYTES;
}
