import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';
import type { TextualKind } from '../event/response-writer.ts';
import { decodeItem } from './decode-item.ts';
import { decodePart, textExtensions } from './decode-parts.ts';
import { eventReader, type ItemTrack, indexOf, restOf, type TrackContext } from './item-track.ts';

interface PartTrack {
  readonly kind: TextualKind | 'other';
  readonly index: number;
  readonly annotations: JsonValue[];
  /** Everything so far, for what is sent again as a whole. */
  text: string;
  closed: boolean;
}

const TEXT_EVENT = /^response\.(output_text|refusal)\.(delta|done)$/;

/** Follows a message: one block a part, opened by the first event that names the part. */
export function trackMessage(
  { items, misled, writer }: TrackContext,
  item: JsonObject,
  pointer: string,
): ItemTrack {
  const parts = new Map<number, PartTrack>();
  const message = decodeItem(items(), { ...item, content: [] }, pointer);
  const around = {
    ...(message.kind === 'message' && message.id !== undefined ? { itemId: message.id } : {}),
    ...(message.kind === 'message' && message.extensions !== undefined
      ? { message: message.extensions }
      : {}),
  };

  const open = (position: number, type: JsonValue | undefined): PartTrack => {
    const known = parts.get(position);
    if (known !== undefined) return known;
    const kind =
      type === 'output_text' || type === 'text' ? 'text' : type === 'refusal' ? 'refusal' : 'other';
    const part: PartTrack = { kind, index: writer.reserve(), annotations: [], text: '', closed: false };
    parts.set(position, part);
    if (kind !== 'other') writer.openText(kind, part.index, parts.size === 1 ? around : idOnly(around));
    return part;
  };
  const add = (part: PartTrack, text: string): void => {
    if (!writer.isOpen(part.index)) return;
    part.text += text;
    writer.text(part.index, text);
  };
  const addWhole = (part: PartTrack, whole: string | undefined): void => {
    if (whole !== undefined) add(part, restOf(part.text, whole));
  };
  const finishPart = (position: number, whole: JsonObject): void => {
    const part = open(position, memberOf(whole, 'type'));
    if (part.kind === 'other') {
      const decoded = decodePart(whole);
      if (!part.closed && decoded.kind !== 'text' && decoded.kind !== 'refusal') {
        writer.part(part.index, { part: decoded, ...(parts.size === 1 ? around : idOnly(around)) });
      }
    } else {
      addWhole(part, textOf(whole, part.kind));
      writer.closeText(part.index, { extensions: textExtensions(withAnnotations(whole, part.annotations)) });
    }
    part.closed = true;
  };

  return {
    take(type, event) {
      const position = indexOf(memberOf(event, 'content_index'));
      const [, word, stage] = TEXT_EVENT.exec(type) ?? [];
      if (word !== undefined) {
        const part = open(position, word);
        if (part.kind !== (word === 'refusal' ? 'refusal' : 'text'))
          eventReader.fail('/content_index', 'names a part of another kind');
        if (stage === 'delta') add(part, eventReader.string(memberOf(event, 'delta'), '/delta'));
        else addWhole(part, textOf(event, word === 'refusal' ? 'refusal' : 'text'));
        return;
      }
      const part = memberOf(event, 'part');
      if (type === 'response.content_part.added' && isJsonObject(part))
        open(position, memberOf(part, 'type'));
      else if (type === 'response.content_part.done' && isJsonObject(part)) finishPart(position, part);
      else if (type === 'response.output_text.annotation.added') {
        const annotation = memberOf(event, 'annotation') ?? null;
        writer.hold(JSON.stringify(annotation));
        open(position, 'output_text').annotations.push(annotation);
      }
    },
    finish(final) {
      const content = memberOf(final, 'content');
      if (!isJsonArray(content)) return;
      // Whoever goes on behind this event would end the item once more: nothing before it said that its parts were over.
      if ([...parts.values()].some(({ index }) => writer.isOpen(index))) misled();
      content.forEach((part, position) => {
        if (isJsonObject(part)) finishPart(position, part);
      });
    },
  };
}

function idOnly({ itemId }: { readonly itemId?: string }): { readonly itemId?: string } {
  return itemId === undefined ? {} : { itemId };
}

/** The final part lists its annotations; a server that does not repeat them sent them one by one. */
function withAnnotations(part: JsonObject, annotations: readonly JsonValue[]): JsonObject {
  const listed = memberOf(part, 'annotations');
  if (annotations.length === 0 || (isJsonArray(listed) && listed.length > 0)) return part;
  return { ...part, annotations };
}
