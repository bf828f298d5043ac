import { toolOutput } from '@toolgate/core';

/** Base64 of as many bytes as it takes to tell a picture; a multiple of 4. */
const HEAD = 24;
const PICTURE = /^image\/(?:png|jpeg|gif|webp)(?: ?;|$)/i;

/**
 * The media type of a file that is a picture which models see, as its bytes say: as a file, providers refuse it.
 *
 * @returns `undefined` for every other file, also for one that is only called a picture.
 */
export function pictureTypeOf(mediaType: string, data: string): string | undefined {
  try {
    const [part] = toolOutput({ parts: [{ kind: 'image', mediaType, data: data.slice(0, HEAD) }] }).parts;
    return part?.kind === 'image' && PICTURE.test(part.mediaType) ? part.mediaType : undefined;
  } catch {
    return undefined;
  }
}
