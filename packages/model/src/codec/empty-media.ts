import type { ContentPart, MediaContent } from '../call/item.ts';
import type { LossLog } from './loss-log.ts';

/**
 * A picture, sound or file without content as a text that says so, and any other part as it is. Every provider refuses an empty
 * one, and each later request with it in the history.
 *
 * @param path - Pointer of the part.
 */
export function noteEmptyMedia(part: ContentPart, path: string, losses: LossLog): ContentPart {
  if (part.kind !== 'image' && part.kind !== 'audio' && part.kind !== 'file') return part;
  if (!isEmpty(part.source)) return part;
  losses.add('dropped', path, 'error', 'a part without content; a note stands in its place');
  return { kind: 'text', text: `[${part.kind} left out: it is empty]` };
}

function isEmpty(source: MediaContent['source']): boolean {
  switch (source.kind) {
    case 'base64':
      return !/[^\s=]/.test(source.data);
    case 'text':
      return !/\S/.test(source.text);
    case 'url':
      return source.url === '';
    case 'file-id':
      return source.id === '';
  }
}
