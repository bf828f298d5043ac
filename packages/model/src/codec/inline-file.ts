import { fromBase64 } from './base64.ts';
import type { Base64Source } from './data-url.ts';
import type { LossLog } from './loss-log.ts';
import { registeredType } from './media-type.ts';

/** Inline media under the registered name of their type. @param path - Pointer of the part. */
export function registeredSource(source: Base64Source, path: string, losses: LossLog): Base64Source {
  const mediaType = registeredType(source.mediaType);
  if (mediaType === source.mediaType) return source;
  losses.add('approximated', `${path}/source/mediaType`, 'info', 'the registered name of a media type');
  return { ...source, mediaType };
}

/** Types beside `text/…` whose files are read as text. */
const TEXTUAL =
  /^(?:text\/.+|application\/(?:json|jsonl|ld\+json|x-ndjson|xml|yaml|x-yaml|toml|javascript|typescript|sql|x-sh))$/;

/** The text of an inline file, or `undefined` for one that is none. */
export function textOfFile({ data, mediaType }: Base64Source): string | undefined {
  if (!TEXTUAL.test(registeredType(mediaType))) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(data));
  } catch {
    // Neither base64 nor UTF-8.
    return undefined;
  }
}

/**
 * A name for an inline file that has none: OpenAI refuses a file without one, and reads its type off the ending.
 *
 * @param path - Pointer of the part.
 */
export function nameOfFile({ mediaType }: Base64Source, path: string, losses: LossLog): string {
  losses.add('synthesised', `${path}/name`, 'info', 'a file without a name is refused here');
  const ending = /\/([a-z0-9]{2,5})$/.exec(registeredType(mediaType))?.[1];
  if (ending === undefined) return 'file';
  return `file.${ending === 'plain' ? 'txt' : ending}`;
}
