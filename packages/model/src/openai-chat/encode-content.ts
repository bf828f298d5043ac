import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ContentPart, ForeignContent, MediaContent } from '../call/item.ts';
import { audioFormat } from '../codec/audio-format.ts';
import { type Base64Source, writeDataUrl } from '../codec/data-url.ts';
import { noteEmptyMedia } from '../codec/empty-media.ts';
import { takeExtensions, withNested } from '../codec/extensions.ts';
import { foreignText } from '../codec/foreign-text.ts';
import { nameOfFile, registeredSource, textOfFile } from '../codec/inline-file.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { CHAT } from './chat-protocol.ts';
import type { ChatAssistantPart, ChatPart, ChatTextPart } from './chat-wire.ts';

/** A part as written: known members, and whatever its extensions bring along. */
export type WrittenPart = ChatPart | ChatAssistantPart | JsonObject;

/** `content` as written: plain text wherever one text part is all there is, as every server accepts that. */
export function toContent<Part extends WrittenPart>(parts: readonly Part[]): string | readonly Part[] {
  const [only, second] = parts;
  if (only === undefined) return '';
  return second === undefined && isPlainText(only) ? only.text : parts;
}

/** Whether a part is text and nothing else. */
export function isPlainText(part: WrittenPart): part is ChatTextPart {
  return 'type' in part && part.type === 'text' && Object.keys(part).length === 2;
}

/** What a part of a user message becomes. A part that cannot be carried leaves a visible trace. */
export function encodeUserPart(given: ContentPart, path: string, losses: LossLog): WrittenPart {
  const part = noteEmptyMedia(given, path, losses);
  switch (part.kind) {
    case 'text':
      return encodeText(part, path, losses);
    case 'refusal':
      losses.add('approximated', path, 'warning', 'a refusal outside of an answer is written as text');
      return textPart(part.text);
    case 'foreign':
      return encodeForeign(part, path, losses);
    case 'image':
    case 'audio':
    case 'file': {
      const media = encodeMedia(part, path, losses);
      if (media === undefined) return leftOut(part.kind, path, losses);
      const members = takeExtensions(CHAT, part.extensions, path, losses, { severity: 'info' });
      return withNested(members, media.type, media);
    }
  }
}

/** What a part of an assistant message becomes; only text and refusals have a form there. */
export function encodeAssistantPart(part: ContentPart, path: string, losses: LossLog): WrittenPart {
  if (part.kind === 'text') return encodeText(part, path, losses);
  if (part.kind === 'refusal') return { type: 'refusal', refusal: part.text };
  if (part.kind === 'foreign') return encodeForeign(part, path, losses);
  return leftOut(part.kind, path, losses);
}

/** What a part of a system, developer or tool message becomes; only text has a form there. */
export function encodeTextOnly(part: ContentPart, path: string, losses: LossLog): WrittenPart {
  if (part.kind === 'text') return encodeText(part, path, losses);
  if (part.kind === 'refusal') return encodeUserPart(part, path, losses);
  if (part.kind === 'foreign') return encodeForeign(part, path, losses);
  return leftOut(part.kind, path, losses);
}

/** A text part without anything else. */
export function textPart(text: string): ChatTextPart {
  return { type: 'text', text };
}

function encodeText(
  part: ContentPart & { readonly kind: 'text' },
  path: string,
  losses: LossLog,
): WrittenPart {
  const members = takeExtensions(CHAT, part.extensions, path, losses, { severity: 'info' });
  return { ...members, ...textPart(part.text) };
}

function encodeForeign(part: ForeignContent, path: string, losses: LossLog): WrittenPart {
  if (part.protocol === CHAT && isJsonObject(part.value)) return part.value;
  const text = foreignText(part);
  if (text === undefined) return leftOut('content', path, losses);
  losses.add('approximated', path, 'warning', 'a part of another protocol is written as text');
  return textPart(text);
}

function leftOut(what: string, path: string, losses: LossLog): ChatTextPart {
  losses.add('dropped', path, 'error', 'a part without a form in this protocol; a note stands in its place');
  return textPart(`[${what} left out: this protocol cannot carry it]`);
}

const DETAILS: ReadonlySet<string> = new Set(['auto', 'low', 'high']);

/** A media part, or `undefined` where this protocol has no form for its kind and source. */
export function encodeMedia(part: MediaContent, path: string, losses: LossLog): ChatPart | undefined {
  const source = part.source.kind === 'base64' ? registeredSource(part.source, path, losses) : part.source;
  if (part.kind === 'image' && (source.kind === 'base64' || source.kind === 'url')) {
    const url = source.kind === 'url' ? source.url : writeDataUrl(source);
    noteUnused(part, path, losses);
    return { type: 'image_url', image_url: { url, ...detailOf(part, path, losses) } };
  }
  if (part.kind === 'audio' && source.kind === 'base64') {
    const format = audioFormat(source.mediaType);
    if (format === undefined) return undefined;
    noteUnused(part, path, losses);
    return { type: 'input_audio', input_audio: { data: source.data, format } };
  }
  if (part.kind !== 'file') return undefined;
  if (source.kind === 'base64') return encodeFile(part.name, source, path, losses);
  const name = part.name === undefined ? {} : { filename: part.name };
  if (source.kind === 'file-id' && (source.protocol === CHAT || source.protocol === 'openai-responses')) {
    if (source.protocol !== CHAT)
      losses.add('relocated', path, 'info', 'both OpenAI protocols share their files');
    return { type: 'file', file: { file_id: source.id, ...name } };
  }
  if (source.kind !== 'text') return undefined;
  losses.add('approximated', path, 'warning', 'a text document is written as a text part');
  return textPart(source.text);
}

/** An inline file. Of files of text, the API wants the text itself. */
function encodeFile(name: string | undefined, source: Base64Source, path: string, losses: LossLog): ChatPart {
  const text = textOfFile(source);
  if (text === undefined)
    return {
      type: 'file',
      file: { file_data: writeDataUrl(source), filename: name ?? nameOfFile(source, path, losses) },
    };
  losses.add('approximated', path, 'warning', 'a text document is written as a text part');
  return textPart(text);
}

function detailOf(
  part: MediaContent,
  path: string,
  losses: LossLog,
): { readonly detail?: 'auto' | 'low' | 'high' } {
  const { detail } = part;
  if (detail === undefined) return {};
  if (isDetail(detail)) return { detail };
  losses.add('dropped', `${path}/detail`, 'info', 'a resolution hint that this protocol does not know');
  return {};
}

function isDetail(detail: string): detail is 'auto' | 'low' | 'high' {
  return DETAILS.has(detail);
}

function noteUnused(part: MediaContent, path: string, losses: LossLog): void {
  if (part.name !== undefined) losses.add('dropped', `${path}/name`, 'info', 'only files have names here');
  if (part.source.kind === 'url' && part.source.mediaType !== undefined) {
    losses.add('dropped', `${path}/source/mediaType`, 'info', 'an address has no media type here');
  }
}
