import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import { takeExtensions, withNested } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import type { AssistantTurn, Placed } from '../codec/turns.ts';
import { CHAT } from './chat-protocol.ts';
import type { ChatToolCall } from './chat-wire.ts';
import { encodeAssistantPart, toContent } from './encode-content.ts';
import { type ThoughtField, toThinkingPart } from './thinking-part.ts';

interface OpenMessage {
  readonly parts: JsonObject[];
  readonly calls: JsonObject[];
  members: JsonObject;
  /** The thought that goes before its parts. */
  thought: string;
  messages: number;
  said: boolean;
}

/**
 * The messages of one assistant turn. Text goes before calls in this protocol, and calls that belong together stay in
 * one message, so text after a call moves before it (an `info` loss).
 */
export function encodeAssistantTurn(turn: AssistantTurn, losses: LossLog): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  let open = openMessage();
  const flush = (): void => {
    if (open.said) messages.push(toMessage(open));
    open = openMessage();
  };

  for (const { item, index } of turn.entries) {
    const path = `/items/${index}`;
    switch (item.kind) {
      case 'message':
        if (open.calls.length === 0 && open.messages > 0) flush();
        if (open.calls.length > 0) losses.add('relocated', path, 'info', 'text after a call moved before it');
        addMessage(open, { item, index }, losses);
        break;
      case 'reasoning':
        if (open.calls.length === 0 && open.said) flush();
        addReasoning(open, { item, index }, losses);
        break;
      case 'tool-call':
        open.said = true;
        open.calls.push(encodeCall(item, path, losses));
        break;
      case 'foreign':
        if (item.protocol === CHAT && isJsonObject(item.value)) {
          open.said = true;
          open.calls.push(item.value);
        } else {
          losses.add('refused', path, 'error', 'an item that only its own protocol understands');
        }
    }
  }
  flush();
  return messages;
}

function openMessage(): OpenMessage {
  return { parts: [], calls: [], members: {}, thought: '', messages: 0, said: false };
}

function toMessage({ parts: said, calls, members, thought }: OpenMessage): JsonObject {
  const parts = thought === '' ? said : [toThinkingPart(thought), ...said];
  const content = parts.length === 0 && calls.length > 0 ? null : toContent(parts);
  return { ...members, role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
}

function addMessage(open: OpenMessage, { item, index }: Placed<MessageItem>, losses: LossLog): void {
  const path = `/items/${index}`;
  open.said = true;
  open.messages += 1;
  open.members = { ...open.members, ...takeExtensions(CHAT, item.extensions, path, losses) };
  if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'messages have no ids here');
  item.parts.forEach((part, position) => {
    open.parts.push(encodeAssistantPart(part, `${path}/parts/${position}`, losses));
  });
  if (item.parts.every((part) => part.kind === 'text' && part.text === '')) {
    losses.add(
      'approximated',
      path,
      'info',
      'a message that says nothing is empty text, or nothing beside calls',
    );
  }
}

/** Thoughts go back only to a server that gave them in this protocol, in the place it used. */
function addReasoning(open: OpenMessage, { item, index }: Placed<ReasoningItem>, losses: LossLog): void {
  const path = `/items/${index}`;
  const field = thoughtField(item);
  if (field === undefined || item.text === undefined) {
    losses.add('dropped', path, 'warning', 'reasoning of another route is not replayed');
    return;
  }
  if (open.said) losses.add('relocated', path, 'info', 'reasoning moved to the head of its message');
  open.said = true;
  if (field === 'thinking') {
    open.thought += item.text;
    return;
  }
  const earlier = open.members[field];
  open.members = { ...open.members, [field]: typeof earlier === 'string' ? earlier + item.text : item.text };
}

/** Where a server of this protocol gave a thought, if one did. */
export function thoughtField({ extensions }: ReasoningItem): ThoughtField | undefined {
  const field = extensions?.protocol === CHAT ? extensions.members['field'] : undefined;
  return field === 'reasoning_content' || field === 'reasoning' || field === 'thinking' ? field : undefined;
}

/** One call; also used for answers. */
export function encodeCall(item: ToolCallItem, path: string, losses: LossLog): JsonObject {
  if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'calls have no item ids here');
  if (item.signature !== undefined) {
    losses.add('dropped', `${path}/signature`, 'warning', 'a thought signature has no form here');
  }
  const members = takeExtensions(CHAT, item.extensions, path, losses);
  const { callId, name, arguments: text } = item;
  const call: ChatToolCall = { id: callId, type: 'function', function: { name, arguments: text } };
  return withNested(members, 'function', call);
}
