/** Whether a code point is one of the 66 that Unicode keeps for internal use (section 23.7), as RFC 7493 forbids. */
export function isNoncharacter(point: number): boolean {
  return (point & 0xfffe) === 0xfffe || (point >= 0xfdd0 && point <= 0xfdef);
}
