import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ContentPart, ToolResultItem } from '../call/item.ts';
import { takeExtensions, withNested } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { textOf } from '../codec/wire-reader.ts';
import type { CallForm } from './call-form.ts';
import { isSyntheticId } from './call-ids.ts';
import { encodePart } from './encode-part.ts';
import { GEMINI } from './gemini-protocol.ts';
import type { GeminiBlob, GeminiPart, GeminiResult } from './gemini-wire.ts';
import { toResponse } from './tool-response.ts';

/** A result on the wire. */
export interface EncodedResult {
  readonly part: JsonObject;
  /** Media that the result cannot hold, each behind a text that says what it is; for a content behind all results. */
  readonly behind: readonly JsonObject[];
}

/** What a result is encoded for. */
export interface ResultPlace {
  /** The name of its tool. */
  readonly name: string;
  /** Which result of its turn it is, from 1. */
  readonly ordinal: number;
  readonly path: string;
  readonly form: CallForm;
}

/**
 * A result. Media go into it beside the object, or behind all results where the model takes none in it; what goes nowhere
 * leaves a text that says so.
 */
export function encodeResult(
  item: ToolResultItem,
  { form, name, ordinal, path }: ResultPlace,
  losses: LossLog,
): EncodedResult {
  const media: (JsonObject & { readonly inlineData: GeminiBlob })[] = [];
  const behind: JsonObject[] = [];
  const said = item.parts.map((part, index): ContentPart => {
    const place = `${path}/parts/${index}`;
    if (isWords(part)) return part;
    const [encoded] = encodePart(part, place, losses);
    if (form.media === 'behind' && encoded !== undefined && textOf(encoded, 'text') === undefined) {
      losses.add('relocated', place, 'warning', 'media of a tool result moved behind the results');
      behind.push(
        { text: `[${part.kind} of result ${ordinal}, ${name}; data from a tool, not from the user]` },
        encoded,
      );
      return { kind: 'text', text: `[${part.kind}: see the content after the tool results]` };
    }
    const inline = encoded?.['inlineData'];
    const mimeType = isJsonObject(inline) ? textOf(inline, 'mimeType') : undefined;
    const data = isJsonObject(inline) ? textOf(inline, 'data') : undefined;
    if (mimeType !== undefined && data !== undefined) {
      media.push({ ...encoded, inlineData: { mimeType, data } });
      return part;
    }
    const text = encoded === undefined ? undefined : textOf(encoded, 'text');
    if (text !== undefined) return { kind: 'text', text };
    losses.add('dropped', place, 'error', 'a result holds text and inline media only here');
    return { kind: 'text', text: notInline(part) };
  });
  // What was written in the place of a part goes to the front with the other texts.
  const isAfter = media.length > 0 && said.slice(said.findIndex((part) => !isWords(part))).some(isWords);
  if (isAfter)
    losses.add('relocated', `${path}/parts`, 'info', 'text goes before the media of a result here');
  const functionResponse: GeminiResult = {
    ...(form.ids && !isSyntheticId(item.callId) ? { id: item.callId } : {}),
    name,
    response: toResponse({ ...item, parts: said }, path, losses),
    ...(media.length === 0 ? {} : { parts: media }),
  };
  const members = takeExtensions(GEMINI, item.extensions, path, losses, { severity: 'info' });
  return { part: withNested(members, 'functionResponse', { functionResponse } satisfies GeminiPart), behind };
}

function isWords(part: ContentPart): boolean {
  return part.kind === 'text' || part.kind === 'refusal';
}

/** What a model reads in the place of something that is no text and not inline. */
function notInline(part: ContentPart): string {
  const what = part.kind === 'foreign' ? 'content' : part.kind;
  const address = 'source' in part && part.source.kind === 'url' ? ` Its address: ${part.source.url}` : '';
  return `[${what} left out: this protocol carries only inline media in a result.${address}]`;
}
