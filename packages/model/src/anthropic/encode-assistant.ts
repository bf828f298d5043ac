import type { JsonObject } from '@toolgate/core';
import type { MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import type { AnthropicRedacted, AnthropicThinking, AnthropicToolUse } from './anthropic-wire.ts';
import { encodePart } from './encode-content.ts';

/** The blocks of a message; in an answer blank text may stand. */
export function encodeMessage(
  item: MessageItem,
  path: string,
  losses: LossLog,
  encode: typeof encodePart = encodePart,
): readonly JsonObject[] {
  if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'messages have no ids here');
  noteMembers(item, path, losses);
  if (item.parts.length === 0) losses.add('dropped', path, 'info', 'a message without parts says nothing');
  return item.parts.flatMap((part, index) => encode(part, `${path}/parts/${index}`, losses));
}

/** Members of a message have no place here, not even those of this protocol: one message can hold several items. */
function noteMembers(item: MessageItem, path: string, losses: LossLog): void {
  if (item.extensions === undefined) return;
  losses.add('dropped', `${path}/extensions`, 'info', 'members of a message have no place here');
}

/**
 * The block of a thought: only with a signature of this protocol, byte for byte. Anything else is of another route, and
 * the API refuses a thought that it did not sign.
 */
export function encodeReasoning(item: ReasoningItem, path: string, losses: LossLog): readonly JsonObject[] {
  const { opaque, text, summary, id } = item;
  if (opaque?.protocol !== ANTHROPIC || opaque.form === 'encrypted') {
    losses.add('dropped', path, 'warning', 'reasoning of another route is not replayed');
    return [];
  }
  if (id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'thoughts have no ids here');
  if (summary !== undefined) losses.add('dropped', `${path}/summary`, 'info', 'a thought has one text here');
  const members = takeExtensions(ANTHROPIC, item.extensions, path, losses, { severity: 'info' });
  if (opaque.form === 'redacted') {
    if (text !== undefined) losses.add('dropped', `${path}/text`, 'info', 'a redacted thought has no text');
    return [{ ...members, type: 'redacted_thinking', data: opaque.value } satisfies AnthropicRedacted];
  }
  if (text === '')
    losses.add('approximated', `${path}/text`, 'info', 'empty text and none are the same here');
  const block: AnthropicThinking = { type: 'thinking', thinking: text ?? '', signature: opaque.value };
  return [{ ...members, ...block }];
}

/** The block of a call, with its arguments as an object. */
export function encodeCall(item: ToolCallItem, input: JsonObject, path: string, losses: LossLog): JsonObject {
  if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'calls have no item ids here');
  if (item.signature !== undefined) {
    losses.add(
      'dropped',
      `${path}/signature`,
      'warning',
      'a thought signature of another route is not replayed',
    );
  }
  const members = takeExtensions(ANTHROPIC, item.extensions, path, losses, { severity: 'info' });
  const block: AnthropicToolUse = { type: 'tool_use', id: item.callId, name: item.name, input };
  return { ...members, ...block };
}
