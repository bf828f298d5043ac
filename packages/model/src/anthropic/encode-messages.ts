import type { JsonObject } from '@toolgate/core';
import type { ForeignItem, MessageItem } from '../call/item.ts';
import type { Instruction, ModelCall } from '../call/model-call.ts';
import { toArgumentObject } from '../codec/argument-object.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { type AssistantTurn, type Placed, toTurns } from '../codec/turns.ts';
import { isJsonObject } from '../codec/wire-reader.ts';
import { createIdMap, ID_RULES, type IdMap } from '../naming/id-map.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { encodeCall, encodeMessage, encodeReasoning } from './encode-assistant.ts';
import { encodeResult } from './encode-results.ts';
import { trimPrefill } from './trim-prefill.ts';

interface OpenMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly blocks: JsonObject[];
  /** Whether the last block comes from a message item, so that the next message item would run into it. */
  said: boolean;
}

/** The `system` member: a block for each instruction; it knows one rank only. */
export function encodeSystem(instructions: readonly Instruction[], losses: LossLog): readonly JsonObject[] {
  return instructions.flatMap(({ role, text, extensions }, index) => {
    const path = `/instructions/${index}`;
    if (role === 'developer')
      losses.add('approximated', `${path}/role`, 'info', 'developers speak as the system here');
    if (text.trim() === '') {
      losses.add('dropped', path, 'info', 'the API refuses blank text');
      return [];
    }
    const members = takeExtensions(ANTHROPIC, extensions, path, losses, { severity: 'info' });
    return [{ ...members, type: 'text', text }];
  });
}

/**
 * The `messages` member. Neighbouring turns of one role are one message; the results of a turn are the first blocks of
 * the user message right behind it, as the API demands. Call ids that it would refuse get an alias, on both sides.
 */
export function encodeMessages(call: ModelCall, losses: LossLog): readonly JsonObject[] {
  const ids = createIdMap(
    call.items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : [])),
    ID_RULES[ANTHROPIC],
  );
  const messages: OpenMessage[] = [];
  const open = (role: OpenMessage['role']): OpenMessage => {
    const last = messages.at(-1);
    if (last?.role === role && role !== 'system') return last;
    const message: OpenMessage = { role, blocks: [], said: false };
    messages.push(message);
    return message;
  };
  for (const turn of toTurns(call.items, losses)) {
    if (turn.kind === 'assistant') addAssistant(open('assistant'), turn, ids, losses);
    else if (turn.kind === 'other') addOther(turn.entry, open, losses);
    else {
      const message = open('user');
      for (const { item, index } of turn.entries) {
        message.blocks.push(encodeResult(item, ids.toWire(item.callId), `/items/${index}`, losses));
      }
      message.said = false;
    }
  }
  const said = messages.filter(({ blocks }) => blocks.length > 0);
  return trimPrefill(
    said.map(({ role, blocks }) => ({ role, content: blocks })),
    losses,
  );
}

function addOther(
  { item, index }: Placed<MessageItem | ForeignItem>,
  open: (role: OpenMessage['role']) => OpenMessage,
  losses: LossLog,
): void {
  const path = `/items/${index}`;
  if (item.kind === 'foreign') {
    if (item.protocol === ANTHROPIC && isJsonObject(item.value)) open('user').blocks.push(item.value);
    else losses.add('refused', path, 'error', 'an item that only its own protocol understands');
    return;
  }
  const isUser = item.role === 'user';
  if (item.role === 'developer')
    losses.add('approximated', `${path}/role`, 'info', 'developers speak as the system here');
  addMessage(open(isUser ? 'user' : 'system'), { item, index }, losses);
}

function addMessage(message: OpenMessage, { item, index }: Placed<MessageItem>, losses: LossLog): void {
  const path = `/items/${index}`;
  const blocks = encodeMessage(item, path, losses);
  if (blocks.length === 0) return;
  if (message.said)
    losses.add('approximated', path, 'info', 'neighbouring messages of one role are one here');
  message.blocks.push(...blocks);
  message.said = true;
}

function addAssistant(message: OpenMessage, turn: AssistantTurn, ids: IdMap, losses: LossLog): void {
  for (const { item, index } of turn.entries) {
    const path = `/items/${index}`;
    switch (item.kind) {
      case 'message':
        addMessage(message, { item, index }, losses);
        continue;
      case 'reasoning':
        message.blocks.push(...encodeReasoning(item, path, losses));
        break;
      case 'tool-call': {
        const input = toArgumentObject(item.arguments, `${path}/arguments`, losses);
        if (input === undefined) {
          losses.add(
            'approximated',
            `${path}/arguments`,
            'warning',
            'arguments that are no object are an empty one here',
          );
        }
        const id = ids.toWire(item.callId);
        if (id !== item.callId) {
          losses.add(
            'approximated',
            `${path}/callId`,
            'info',
            'the API refuses the id; an alias stands for it',
          );
        }
        message.blocks.push(encodeCall({ ...item, callId: id }, input ?? {}, path, losses));
        break;
      }
      case 'foreign':
        if (item.protocol === ANTHROPIC && isJsonObject(item.value)) message.blocks.push(item.value);
        else losses.add('refused', path, 'error', 'an item that only its own protocol understands');
    }
    message.said = false;
  }
}
