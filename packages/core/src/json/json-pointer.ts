/**
 * Adds one reference token to a JSON Pointer.
 *
 * @param token - A member name as it is, not escaped, or an array index.
 * @see RFC 6901 section 3: `~` becomes `~0` and `/` becomes `~1`.
 */
export function appendPointer(pointer: string, token: string | number): string {
  return `${pointer}/${typeof token === 'number' ? token : escapeToken(token)}`;
}

/** The pointer made of the given tokens; without tokens it is `''`, the root. */
export function joinPointer(tokens: readonly (string | number)[]): string {
  let pointer = '';
  for (const token of tokens) pointer = appendPointer(pointer, token);
  return pointer;
}

function escapeToken(token: string): string {
  if (!token.includes('~') && !token.includes('/')) return token;
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
