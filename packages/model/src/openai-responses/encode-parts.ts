import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ContentPart, ForeignContent, MediaContent, TextContent } from '../call/item.ts';
import { writeDataUrl } from '../codec/data-url.ts';
import { noteEmptyMedia } from '../codec/empty-media.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { foreignText } from '../codec/foreign-text.ts';
import { nameOfFile, registeredSource } from '../codec/inline-file.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { RESPONSES } from './responses-protocol.ts';
import type { InputDetail, InputPart, OutputPart } from './responses-wire.ts';

/** `content` or `output` as written: plain text wherever one text part is all there is. */
export function toContent(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only, second] = parts;
  if (only === undefined) return '';
  const text = only['type'] === 'input_text' ? only['text'] : undefined;
  return second === undefined && typeof text === 'string' && Object.keys(only).length === 2 ? text : parts;
}

/** What a part of something that no model said becomes. A part that cannot be carried leaves a visible trace. */
export function encodeInputPart(given: ContentPart, path: string, losses: LossLog): JsonObject {
  const part = noteEmptyMedia(given, path, losses);
  switch (part.kind) {
    case 'text':
      return {
        ...takeExtensions(RESPONSES, part.extensions, path, losses, { severity: 'info' }),
        ...textPart(part.text),
      };
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
      return { ...takeExtensions(RESPONSES, part.extensions, path, losses, { severity: 'info' }), ...media };
    }
  }
}

/** What a part of an answer becomes. A part that an answer cannot hold leaves a visible trace. */
export function encodeOutputPart(part: ContentPart, path: string, losses: LossLog): JsonObject {
  if (part.kind === 'text') return encodeOutputText(part, path, losses);
  if (part.kind === 'refusal') return { type: 'refusal', refusal: part.text } satisfies OutputPart;
  if (part.kind === 'foreign' && part.protocol === RESPONSES && isJsonObject(part.value)) return part.value;
  const { text } = leftOut(part.kind === 'foreign' ? 'content' : part.kind, path, losses);
  return { type: 'output_text', text, annotations: [] } satisfies OutputPart;
}

function encodeOutputText({ text, extensions }: TextContent, path: string, losses: LossLog): JsonObject {
  const written: OutputPart = { type: 'output_text', text, annotations: [] };
  return {
    ...written,
    ...takeExtensions(RESPONSES, extensions, path, losses, { severity: 'info' }),
    type: 'output_text',
    text,
  };
}

/** A text part of an input. */
export function textPart(text: string): InputPart & { readonly type: 'input_text' } {
  return { type: 'input_text', text };
}

function encodeForeign(part: ForeignContent, path: string, losses: LossLog): JsonObject {
  if (part.protocol === RESPONSES && isJsonObject(part.value)) return part.value;
  const text = foreignText(part);
  if (text === undefined) return leftOut('content', path, losses);
  losses.add('approximated', path, 'warning', 'a part of another protocol is written as text');
  return textPart(text);
}

function leftOut(what: string, path: string, losses: LossLog): ReturnType<typeof textPart> {
  losses.add('dropped', path, 'error', 'a part without a form in this protocol; a note stands in its place');
  return textPart(`[${what} left out: this protocol cannot carry it]`);
}

function encodeMedia(part: MediaContent, path: string, losses: LossLog): InputPart | undefined {
  const { kind } = part;
  if (kind === 'audio') return undefined;
  const source = part.source.kind === 'base64' ? registeredSource(part.source, path, losses) : part.source;
  if (source.kind === 'text') {
    if (kind !== 'file') return undefined;
    losses.add('approximated', path, 'warning', 'a text document is written as a text part');
    return textPart(source.text);
  }
  if (source.kind === 'file-id') {
    if (source.protocol !== RESPONSES && source.protocol !== 'openai-chat') return undefined;
    if (source.protocol !== RESPONSES)
      losses.add('relocated', path, 'info', 'both OpenAI protocols share their files');
  }
  if (source.kind === 'url' && source.mediaType !== undefined) {
    losses.add('dropped', `${path}/source/mediaType`, 'info', 'an address has no media type here');
  }
  if (kind === 'image') return encodeImage(part, source, path, losses);
  if (part.detail !== undefined)
    losses.add('dropped', `${path}/detail`, 'info', 'only images have a resolution hint here');
  const name = part.name === undefined ? {} : { filename: part.name };
  if (source.kind === 'url') return { type: 'input_file', file_url: source.url, ...name };
  if (source.kind === 'file-id') return { type: 'input_file', file_id: source.id, ...name };
  const filename = part.name ?? nameOfFile(source, path, losses);
  return { type: 'input_file', file_data: writeDataUrl(source), filename };
}

function encodeImage(
  part: MediaContent,
  source: Exclude<MediaContent['source'], { readonly kind: 'text' }>,
  path: string,
  losses: LossLog,
): InputPart {
  if (part.name !== undefined) losses.add('dropped', `${path}/name`, 'info', 'only files have names here');
  const { detail = 'auto' } = part;
  const known = isDetail(detail);
  if (!known || part.detail === 'auto') {
    losses.add(
      'dropped',
      `${path}/detail`,
      'info',
      'a resolution hint that this protocol does not know or need',
    );
  }
  const head = { type: 'input_image', detail: known ? detail : 'auto' } as const;
  if (source.kind === 'file-id') return { ...head, file_id: source.id };
  return { ...head, image_url: source.kind === 'url' ? source.url : writeDataUrl(source) };
}

function isDetail(detail: string): detail is InputDetail {
  return detail === 'auto' || detail === 'low' || detail === 'high' || detail === 'original';
}
