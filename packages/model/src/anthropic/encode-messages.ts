import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ForeignItem, MessageItem, ToolCallItem } from '../call/item.ts';
import type { Instruction, ModelCall } from '../call/model-call.ts';
import { toArgumentObject } from '../codec/argument-object.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { CACHE_MARKS_OF_CHAT } from '../codec/shared-members.ts';
import { type AssistantTurn, type Placed, toTurns } from '../codec/turns.ts';
import { createIdMap, ID_RULES, type IdMap } from '../naming/id-map.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { closePrefill } from './close-prefill.ts';
import { encodeCall, encodeMessage, encodeReasoning } from './encode-assistant.ts';
import { encodePastPart } from './encode-content.ts';
import { encodeResult } from './encode-results.ts';
import { trimPrefill } from './trim-prefill.ts';

type Role = 'user' | 'assistant' | 'system';

interface OpenMessage {
  readonly role: Role;
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
      losses.add('dropped', '/instructions', 'info', 'the API refuses blank text');
      return [];
    }
    const members = takeExtensions(ANTHROPIC, extensions, path, losses, {
      severity: 'info',
      shared: CACHE_MARKS_OF_CHAT,
    });
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
  const add: AddBlocks = (role, blocks, message) => {
    if (blocks.length === 0) return;
    let last = messages.at(-1);
    if (last === undefined || last.role !== role || role === 'system') {
      last = { role, blocks: [], said: false };
      messages.push(last);
    }
    if (last.said && message !== undefined) {
      losses.add('approximated', message, 'info', 'neighbouring messages of one role are one here');
    }
    last.blocks.push(...blocks);
    last.said = message !== undefined;
  };
  for (const turn of toTurns(call.items, losses)) {
    if (turn.kind === 'assistant') addAssistant(add, turn, ids, losses);
    else if (turn.kind === 'other') addOther(add, turn.entry, losses);
    else {
      for (const { item, index } of turn.entries) {
        add('user', [encodeResult(item, ids.toWire(item.callId), `/items/${index}`, losses)]);
      }
    }
  }
  const told = messages.map(({ role, blocks }) => ({ role, content: blocks }));
  return trimPrefill(closePrefill(told, call.model, losses), losses);
}

/** Adds blocks to the conversation; `message` is the place of the message item they come from. */
type AddBlocks = (role: Role, blocks: readonly JsonObject[], message?: string) => void;

function addOther(add: AddBlocks, { item, index }: Placed<MessageItem | ForeignItem>, losses: LossLog): void {
  const path = `/items/${index}`;
  if (item.kind === 'foreign') {
    add('user', encodeForeign(item, path, losses));
    return;
  }
  if (item.role === 'developer') {
    losses.add('approximated', `${path}/role`, 'info', 'developers speak as the system here');
  }
  add(item.role === 'user' ? 'user' : 'system', encodeMessage(item, path, losses), path);
}

function addAssistant(add: AddBlocks, turn: AssistantTurn, ids: IdMap, losses: LossLog): void {
  for (const { item, index } of turn.entries) {
    const path = `/items/${index}`;
    switch (item.kind) {
      case 'message':
        add('assistant', encodeMessage(item, path, losses, encodePastPart), path);
        break;
      case 'reasoning':
        add('assistant', encodeReasoning(item, path, losses));
        break;
      case 'tool-call':
        add('assistant', [encodePastCall(item, ids.toWire(item.callId), path, losses)]);
        break;
      case 'foreign':
        add('assistant', encodeForeign(item, path, losses));
    }
  }
}

function encodePastCall(item: ToolCallItem, id: string, path: string, losses: LossLog): JsonObject {
  const input = toArgumentObject(item.arguments, `${path}/arguments`, losses);
  if (input === undefined) {
    losses.add(
      'approximated',
      `${path}/arguments`,
      'warning',
      'arguments that are no object are an empty one here',
    );
  }
  if (id !== item.callId) {
    losses.add('approximated', `${path}/callId`, 'info', 'the API refuses the id; an alias stands for it');
  }
  return encodeCall({ ...item, callId: id }, input ?? {}, path, losses);
}

function encodeForeign(item: ForeignItem, path: string, losses: LossLog): readonly JsonObject[] {
  if (item.protocol === ANTHROPIC && isJsonObject(item.value)) return [item.value];
  losses.add('refused', path, 'error', 'an item that only its own protocol understands');
  return [];
}
