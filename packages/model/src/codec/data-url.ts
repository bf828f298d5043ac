/** Inline media as base64. */
export interface Base64Source {
  readonly kind: 'base64';
  readonly mediaType: string;
  readonly data: string;
}

const HEAD = /^data:([^;,]+);base64,/;

/** The media type and data of a base64 `data:` URL, or `undefined` for anything else. @see RFC 2397. */
export function readDataUrl(url: string): Base64Source | undefined {
  const head = HEAD.exec(url.slice(0, 300));
  if (head?.[1] === undefined) return undefined;
  return Object.freeze({ kind: 'base64', mediaType: head[1], data: url.slice(head[0].length) });
}

/** The `data:` URL of inline media. */
export function writeDataUrl({ mediaType, data }: Base64Source): string {
  return `data:${mediaType};base64,${data}`;
}
