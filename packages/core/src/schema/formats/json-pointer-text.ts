/** `json-pointer` of RFC 6901: empty, or each segment after a `/`; a `~` only as `~0` or `~1`. */
export function isJsonPointer(text: string): boolean {
  if (text !== '' && text[0] !== '/') return false;
  for (let tilde = text.indexOf('~'); tilde !== -1; tilde = text.indexOf('~', tilde + 2)) {
    const escaped = text[tilde + 1];
    if (escaped !== '0' && escaped !== '1') return false;
  }
  return true;
}
