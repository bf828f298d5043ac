import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ContentPart, MediaContent } from '../call/item.ts';
import { audioType } from '../codec/audio-format.ts';
import { compact } from '../codec/compact.ts';
import { readDataUrl } from '../codec/data-url.ts';
import { keepUnread, keepUnreadNested } from '../codec/extensions.ts';
import { memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';

import { CHAT } from './chat-protocol.ts';

const READ_TEXT = new Set(['type', 'text']);
const READ = {
  image_url: new Set(['url', 'detail']),
  input_audio: new Set(['data', 'format']),
  file: new Set(['file_id', 'file_data', 'filename']),
};

function keep(part: JsonObject, name: keyof typeof READ): Extensions | undefined {
  const inner = memberOf(part, name);
  const object = isJsonObject(inner) ? inner : {};
  return keepUnreadNested(CHAT, part, new Set(['type', name]), { name, object, read: READ[name] });
}

/** The parts of a `content` member: text, or a list of parts. Parts without a neutral form stay foreign. */
export function decodeContent(
  reader: WireReader,
  content: JsonValue,
  pointer: string,
): readonly ContentPart[] {
  if (typeof content === 'string') return Object.freeze([Object.freeze({ kind: 'text', text: content })]);
  const parts = reader.parts(content, pointer);
  return Object.freeze(parts.map((part, index) => decodePart(reader.object(part, `${pointer}/${index}`))));
}

function decodePart(part: JsonObject): ContentPart {
  return knownPart(part) ?? Object.freeze({ kind: 'foreign', protocol: CHAT, value: freezeJson(part) });
}

/** The neutral form, or `undefined` where the part has a form that this codec does not know. */
function knownPart(part: JsonObject): ContentPart | undefined {
  switch (textOf(part, 'type') ?? '') {
    case 'text': {
      const text = textOf(part, 'text');
      if (text === undefined) return undefined;
      return compact<ContentPart>({ kind: 'text', text, extensions: keepUnread(CHAT, part, READ_TEXT) });
    }
    case 'refusal': {
      const text = textOf(part, 'refusal');
      return text === undefined ? undefined : Object.freeze({ kind: 'refusal', text });
    }
    case 'image_url':
      return decodeImage(part);
    case 'input_audio':
      return decodeAudio(part);
    case 'file':
      return decodeFile(part);
    default:
      return undefined;
  }
}

/** A picture, or `undefined` for a part that names none. */
export function decodeImage(part: JsonObject): MediaContent | undefined {
  const image = memberOf(part, 'image_url');
  // Some clients write the address without the object around it.
  const url = typeof image === 'string' ? image : isJsonObject(image) ? textOf(image, 'url') : undefined;
  if (url === undefined) return undefined;
  return compact<MediaContent>({
    kind: 'image',
    source: readDataUrl(url) ?? Object.freeze({ kind: 'url', url }),
    detail: isJsonObject(image) ? textOf(image, 'detail') : undefined,
    extensions: keep(part, 'image_url'),
  });
}

function decodeAudio(part: JsonObject): MediaContent | undefined {
  const audio = memberOf(part, 'input_audio');
  if (!isJsonObject(audio)) return undefined;
  const data = textOf(audio, 'data');
  const format = textOf(audio, 'format');
  if (data === undefined || format === undefined) return undefined;
  return compact<MediaContent>({
    kind: 'audio',
    source: Object.freeze({ kind: 'base64', mediaType: audioType(format), data }),
    extensions: keep(part, 'input_audio'),
  });
}

function decodeFile(part: JsonObject): MediaContent | undefined {
  const file = memberOf(part, 'file');
  if (!isJsonObject(file)) return undefined;
  const id = textOf(file, 'file_id');
  const data = textOf(file, 'file_data');
  const source =
    id !== undefined
      ? Object.freeze({ kind: 'file-id' as const, protocol: CHAT, id })
      : data === undefined
        ? undefined
        : readDataUrl(data);
  if (source === undefined) return undefined;
  return compact<MediaContent>({
    kind: 'file',
    source,
    name: textOf(file, 'filename'),
    extensions: keep(part, 'file'),
  });
}
