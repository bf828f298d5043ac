/** A whole UUID. */
export const uuidPattern: RegExp = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/;

/** `uuid` of RFC 4122, any version and variant, without a prefix. */
export function isUuid(text: string): boolean {
  return text.length === 36 && uuidPattern.test(text);
}
