import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ContentPart, MediaContent } from '../call/item.ts';
import { compact } from '../codec/compact.ts';
import { keepUnread } from '../codec/extensions.ts';
import { memberOf, textOf, unreadMembers, type WireReader } from '../codec/wire-reader.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';

const READ_TEXT = new Set(['type', 'text']);
const READ_IMAGE = new Set(['type', 'source']);
const READ_DOCUMENT = new Set(['type', 'source', 'title']);

/** The parts of a `content` member: text, or a list of blocks. Blocks without a neutral form stay foreign. */
export function decodeContent(
  reader: WireReader,
  content: JsonValue,
  pointer: string,
): readonly ContentPart[] {
  if (typeof content === 'string') return Object.freeze([Object.freeze({ kind: 'text', text: content })]);
  const blocks = reader.parts(content, pointer);
  return Object.freeze(blocks.map((block, index) => decodePart(reader.object(block, `${pointer}/${index}`))));
}

/** One block as a part. */
export function decodePart(block: JsonObject): ContentPart {
  return (
    knownPart(block) ?? Object.freeze({ kind: 'foreign', protocol: ANTHROPIC, value: freezeJson(block) })
  );
}

function knownPart(block: JsonObject): ContentPart | undefined {
  switch (textOf(block, 'type') ?? '') {
    case 'text': {
      const text = textOf(block, 'text');
      return text === undefined ? undefined : textPart(text, keepUnread(ANTHROPIC, block, READ_TEXT));
    }
    case 'image':
      return decodeMedia('image', block, undefined, keepUnread(ANTHROPIC, block, READ_IMAGE));
    case 'document': {
      const title = memberOf(block, 'title');
      if (title === null)
        return decodeMedia('file', block, undefined, keepUnread(ANTHROPIC, block, READ_IMAGE));
      return decodeMedia('file', block, textOf(block, 'title'), keepUnread(ANTHROPIC, block, READ_DOCUMENT));
    }
    default:
      return undefined;
  }
}

/** A text part. */
export function textPart(text: string, extensions: Extensions | undefined): ContentPart {
  return compact<ContentPart & { readonly kind: 'text' }>({ kind: 'text', text, extensions });
}

function decodeMedia(
  kind: 'image' | 'file',
  block: JsonObject,
  name: string | undefined,
  extensions: Extensions | undefined,
): MediaContent | undefined {
  const source = decodeSource(memberOf(block, 'source'));
  return source && compact<MediaContent>({ kind, source, name, extensions });
}

const SOURCES: Readonly<Record<string, ReadonlySet<string>>> = {
  base64: new Set(['type', 'media_type', 'data']),
  text: new Set(['type', 'media_type', 'data']),
  url: new Set(['type', 'url']),
  file: new Set(['type', 'file_id']),
};

/** `undefined` for a source with another form, or with more in it than a neutral source can hold. */
function decodeSource(source: JsonValue | undefined): MediaContent['source'] | undefined {
  if (!isJsonObject(source)) return undefined;
  const type = textOf(source, 'type');
  const read = type !== undefined && Object.hasOwn(SOURCES, type) ? SOURCES[type] : undefined;
  if (read === undefined || unreadMembers(source, read) !== undefined) return undefined;
  const mediaType = textOf(source, 'media_type');
  const data = textOf(source, 'data');
  const url = textOf(source, 'url');
  const id = textOf(source, 'file_id');
  if (type === 'url') return url === undefined ? undefined : Object.freeze({ kind: 'url', url });
  if (type === 'file')
    return id === undefined ? undefined : Object.freeze({ kind: 'file-id', protocol: ANTHROPIC, id });
  if (mediaType === undefined || data === undefined) return undefined;
  return Object.freeze(
    type === 'text' ? { kind: 'text', mediaType, text: data } : { kind: 'base64', mediaType, data },
  );
}
