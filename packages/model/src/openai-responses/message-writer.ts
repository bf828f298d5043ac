import type { JsonObject } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ContentPart, MessageItem } from '../call/item.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { encodeOutputItem } from './encode-output.ts';
import { encodeOutputPart } from './encode-parts.ts';
import { itemId } from './encode-response.ts';
import type { EventWriter } from './event-writer.ts';

/** Where a message of a stream comes from. */
export interface MessageStart {
  readonly index: number;
  readonly itemId: string | undefined;
  readonly message: Extensions | undefined;
}

/** Writes one message of a streamed answer. */
export interface MessageWriter {
  readonly itemId: string | undefined;
  open(index: number, kind: 'text' | 'refusal'): void;
  delta(index: number, text: string): void;
  close(index: number, extensions?: Extensions): void;
  /** Adds a part that is whole. */
  add(part: ContentPart): void;
  readonly hasOpenPart: boolean;
  /** Nothing more comes; parts still open are closed as they are. */
  finish(): void;
}

interface OpenPart {
  readonly kind: 'text' | 'refusal';
  readonly position: number;
  text: string;
}

/** Begins a message at the next place of the output. */
export function beginMessage(
  writer: EventWriter,
  losses: LossLog,
  responseId: string,
  start: MessageStart,
): MessageWriter {
  const place = writer.place();
  const path = `/items/${start.index}`;
  const id = start.itemId ?? itemId({ kind: 'message' }, responseId, place);
  const open = new Map<number, OpenPart>();
  const parts: ContentPart[] = [];
  let finished = false;

  const toItem = (status: 'in_progress' | 'completed'): JsonObject => {
    const item: MessageItem = {
      kind: 'message',
      role: 'assistant',
      parts: status === 'completed' ? parts : [],
      ...(start.itemId === undefined ? {} : { id: start.itemId }),
      ...(start.message === undefined ? {} : { extensions: start.message }),
    };
    // Losses are logged once, with the final form.
    const log = status === 'completed' ? losses : createLossLog();
    return encodeOutputItem(item, { path, losses: log, id, status }) ?? {};
  };
  const whereOf = (position: number): JsonObject => ({
    item_id: id,
    output_index: place,
    content_index: position,
  });
  const close = (index: number, extensions?: Extensions): void => {
    const part = open.get(index);
    if (part === undefined) return;
    open.delete(index);
    const content: ContentPart =
      part.kind === 'refusal'
        ? { kind: 'refusal', text: part.text }
        : { kind: 'text', text: part.text, ...(extensions === undefined ? {} : { extensions }) };
    parts[part.position] = content;
    const where = whereOf(part.position);
    if (part.kind === 'refusal') writer.emit('response.refusal.done', { ...where, refusal: part.text });
    else writer.emit('response.output_text.done', { ...where, text: part.text, logprobs: [] });
    const wire = encodeOutputPart(content, path, createLossLog());
    writer.emit('response.content_part.done', { ...where, part: wire });
  };

  writer.emit('response.output_item.added', { output_index: place, item: toItem('in_progress') });
  return {
    itemId: start.itemId,
    open(index, kind) {
      const position = parts.length;
      const empty: ContentPart = { kind, text: '' };
      parts.push(empty);
      open.set(index, { kind, position, text: '' });
      const wire = encodeOutputPart(empty, path, createLossLog());
      writer.emit('response.content_part.added', { ...whereOf(position), part: wire });
    },
    delta(index, text) {
      const part = open.get(index);
      if (part === undefined) return;
      part.text += text;
      const where = whereOf(part.position);
      if (part.kind === 'refusal') writer.emit('response.refusal.delta', { ...where, delta: text });
      else writer.emit('response.output_text.delta', { ...where, delta: text, logprobs: [] });
    },
    close,
    add(part) {
      const wire = encodeOutputPart(part, path, losses);
      const where = whereOf(parts.length);
      parts.push(part);
      writer.emit('response.content_part.added', { ...where, part: wire });
      writer.emit('response.content_part.done', { ...where, part: wire });
    },
    get hasOpenPart() {
      return open.size > 0;
    },
    finish() {
      if (finished) return;
      finished = true;
      for (const index of [...open.keys()]) close(index);
      const item = toItem('completed');
      writer.settle(place, item);
      writer.emit('response.output_item.done', { output_index: place, item });
    },
  };
}
