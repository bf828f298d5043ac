/** Types of pictures that providers take, by the name that is registered and by those that are in use besides. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['image/png', 'image/png'],
  ['image/x-png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
]);

/** How the base64 of a picture begins, up to the last character that no other byte has a part in. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['iVBORw0KGg', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGODdh', 'image/gif'],
  ['R0lGODlh', 'image/gif'],
];
/** `RIFF`, the size, `WEBP`. */
const WEBP = /^UklGR.{5}[BFJNRVZdhlptx159]XRUJQ/;

/**
 * The media type of a picture whose data begin like this. Providers look at the bytes: a picture that is called something else,
 * or that is none, makes them refuse this request and each later one with the same history.
 *
 * @param declared - As a media type is written, with parameters perhaps.
 * @returns What the bytes say; `declared` for a type that is not looked into; `undefined` where the bytes are not of any of
 * the types that are, though `declared` is one.
 */
export function pictureType(declared: string, base64: string): string | undefined {
  const [name = ''] = declared.split(';', 1);
  const known = TYPES.get(name.trim().toLowerCase());
  const found = WEBP.test(base64.slice(0, 16))
    ? 'image/webp'
    : BEGINNINGS.find(([beginning]) => base64.startsWith(beginning))?.[1];
  if (found === undefined) return known === undefined ? declared : undefined;
  return found === known && name.trim().toLowerCase() === known ? declared : found;
}
