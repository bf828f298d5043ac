import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ForeignItem, MessageItem } from '../call/item.ts';
import type { Instruction, ModelCall } from '../call/model-call.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { noteLeadingOperator } from '../codec/leading-operator.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { type Placed, type Turn, toTurns } from '../codec/turns.ts';
import { CHAT } from './chat-protocol.ts';
import { customCallId } from './custom-call.ts';
import { encodeAssistantTurn } from './encode-assistant.ts';
import { encodeTextOnly, encodeUserPart, textPart, toContent } from './encode-content.ts';
import { encodeResults } from './encode-results.ts';

/** The `messages` member: instructions first, then the conversation, every result right behind its calls. */
export function encodeMessages(call: ModelCall, losses: LossLog): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  noteLeadingOperator(call.items, losses);
  (call.instructions ?? []).forEach((instruction, index) => {
    messages.push(encodeInstruction(instruction, `/instructions/${index}`, losses));
  });
  for (const turn of toTurns(call.items, losses, { foreignCallId: customCallId })) {
    messages.push(...encodeTurn(turn, losses));
  }
  return messages;
}

function encodeTurn(turn: Turn, losses: LossLog): readonly JsonObject[] {
  if (turn.kind === 'assistant') return encodeAssistantTurn(turn, losses);
  if (turn.kind === 'results') return encodeResults(turn, losses);
  return encodeOther(turn.entry, losses);
}

function encodeInstruction(
  { role, text, extensions }: Instruction,
  path: string,
  losses: LossLog,
): JsonObject {
  const members = takeExtensions(CHAT, extensions, path, losses, { severity: 'info' });
  return { ...members, role, content: toContent([textPart(text)]) };
}

function encodeOther(
  { item, index }: Placed<MessageItem | ForeignItem>,
  losses: LossLog,
): readonly JsonObject[] {
  const path = `/items/${index}`;
  if (item.kind === 'foreign') {
    if (item.protocol === CHAT && isJsonObject(item.value)) return [item.value];
    losses.add('refused', path, 'error', 'an item that only its own protocol understands');
    return [];
  }
  const encode = item.role === 'user' ? encodeUserPart : encodeTextOnly;
  const parts: JsonObject[] = item.parts.map((part, position) =>
    encode(part, `${path}/parts/${position}`, losses),
  );
  if (parts.length === 0)
    losses.add('approximated', `${path}/parts`, 'info', 'a message without parts is empty text');
  const content: JsonValue = toContent(parts);
  return [{ ...takeExtensions(CHAT, item.extensions, path, losses), role: item.role, content }];
}
