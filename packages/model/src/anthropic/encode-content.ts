import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ContentPart, MediaContent, TextContent } from '../call/item.ts';
import type { Base64Source } from '../codec/data-url.ts';
import { noteEmptyMedia } from '../codec/empty-media.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { registeredSource, textOfFile } from '../codec/inline-file.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { CACHE_MARKS_OF_CHAT } from '../codec/shared-members.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import type { AnthropicContent, AnthropicImageType } from './anthropic-wire.ts';

/**
 * The blocks of parts in a user message or a result. Blank text is left out, because the API refuses it; a part without
 * a form here leaves a visible note.
 */
export function encodeParts(
  parts: readonly ContentPart[],
  path: string,
  losses: LossLog,
): readonly JsonObject[] {
  return parts.flatMap((part, index) => encodePart(part, `${path}/parts/${index}`, losses));
}

/** The block of one part, or none. */
export function encodePart(given: ContentPart, path: string, losses: LossLog): readonly JsonObject[] {
  const part = noteEmptyMedia(given, path, losses);
  return isBlank(part, path, losses) ? [] : encodeAnyPart(part, path, losses);
}

/** The block of one part that a model said in a past turn, or none. */
export function encodePastPart(part: ContentPart, path: string, losses: LossLog): readonly JsonObject[] {
  return isBlank(part, path, losses) ? [] : encodeAnswerPart(part, path, losses);
}

function isBlank(part: ContentPart, path: string, losses: LossLog): boolean {
  const blank = (part.kind === 'text' || part.kind === 'refusal') && part.text.trim() === '';
  if (blank) losses.add('dropped', path, 'info', 'the API refuses blank text');
  return blank;
}

/** The block of one part that a model said; blank text may stand, and no picture, sound or document. */
export function encodeAnswerPart(part: ContentPart, path: string, losses: LossLog): readonly JsonObject[] {
  return part.kind === 'image' || part.kind === 'audio' || part.kind === 'file'
    ? leftOut(part.kind, path, losses)
    : encodeAnyPart(part, path, losses);
}

function encodeAnyPart(part: ContentPart, path: string, losses: LossLog): readonly JsonObject[] {
  switch (part.kind) {
    case 'text':
      return encodeText(part, path, losses);
    case 'refusal':
      losses.add('approximated', path, 'warning', 'a refusal is written as text here');
      return encodeText({ kind: 'text', text: part.text }, path, losses);
    case 'foreign':
      return part.protocol === ANTHROPIC && isJsonObject(part.value)
        ? [part.value]
        : leftOut('content', path, losses);
    case 'image':
    case 'audio':
    case 'file': {
      const media = encodeMedia(part, path, losses);
      if (media === undefined) return leftOut(part.kind, path, losses);
      const members = takeExtensions(ANTHROPIC, part.extensions, path, losses, {
        severity: 'info',
        shared: CACHE_MARKS_OF_CHAT,
      });
      return [{ ...members, ...media }];
    }
  }
}

function encodeText(part: TextContent, path: string, losses: LossLog): readonly JsonObject[] {
  const members = takeExtensions(ANTHROPIC, part.extensions, path, losses, {
    severity: 'info',
    shared: CACHE_MARKS_OF_CHAT,
  });
  return [{ ...members, type: 'text', text: part.text }];
}

function leftOut(what: string, path: string, losses: LossLog): readonly JsonObject[] {
  losses.add('dropped', path, 'error', 'a part without a form in this protocol; a note stands in its place');
  return [{ type: 'text', text: `[${what} left out: this protocol cannot carry it]` }];
}

function encodeMedia(part: MediaContent, path: string, losses: LossLog): AnthropicContent | undefined {
  const { kind, name, detail } = part;
  if (kind === 'audio') return undefined;
  const source = part.source.kind === 'base64' ? registeredSource(part.source, path, losses) : part.source;
  if (detail !== undefined) losses.add('dropped', `${path}/detail`, 'info', 'no resolution hints here');
  if (source.kind === 'url' && source.mediaType !== undefined) {
    losses.add('dropped', `${path}/source/mediaType`, 'info', 'an address has no media type here');
  }
  if (kind === 'image') {
    if (name !== undefined) losses.add('dropped', `${path}/name`, 'info', 'only documents have names here');
    return encodeImage(source);
  }
  const title = name === undefined ? {} : { title: name };
  switch (source.kind) {
    case 'url':
      return { type: 'document', source: { type: 'url', url: source.url }, ...title };
    case 'file-id':
      if (source.protocol !== ANTHROPIC) return undefined;
      return { type: 'document', source: { type: 'file', file_id: source.id }, ...title };
    case 'text':
      if (source.mediaType !== 'text/plain') {
        losses.add(
          'approximated',
          `${path}/source/mediaType`,
          'info',
          'every text document is plain text here',
        );
      }
      return {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: source.text },
        ...title,
      };
    case 'base64':
      if (source.mediaType !== 'application/pdf') return encodeTextFile(source, title, path, losses);
      return {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data: source.data },
        ...title,
      };
  }
}

/** A file of text as a text document: of what is encoded, the API takes PDF alone. */
function encodeTextFile(
  source: Base64Source,
  title: { readonly title?: string },
  path: string,
  losses: LossLog,
): AnthropicContent | undefined {
  const text = textOfFile(source);
  if (text === undefined || text.trim() === '') return undefined;
  losses.add('approximated', `${path}/source`, 'info', 'every text document is plain text here');
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);

function isImageType(mediaType: string): mediaType is AnthropicImageType {
  return IMAGE_TYPES.has(mediaType);
}

function encodeImage(source: MediaContent['source']): AnthropicContent | undefined {
  switch (source.kind) {
    case 'url':
      return { type: 'image', source: { type: 'url', url: source.url } };
    case 'file-id':
      if (source.protocol !== ANTHROPIC) return undefined;
      return { type: 'image', source: { type: 'file', file_id: source.id } };
    case 'base64':
      if (!isImageType(source.mediaType)) return undefined;
      return { type: 'image', source: { type: 'base64', media_type: source.mediaType, data: source.data } };
    case 'text':
      return undefined;
  }
}
