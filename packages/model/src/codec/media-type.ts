/** Names that are in use and not registered; providers refuse them. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['image/x-png', 'image/png'],
  ['application/x-pdf', 'application/pdf'],
]);

/** The registered name of a media type, in small letters and without parameters. */
export function registeredType(mediaType: string): string {
  const [name = ''] = mediaType.split(';', 1);
  const plain = name.trim().toLowerCase();
  return ALIASES.get(plain) ?? plain;
}
