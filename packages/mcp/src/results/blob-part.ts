import type { OutputPart } from '@toolgate/core';

/** Pictures and sounds that models see and hear; as files they are refused. */
const MEDIA = /^(?:(image)\/(?:png|jpeg|gif|webp)|(audio)\/[\w.+-]+)$/i;
/** Types of text beside `text/…`. */
const TEXT =
  /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)|application\/(?:x-)?(?:jsonl|ndjson|yaml|toml|javascript|typescript|sql|sh))$/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * What the bytes of an embedded resource are to a model, by their type: a picture, a sound, or a text, which is then
 * looked at, cut and redacted as one.
 *
 * @returns `undefined` for any other file, and for a text that is none.
 */
export function blobPart(
  blob: string,
  mimeType: string,
): Extract<OutputPart, { kind: 'text' | 'image' | 'audio' }> | undefined {
  const type = (mimeType.split(';')[0] ?? '').trim().toLowerCase();
  const [, image, audio] = MEDIA.exec(type) ?? [];
  const kind = image === undefined ? (audio === undefined ? undefined : 'audio') : 'image';
  if (kind !== undefined) return { kind, mediaType: type, data: blob.replace(/\s+/g, '') };
  const text = TEXT.test(type) ? decode(blob.replace(/\s+/g, '')) : undefined;
  return text === undefined ? undefined : { kind: 'text', text };
}

function decode(data: string): string | undefined {
  if (!BASE64.test(data)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'));
  } catch {
    // Of another encoding, or none.
    return undefined;
  }
}
