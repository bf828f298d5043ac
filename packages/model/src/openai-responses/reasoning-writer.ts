import type { JsonObject } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { OpaqueReasoning, ReasoningItem } from '../call/item.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { encodeOutputItem, noteShown } from './encode-output.ts';
import { itemId } from './encode-response.ts';
import type { EventWriter } from './event-writer.ts';

/** Writes one thought of a streamed answer. */
export interface ReasoningWriter {
  delta(text: string, summaryIndex: number | undefined): void;
  finish(opaque: OpaqueReasoning | undefined, extensions: Extensions | undefined): void;
}

/**
 * Begins a thought at the next place of the output. One of this protocol has an id. What others think is shown as a
 * summary, as most clients show nothing else.
 */
export function beginReasoning(
  writer: EventWriter,
  losses: LossLog,
  responseId: string,
  start: { readonly index: number; readonly itemId: string | undefined },
): ReasoningWriter {
  const place = writer.place();
  const id = start.itemId ?? itemId({ kind: 'reasoning' }, responseId, place);
  const summary: string[] = [];
  let thought: string | undefined;
  /** Which summary a thought of another protocol is. */
  let shownAt: number | undefined;
  /** The open text: a summary by its index, or the thought itself. */
  let open: number | 'thought' | undefined;

  const where = (): JsonObject => ({ item_id: id, output_index: place });
  const closeText = (): void => {
    if (open === 'thought') {
      const text = thought ?? '';
      const at = { ...where(), content_index: 0 };
      writer.emit('response.reasoning_text.done', { ...at, text });
      writer.emit('response.content_part.done', { ...at, part: { type: 'reasoning_text', text } });
    } else if (open !== undefined) {
      const at = { ...where(), summary_index: open };
      const text = summary[open] ?? '';
      writer.emit('response.reasoning_summary_text.done', { ...at, text });
      writer.emit('response.reasoning_summary_part.done', { ...at, part: { type: 'summary_text', text } });
    }
    open = undefined;
  };
  const think = (text: string): void => {
    const at = { ...where(), content_index: 0 };
    if (open !== 'thought') {
      closeText();
      writer.emit('response.content_part.added', {
        ...at,
        part: { type: 'reasoning_text', text: thought ?? '' },
      });
    }
    open = 'thought';
    thought = (thought ?? '') + text;
    writer.emit('response.reasoning_text.delta', { ...at, delta: text });
  };
  const summarise = (text: string, wanted: number): void => {
    const index = Math.min(wanted, summary.length);
    if (open !== index) closeText();
    open = index;
    const at = { ...where(), summary_index: index };
    if (index === summary.length) {
      summary.push('');
      writer.emit('response.reasoning_summary_part.added', {
        ...at,
        part: { type: 'summary_text', text: '' },
      });
    }
    summary[index] = (summary[index] ?? '') + text;
    writer.emit('response.reasoning_summary_text.delta', { ...at, delta: text });
  };

  writer.emit('response.output_item.added', {
    output_index: place,
    item: { type: 'reasoning', id, summary: [] },
  });
  return {
    delta(text, summaryIndex) {
      if (summaryIndex !== undefined) summarise(text, summaryIndex);
      else if (start.itemId !== undefined) think(text);
      else if (text !== '') {
        shownAt ??= summary.length;
        summarise(text, shownAt);
      }
    },
    finish(opaque, extensions) {
      closeText();
      if (shownAt !== undefined) noteShown(`/items/${start.index}`, losses);
      const item: ReasoningItem = {
        kind: 'reasoning',
        ...(thought === undefined ? {} : { text: thought }),
        ...(summary.length === 0 ? {} : { summary }),
        ...(opaque === undefined ? {} : { opaque }),
        ...(start.itemId === undefined ? {} : { id: start.itemId }),
        ...(extensions === undefined ? {} : { extensions }),
      };
      const encoded =
        encodeOutputItem(item, { path: `/items/${start.index}`, losses, id, status: 'completed' }) ?? {};
      writer.settle(place, encoded);
      writer.emit('response.output_item.done', { output_index: place, item: encoded });
    },
  };
}
