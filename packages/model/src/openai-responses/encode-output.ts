import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Item, MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import { toAnswerArguments } from '../codec/argument-object.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { toReasoning } from './encode-items.ts';
import { encodeOutputPart } from './encode-parts.ts';
import { RESPONSES } from './responses-protocol.ts';
import type { ItemStatus } from './responses-wire.ts';

/** What an item of an answer needs besides itself. */
export interface OutputContext {
  readonly path: string;
  readonly losses: LossLog;
  /** The id for an item that has none. */
  readonly id: string;
  readonly status: ItemStatus;
}

/** An item of the `output` member, or `undefined` where an answer cannot hold it. */
export function encodeOutputItem(item: Item, context: OutputContext): JsonObject | undefined {
  switch (item.kind) {
    case 'message':
      return encodeMessage(item, context);
    case 'tool-call':
      return encodeCall(item, context);
    case 'reasoning':
      return encodeThought(item, context);
    case 'foreign':
      if (item.protocol === RESPONSES && isJsonObject(item.value)) return item.value;
      context.losses.add('refused', context.path, 'error', 'an item that only its own protocol understands');
      return undefined;
    case 'tool-result':
      context.losses.add('refused', context.path, 'error', 'an answer holds no tool results');
      return undefined;
  }
}

function encodeMessage(item: MessageItem, { path, losses, id, status }: OutputContext): JsonObject {
  noteId(item.id, path, losses);
  const content = item.parts.map((part, index) => encodeOutputPart(part, `${path}/parts/${index}`, losses));
  return {
    ...takeExtensions(RESPONSES, item.extensions, path, losses, { severity: 'info' }),
    type: 'message',
    id: item.id ?? id,
    role: 'assistant',
    status,
    content,
  };
}

function encodeCall(item: ToolCallItem, { path, losses, id, status }: OutputContext): JsonObject {
  noteId(item.id, path, losses);
  if (item.signature !== undefined) {
    losses.add('dropped', `${path}/signature`, 'warning', 'a thought signature has no form here');
  }
  return {
    ...takeExtensions(RESPONSES, item.extensions, path, losses, { severity: 'info' }),
    type: 'function_call',
    id: item.id ?? id,
    call_id: item.callId,
    name: item.name,
    arguments:
      status === 'completed'
        ? toAnswerArguments(item.arguments, `${path}/arguments`, losses)
        : item.arguments,
    status,
  };
}

/** Thoughts are shown, whoever thought them; another provider's signature is never put where this one's belongs. */
function encodeThought(item: ReasoningItem, { path, losses, id }: OutputContext): JsonObject {
  noteId(item.id, path, losses);
  if (item.opaque !== undefined && item.opaque.protocol !== RESPONSES) {
    losses.add('dropped', `${path}/opaque`, 'warning', "another provider's signature has no form here");
  }
  const members = takeExtensions(RESPONSES, item.extensions, path, losses, { severity: 'info' });
  return { ...toReasoning(toShown(item, path, losses), item.id ?? id), ...members };
}

/** What others think as a summary, because most clients show nothing else. A thought of this protocol has an id. */
function toShown(item: ReasoningItem, path: string, losses: LossLog): ReasoningItem {
  const { text, summary = [], ...rest } = item;
  if (item.id !== undefined || text === undefined) return item;
  noteShown(path, losses);
  return { ...rest, summary: text === '' ? summary : [...summary, text] };
}

/** Logs that a thought of another protocol became a summary. */
export function noteShown(path: string, losses: LossLog): void {
  losses.add('relocated', path, 'info', 'thoughts are shown as summaries here');
}

function noteId(id: string | undefined, path: string, losses: LossLog): void {
  if (id === undefined) losses.add('synthesised', `${path}/id`, 'info', 'every item has an id here');
}
