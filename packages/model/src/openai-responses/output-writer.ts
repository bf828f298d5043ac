import type { JsonObject } from '@toolgate/core';
import type { AnswerShape } from '../codec/answer-shape.ts';
import type { LossLog } from '../codec/loss-log.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { beginCall, type CallWriter } from './call-writer.ts';
import type { EventWriter } from './event-writer.ts';
import { beginMessage, type MessageStart, type MessageWriter } from './message-writer.ts';
import { beginReasoning, type ReasoningWriter } from './reasoning-writer.ts';

type BlockEvent = Exclude<Extract<ModelEvent, { readonly index: number }>, { readonly kind: 'foreign' }>;

/** Turns the blocks of an answer into items of the output. */
export interface OutputWriter {
  push(event: BlockEvent): void;
  /** Writes an item of this protocol as it is. */
  foreign(item: JsonObject, isCall: boolean): void;
  /** Ends what is still open, calls excepted. */
  finish(): AnswerShape;
}

/** Makes the writer of one answer. Neighbouring texts with the same item id are the parts of one message. */
export function createOutputWriter(
  writer: EventWriter,
  losses: LossLog,
  responseId: () => string,
): OutputWriter {
  const messages = new Map<number, MessageWriter>();
  const thoughts = new Map<number, ReasoningWriter>();
  const calls = new Map<number, CallWriter>();
  const waiting = new Set<MessageWriter>();
  let message: MessageWriter | undefined;
  let whole = 0;
  let refusal = false;

  /** Something else begins: the message is over when its open parts are. */
  const leaveMessage = (): void => {
    if (message === undefined) return;
    if (message.hasOpenPart) waiting.add(message);
    else message.finish();
    message = undefined;
  };
  const messageFor = (start: MessageStart): MessageWriter => {
    if (message !== undefined && message.itemId !== start.itemId) leaveMessage();
    message ??= beginMessage(writer, losses, responseId(), start);
    return message;
  };
  const closePart = (index: number, extensions: Parameters<MessageWriter['close']>[1]): void => {
    const owner = messages.get(index);
    owner?.close(index, extensions);
    if (owner === undefined || owner.hasOpenPart || !waiting.delete(owner)) return;
    owner.finish();
  };

  return {
    push(event) {
      switch (event.kind) {
        case 'text-start':
        case 'refusal-start': {
          const owner = messageFor({ index: event.index, itemId: event.itemId, message: event.message });
          messages.set(event.index, owner);
          owner.open(event.index, event.kind === 'text-start' ? 'text' : 'refusal');
          return;
        }
        case 'text-delta':
          messages.get(event.index)?.delta(event.index, event.text);
          return;
        case 'refusal-delta':
          refusal = true;
          messages.get(event.index)?.delta(event.index, event.text);
          return;
        case 'text-end':
          closePart(event.index, event.extensions);
          return;
        case 'refusal-end':
          closePart(event.index, undefined);
          return;
        case 'part':
          messageFor({ index: event.index, itemId: event.itemId, message: event.message }).add(event.part);
          return;
        case 'reasoning-start': {
          leaveMessage();
          const start = { index: event.index, itemId: event.itemId };
          thoughts.set(event.index, beginReasoning(writer, losses, responseId(), start));
          return;
        }
        case 'reasoning-delta':
          thoughts
            .get(event.index)
            ?.delta(event.text, event.summary === true ? (event.summaryIndex ?? 0) : undefined);
          return;
        case 'reasoning-end':
          thoughts.get(event.index)?.finish(event.opaque, event.extensions);
          return;
        case 'call-start':
          leaveMessage();
          calls.set(event.index, beginCall(writer, losses, responseId(), event));
          return;
        case 'call-delta':
          calls.get(event.index)?.delta(event.delta);
          return;
        case 'call-end':
          calls.get(event.index)?.finish();
          calls.delete(event.index);
          whole += 1;
      }
    },
    foreign(item, isCall) {
      leaveMessage();
      if (isCall) whole += 1;
      const place = writer.place();
      writer.emit('response.output_item.added', { output_index: place, item });
      writer.settle(place, item);
      writer.emit('response.output_item.done', { output_index: place, item });
    },
    finish() {
      leaveMessage();
      for (const open of waiting) open.finish();
      for (const call of calls.values()) call.leave();
      return { calls: whole > 0, openCalls: calls.size > 0, refusal };
    },
  };
}
