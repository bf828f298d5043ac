import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { MediaContent } from '../call/item.ts';
import type { LossLog } from '../codec/loss-log.ts';

const SEGMENTS: Readonly<Record<MediaContent['kind'], string>> = {
  image: 'image',
  audio: 'audio',
  file: 'application',
};

const REFERENCE_KEYS: Readonly<Record<string, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
};

/** An image, sound or document as a file part; `undefined`, with a loss, for an address that is none. */
export function toFile(
  part: MediaContent,
  path: string,
  losses: LossLog,
): LanguageModelV4FilePart | undefined {
  if (part.detail !== undefined)
    losses.add('dropped', `${path}/detail`, 'info', 'files have no resolution here');
  if (part.extensions !== undefined)
    losses.add('dropped', `${path}/extensions`, 'info', 'members of one protocol have no place here');
  const named = part.name === undefined ? {} : { filename: part.name };
  const { source } = part;
  switch (source.kind) {
    case 'base64':
      return {
        type: 'file',
        mediaType: source.mediaType,
        data: { type: 'data', data: source.data },
        ...named,
      };
    case 'text':
      return {
        type: 'file',
        mediaType: source.mediaType,
        data: { type: 'text', text: source.text },
        ...named,
      };
    case 'file-id':
      return {
        type: 'file',
        mediaType: SEGMENTS[part.kind],
        data: {
          type: 'reference',
          reference: { [REFERENCE_KEYS[source.protocol] ?? source.protocol]: source.id },
        },
        ...named,
      };
    case 'url': {
      if (!URL.canParse(source.url)) {
        losses.add('refused', path, 'error', 'the address of a file is none');
        return undefined;
      }
      const mediaType = source.mediaType ?? SEGMENTS[part.kind];
      return { type: 'file', mediaType, data: { type: 'url', url: new URL(source.url) }, ...named };
    }
  }
}
