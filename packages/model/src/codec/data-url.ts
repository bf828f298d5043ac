import { toBase64 } from './base64.ts';
import { registeredType } from './media-type.ts';

/** Inline media as base64. */
export interface Base64Source {
  readonly kind: 'base64';
  readonly mediaType: string;
  readonly data: string;
}

const HEAD = /^data:([^;,]+)((?:;[^;,]*)*),/i;
/** More than any type with its parameters needs. */
const LONGEST_HEAD = 600;

/**
 * The media type and data of a `data:` URL, or `undefined` for anything else. Parameters, such as the name of a file, are
 * left out; what is not base64 becomes it. @see RFC 2397.
 */
export function readDataUrl(url: string): Base64Source | undefined {
  const head = HEAD.exec(url.slice(0, LONGEST_HEAD));
  if (head?.[1] === undefined) return undefined;
  const rest = url.slice(head[0].length);
  const isBase64 = /;\s*base64$/i.test(head[2] ?? '');
  const data = isBase64 ? rest : textToBase64(rest);
  return data === undefined
    ? undefined
    : Object.freeze({ kind: 'base64', mediaType: registeredType(head[1]), data });
}

/** The `data:` URL of inline media. */
export function writeDataUrl({ mediaType, data }: Base64Source): string {
  return `data:${mediaType};base64,${data}`;
}

function textToBase64(encoded: string): string | undefined {
  try {
    return toBase64(new TextEncoder().encode(decodeURIComponent(encoded)));
  } catch {
    // Bytes that are no text; nobody writes media like that.
    return undefined;
  }
}
