/** Bytes that a text takes in UTF-8; a lone surrogate counts as U+FFFD, 3 bytes, as an encoder would write it. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit < 0xd800 || unit > 0xdbff || !isLow(text.charCodeAt(i + 1))) bytes += 2;
    else {
      bytes += 2;
      i++;
    }
  }
  return bytes;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
