import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ContentPart, MediaContent } from '../call/item.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import { decodeImage } from './decode-content.ts';
import { encodeMedia } from './encode-content.ts';

// The letter has no place for a picture that a model makes. Services that offer such models write a list beside the text.

/** The pictures in an `images` member of an answer or of a chunk. */
export function readImages(value: JsonValue | undefined): readonly MediaContent[] {
  if (!isJsonArray(value)) return [];
  return value.flatMap((entry) => {
    const image = isJsonObject(entry)
      ? decodeImage({ type: 'image_url', image_url: memberOf(entry, 'image_url') ?? null })
      : undefined;
    return image === undefined ? [] : [image];
  });
}

/** The entry of an `images` member for a part that is a picture; `undefined` for any other part. */
export function toImage(part: ContentPart, path: string, losses: LossLog): JsonObject | undefined {
  return part.kind === 'image' ? encodeMedia(part, path, losses) : undefined;
}
