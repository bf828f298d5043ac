/** Characters as JSON Schema counts them (Validation 6.3): code points, a surrogate pair being one. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) count -= 1;
  }
  return count;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
