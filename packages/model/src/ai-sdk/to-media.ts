import type { LanguageModelV4File } from '@ai-sdk/provider';
import type { MediaContent } from '../call/item.ts';
import { toBase64 } from '../codec/base64.ts';

/** A generated file as a part of a message. */
export function toMedia({ mediaType, data }: LanguageModelV4File): MediaContent {
  const [segment] = mediaType.split('/');
  const kind = segment === 'image' || segment === 'audio' ? segment : 'file';
  if (data.type === 'url')
    return { kind, source: { kind: 'url', url: data.originalUrl ?? data.url.href, mediaType } };
  const base64 = typeof data.data === 'string' ? data.data : toBase64(data.data);
  return { kind, source: { kind: 'base64', mediaType, data: base64 } };
}
