const encoder = new TextEncoder();

/** Whether a text takes more than `maxBytes` bytes of UTF-8. Cheap however long the text is. */
export function exceedsBytes(text: string, maxBytes: number): boolean {
  // A UTF-16 unit takes one byte at least and three at most.
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes;
}
