import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ContentPart, MediaContent, TextContent } from '../call/item.ts';
import { audioType } from '../codec/audio-format.ts';
import { compact } from '../codec/compact.ts';
import { readDataUrl } from '../codec/data-url.ts';
import { keepFilled, keepUnread } from '../codec/extensions.ts';
import { memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import { RESPONSES } from './responses-protocol.ts';

const READ_TEXT = new Set(['type', 'text']);
const READ_IMAGE = new Set(['type', 'image_url', 'file_id', 'detail']);
const READ_FILE = new Set(['type', 'file_data', 'file_url', 'file_id', 'filename']);

/** The parts of a `content` or `output` member: text, or a list. Parts without a neutral form stay foreign. */
export function decodeParts(reader: WireReader, content: JsonValue, pointer: string): readonly ContentPart[] {
  if (typeof content === 'string')
    return Object.freeze([compact<ContentPart>({ kind: 'text', text: content })]);
  const parts = reader.parts(content, pointer);
  return Object.freeze(parts.map((part, index) => decodePart(reader.object(part, `${pointer}/${index}`))));
}

/** One part of an input, an output or a tool's result. */
export function decodePart(part: JsonObject): ContentPart {
  return knownPart(part) ?? Object.freeze({ kind: 'foreign', protocol: RESPONSES, value: freezeJson(part) });
}

function knownPart(part: JsonObject): ContentPart | undefined {
  switch (textOf(part, 'type') ?? '') {
    case 'input_text':
    case 'output_text':
    // Some clients write the Chat word.
    case 'text': {
      const text = textOf(part, 'text');
      return text === undefined
        ? undefined
        : compact<TextContent>({ kind: 'text', text, extensions: textExtensions(part) });
    }
    case 'refusal': {
      const text = textOf(part, 'refusal');
      return text === undefined ? undefined : Object.freeze({ kind: 'refusal', text });
    }
    case 'input_image':
      return decodeImage(part);
    case 'input_file':
      return decodeFile(part);
    case 'input_audio':
      return decodeAudio(part);
    default:
      return undefined;
  }
}

/** What a text part says besides its text; empty lists, which the wire always writes, say nothing. */
export function textExtensions(part: JsonObject): Extensions | undefined {
  return keepFilled(RESPONSES, part, READ_TEXT);
}

function decodeImage(part: JsonObject): MediaContent | undefined {
  const url = textOf(part, 'image_url');
  const id = textOf(part, 'file_id');
  const source =
    url !== undefined ? (readDataUrl(url) ?? Object.freeze({ kind: 'url' as const, url })) : fileSource(id);
  if (source === undefined) return undefined;
  const detail = textOf(part, 'detail');
  return compact<MediaContent>({
    kind: 'image',
    source,
    // `auto` is what the wire wants written where nothing is meant.
    detail: detail === 'auto' ? undefined : detail,
    extensions: keepUnread(RESPONSES, part, READ_IMAGE),
  });
}

function decodeFile(part: JsonObject): MediaContent | undefined {
  const url = textOf(part, 'file_url');
  const data = textOf(part, 'file_data');
  const source =
    fileSource(textOf(part, 'file_id')) ??
    (url !== undefined
      ? Object.freeze({ kind: 'url' as const, url })
      : data === undefined
        ? undefined
        : readDataUrl(data));
  if (source === undefined) return undefined;
  return compact<MediaContent>({
    kind: 'file',
    source,
    name: textOf(part, 'filename'),
    extensions: keepUnread(RESPONSES, part, READ_FILE),
  });
}

function decodeAudio(part: JsonObject): MediaContent | undefined {
  const audio = memberOf(part, 'input_audio');
  if (!isJsonObject(audio)) return undefined;
  const data = textOf(audio, 'data');
  const format = textOf(audio, 'format');
  if (data === undefined || format === undefined) return undefined;
  return Object.freeze({
    kind: 'audio',
    source: Object.freeze({ kind: 'base64', mediaType: audioType(format), data }),
  });
}

function fileSource(id: string | undefined): MediaContent['source'] | undefined {
  return id === undefined ? undefined : Object.freeze({ kind: 'file-id', protocol: RESPONSES, id });
}
