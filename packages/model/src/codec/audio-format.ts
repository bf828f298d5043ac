const FORMATS: ReadonlyMap<string, 'wav' | 'mp3'> = new Map([
  ['audio/wav', 'wav'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/mpeg', 'mp3'],
  ['audio/mp3', 'mp3'],
]);

/** OpenAI's word for a media type of sound, or `undefined` where it has none. */
export function audioFormat(mediaType: string): 'wav' | 'mp3' | undefined {
  return FORMATS.get(mediaType);
}

/** The media type for OpenAI's word for a format of sound. */
export function audioType(format: string): string {
  return format === 'mp3' ? 'audio/mpeg' : `audio/${format}`;
}
