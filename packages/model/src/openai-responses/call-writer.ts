import type { ToolCallItem } from '../call/item.ts';
import { toAnswerArguments } from '../codec/argument-object.ts';
import type { LossLog } from '../codec/loss-log.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { encodeOutputItem } from './encode-output.ts';
import { itemId } from './encode-response.ts';
import type { EventWriter } from './event-writer.ts';
import type { ItemStatus } from './responses-wire.ts';

/** Writes one call of a streamed answer. */
export interface CallWriter {
  delta(text: string): void;
  /** The provider finished the call. */
  finish(): void;
  /**
   * The answer ended before the call did. No event announces its end, as clients run a call when they see one; the
   * terminal event shows it as incomplete.
   */
  leave(): void;
}

/** Begins a call at the next place of the output. */
export function beginCall(
  writer: EventWriter,
  losses: LossLog,
  responseId: string,
  start: Extract<ModelEvent, { readonly kind: 'call-start' }>,
): CallWriter {
  const place = writer.place();
  const id = start.itemId ?? itemId({ kind: 'tool-call' }, responseId, place);
  const where = { item_id: id, output_index: place };
  let text = '';

  const toItem = (status: ItemStatus) => {
    const item: ToolCallItem = {
      kind: 'tool-call',
      callId: start.callId,
      name: start.name,
      arguments: text,
      ...(start.itemId === undefined ? {} : { id: start.itemId }),
      ...(start.signature === undefined ? {} : { signature: start.signature }),
      ...(start.extensions === undefined ? {} : { extensions: start.extensions }),
    };
    return encodeOutputItem(item, { path: `/items/${start.index}`, losses: log(status), id, status }) ?? {};
  };
  // Losses are logged once, with the first form.
  const log = (status: ItemStatus): LossLog =>
    status === 'in_progress' ? losses : { add: () => undefined, losses: [] };

  writer.emit('response.output_item.added', { output_index: place, item: toItem('in_progress') });
  const add = (delta: string): void => {
    text += delta;
    writer.emit('response.function_call_arguments.delta', { ...where, delta });
  };
  return {
    delta: add,
    finish() {
      const said = toAnswerArguments(text, `/items/${start.index}/arguments`, losses);
      // Pieces that are out cannot be taken back; blanks may stand before an object.
      if (said !== text) add(said);
      writer.emit('response.function_call_arguments.done', { ...where, name: start.name, arguments: text });
      const item = toItem('completed');
      writer.settle(place, item);
      writer.emit('response.output_item.done', { output_index: place, item });
    },
    leave() {
      writer.settle(place, toItem('incomplete'));
    },
  };
}
