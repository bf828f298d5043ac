/**
 * The bytes of a JSON text without the mark of its byte order, with which some clients and servers of Windows and of Java
 * begin, and which RFC 8259, section 8.1, lets us skip.
 */
export function withoutMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? (bytes.subarray(3) as Bytes) : bytes;
}
