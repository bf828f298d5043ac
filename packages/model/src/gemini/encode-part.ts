import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ContentPart, ForeignContent, MediaContent, ReasoningItem, ToolCallItem } from '../call/item.ts';
import { noteEmptyMedia } from '../codec/empty-media.ts';
import { takeExtensions, withNested } from '../codec/extensions.ts';
import { foreignText } from '../codec/foreign-text.ts';
import { registeredSource } from '../codec/inline-file.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { textOf } from '../codec/wire-reader.ts';
import { type CallForm, NEWEST_FORM } from './call-form.ts';
import { isSyntheticId } from './call-ids.ts';
import { GEMINI } from './gemini-protocol.ts';
import type { GeminiCall, GeminiPart } from './gemini-wire.ts';

/** The part for a piece of a message, or none. */
export function encodePart(given: ContentPart, path: string, losses: LossLog): readonly JsonObject[] {
  const part = noteEmptyMedia(given, path, losses);
  switch (part.kind) {
    case 'text':
      return [
        { ...takeExtensions(GEMINI, part.extensions, path, losses, { severity: 'info' }), text: part.text },
      ];
    case 'refusal':
      losses.add('approximated', path, 'warning', 'a refusal is written as text here');
      return [{ text: part.text }];
    case 'foreign':
      return encodeForeign(part, path, losses);
    case 'image':
    case 'audio':
    case 'file': {
      const media = encodeMedia(part, path, losses);
      if (media === undefined) return leftOut(part.kind, path, losses);
      const members = takeExtensions(GEMINI, part.extensions, path, losses, { severity: 'info' });
      return [withNested(members, 'inlineData' in media ? 'inlineData' : 'fileData', media)];
    }
  }
}

function encodeForeign(part: ForeignContent, path: string, losses: LossLog): readonly JsonObject[] {
  if (part.protocol === GEMINI && isJsonObject(part.value)) return [part.value];
  const text = foreignText(part);
  if (text === undefined) return leftOut('content', path, losses);
  losses.add('approximated', path, 'warning', 'a part of another protocol is written as text');
  return [{ text }];
}

function leftOut(what: string, path: string, losses: LossLog): readonly JsonObject[] {
  losses.add('dropped', path, 'error', 'a part without a form in this protocol; a note stands in its place');
  return [{ text: `[${what} left out: this protocol cannot carry it]` }];
}

function encodeMedia(part: MediaContent, path: string, losses: LossLog): GeminiPart | undefined {
  const { name, detail, kind, extensions } = part;
  const source = part.source.kind === 'base64' ? registeredSource(part.source, path, losses) : part.source;
  if (name !== undefined) losses.add('dropped', `${path}/name`, 'info', 'media have no names here');
  if (detail !== undefined) losses.add('dropped', `${path}/detail`, 'info', 'no resolution hints here');
  switch (source.kind) {
    case 'base64':
      noteKind(kind, source.mediaType, path, losses);
      return { inlineData: { mimeType: source.mediaType, data: source.data } };
    case 'url': {
      const mimeType = source.mediaType ?? typeOfUrl(source.url);
      if (mimeType === undefined) {
        losses.add('approximated', path, 'warning', 'an address without a media type may be refused here');
      } else if (source.mediaType === undefined) {
        losses.add(
          'synthesised',
          `${path}/source/mediaType`,
          'info',
          'the media type is what the address ends with',
        );
      }
      noteKind(kind, mimeType ?? '', path, losses);
      return { fileData: { fileUri: source.url, ...(mimeType === undefined ? {} : { mimeType }) } };
    }
    case 'file-id': {
      if (source.protocol !== GEMINI) return undefined;
      const kept = extensions?.protocol === GEMINI ? extensions.members['fileData'] : undefined;
      const mimeType = isJsonObject(kept) ? textOf(kept, 'mimeType') : undefined;
      noteKind(kind, mimeType ?? '', path, losses);
      return { fileData: { fileUri: source.id, ...(mimeType === undefined ? {} : { mimeType }) } };
    }
    case 'text':
      losses.add('approximated', path, 'warning', 'a text document is written as a text part');
      return { text: source.text };
  }
}

const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['gif', 'image/gif'],
  ['jpeg', 'image/jpeg'],
  ['jpg', 'image/jpeg'],
  ['mp3', 'audio/mpeg'],
  ['pdf', 'application/pdf'],
  ['png', 'image/png'],
  ['wav', 'audio/wav'],
  ['webp', 'image/webp'],
]);

function typeOfUrl(url: string): string | undefined {
  const ending = /\.([a-z0-9]{3,4})(?:[?#]|$)/i.exec(url)?.[1];
  return ending === undefined ? undefined : ENDINGS.get(ending.toLowerCase());
}

/** The media type says here whether something is an image, a sound or a file. */
function noteKind(kind: MediaContent['kind'], mediaType: string, path: string, losses: LossLog): void {
  const said = mediaType.startsWith('image/') ? 'image' : mediaType.startsWith('audio/') ? 'audio' : 'file';
  if (said !== kind)
    losses.add('approximated', `${path}/kind`, 'info', 'the media type says what it is here');
}

/** The part of a thought of this protocol, or none for a thought of another route. */
export function encodeReasoning(item: ReasoningItem, path: string, losses: LossLog): readonly JsonObject[] {
  const { opaque, text, summary, id, extensions } = item;
  const isOwn = opaque === undefined ? extensions?.protocol === GEMINI : opaque.protocol === GEMINI;
  if (!isOwn) {
    losses.add('dropped', path, 'warning', 'reasoning of another route is not replayed');
    return [];
  }
  if (id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'thoughts have no ids here');
  if (summary !== undefined) losses.add('dropped', `${path}/summary`, 'info', 'a thought has one text here');
  if (text === '')
    losses.add('approximated', `${path}/text`, 'info', 'empty text and none are the same here');
  const members = takeExtensions(GEMINI, extensions, path, losses, { severity: 'info' });
  return [
    {
      ...members,
      text: text ?? '',
      thought: true,
      ...(opaque === undefined ? {} : { thoughtSignature: opaque.value }),
    },
  ];
}

/** The part of a call. An id that only stands for a missing one is not written, nor one where the model knows none. */
export function encodeCall(
  item: ToolCallItem,
  args: JsonObject,
  path: string,
  losses: LossLog,
  { ids }: Pick<CallForm, 'ids'> = NEWEST_FORM,
): JsonObject {
  const { callId, name, id, signature, extensions } = item;
  if (id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'calls have no item ids here');
  const own = signature?.protocol === GEMINI ? { thoughtSignature: signature.value } : {};
  if (signature !== undefined && signature.protocol !== GEMINI) {
    losses.add(
      'dropped',
      `${path}/signature`,
      'warning',
      'a thought signature of another route is not replayed',
    );
  }
  const isGiven = !isSyntheticId(callId);
  if (isGiven && !ids)
    losses.add('dropped', `${path}/callId`, 'info', 'the model pairs results with calls by their order');
  const functionCall: GeminiCall = { ...(isGiven && ids ? { id: callId } : {}), name, args };
  const members = takeExtensions(GEMINI, extensions, path, losses, { severity: 'info' });
  return withNested(members, 'functionCall', { functionCall, ...own } satisfies GeminiPart);
}
