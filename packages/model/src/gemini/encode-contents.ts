import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ForeignItem, MessageItem, ToolCallItem, ToolResultItem } from '../call/item.ts';
import type { Instruction, ModelCall } from '../call/model-call.ts';
import { toArgumentObject } from '../codec/argument-object.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { type AssistantTurn, type Placed, type ResultTurn, toTurns } from '../codec/turns.ts';
import { ModelError } from '../model-error.ts';
import { type CallForm, callForm } from './call-form.ts';
import { encodeCall, encodePart, encodeReasoning } from './encode-part.ts';
import { encodeResult } from './encode-result.ts';
import { demandsSignatures, GEMINI, SKIP_SIGNATURE } from './gemini-protocol.ts';

/** The conversation, and the instructions that this wire has no other place for. */
export interface EncodedContents {
  readonly contents: readonly JsonObject[];
  readonly system: readonly JsonObject[];
}

interface OpenContent {
  readonly role: 'user' | 'model';
  readonly results: boolean;
  readonly parts: JsonObject[];
  /** Whether the last part comes from a message item, so that the next message item would run into it. */
  said: boolean;
}

/** Adds parts to the conversation; `message` is the place of the message item they come from. */
type AddParts = (role: OpenContent['role'], parts: readonly JsonObject[], message?: string) => void;

/**
 * The `contents` member. Neighbouring contents of one role are one; the results of a turn are a content of their own
 * right behind it, in the order of its calls, because a wire without ids matches them by place.
 */
export function encodeContents(call: ModelCall, losses: LossLog): EncodedContents {
  const contents: OpenContent[] = [];
  const system: JsonObject[] = [];
  const names = new Map(
    call.items.flatMap((item) => (item.kind === 'tool-call' ? [[item.callId, item.name]] : [])),
  );
  const signed = demandsSignatures(call.model);
  const form = callForm(call.model);
  const add: AddParts = (role, parts, message) => {
    if (parts.length === 0) return;
    let last = contents.at(-1);
    if (last === undefined || last.role !== role || last.results) {
      last = { role, results: false, parts: [], said: false };
      contents.push(last);
    }
    if (last.said && message !== undefined) {
      losses.add('approximated', message, 'info', 'neighbouring messages of one role are one here');
    }
    last.parts.push(...parts);
    last.said = message !== undefined;
  };
  let order: readonly string[] = [];
  for (const turn of toTurns(call.items, losses)) {
    if (turn.kind === 'assistant') {
      order = addAssistant(add, turn, { form, signed }, losses);
    } else if (turn.kind === 'results') {
      const results = inCallOrder(turn, order, losses).map(({ item, index }, at) => {
        const name = nameOf(item, names, index, losses);
        return encodeResult(item, { form, name, ordinal: at + 1, path: `/items/${index}` }, losses);
      });
      contents.push({ role: 'user', results: true, parts: results.map(({ part }) => part), said: false });
      add(
        'user',
        results.flatMap(({ behind }) => behind),
      );
    } else if (turn.entry.item.kind === 'message' && turn.entry.item.role !== 'user') {
      system.push(...encodeOperator(turn.entry.item, turn.entry.index, losses));
    } else addUser(add, turn.entry, losses);
  }
  const told = contents.map(({ role, parts }) => ({ role, parts }));
  const [first] = told;
  if (first?.role !== 'model' || !first.parts.some((part) => Object.hasOwn(part, 'functionCall')))
    return { contents: told, system };
  losses.add('synthesised', '/items', 'info', 'a call needs a turn before it here');
  return { contents: [CUT, ...told], system };
}

/** Stands for what was cut off before a call: the API refuses a conversation that begins with one. */
const CUT = Object.freeze({
  role: 'user',
  parts: Object.freeze([
    Object.freeze({ text: '[the conversation begins before this; that part was left out]' }),
  ]),
});

/** The parts of `systemInstruction`. */
export function encodeSystem(instructions: readonly Instruction[], losses: LossLog): readonly JsonObject[] {
  return instructions.map(({ role, text, extensions }, index) => {
    const path = `/instructions/${index}`;
    if (role === 'developer')
      losses.add('approximated', `${path}/role`, 'info', 'developers speak as the system here');
    return { ...takeExtensions(GEMINI, extensions, path, losses, { severity: 'info' }), text };
  });
}

/** A system message in mid-conversation keeps its authority and loses its place. */
function encodeOperator(item: MessageItem, index: number, losses: LossLog): readonly JsonObject[] {
  const path = `/items/${index}`;
  losses.add(
    'relocated',
    path,
    'warning',
    'a system message in the conversation moved to the system instruction',
  );
  losses.add('synthesised', '/instructions', 'info', 'system messages of the conversation are added to it');
  return encodeMessage(item, path, losses);
}

function encodeMessage(item: MessageItem, path: string, losses: LossLog): readonly JsonObject[] {
  if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'messages have no ids here');
  if (item.extensions !== undefined) {
    losses.add('dropped', `${path}/extensions`, 'info', 'members of a message have no place here');
  }
  if (item.parts.length === 0) losses.add('dropped', path, 'info', 'a message without parts says nothing');
  return item.parts.flatMap((part, index) => {
    const place = `${path}/parts/${index}`;
    if (part.kind !== 'text' || part.text !== '' || part.extensions?.protocol === GEMINI) {
      return encodePart(part, place, losses);
    }
    losses.add('dropped', place, 'info', 'the API refuses empty text');
    return [];
  });
}

function addUser(add: AddParts, { item, index }: Placed<MessageItem | ForeignItem>, losses: LossLog): void {
  const path = `/items/${index}`;
  if (item.kind === 'message') add('user', encodeMessage(item, path, losses), path);
  else if (item.protocol === GEMINI && isJsonObject(item.value)) add('user', [item.value]);
  else losses.add('refused', path, 'error', 'an item that only its own protocol understands');
}

/** @returns The ids of the calls of the turn, in order. */
function addAssistant(
  add: AddParts,
  turn: AssistantTurn,
  { form, signed }: { readonly form: CallForm; readonly signed: boolean },
  losses: LossLog,
): readonly string[] {
  const order: string[] = [];
  for (const { item, index } of turn.entries) {
    const path = `/items/${index}`;
    switch (item.kind) {
      case 'message':
        add('model', encodeMessage(item, path, losses), path);
        break;
      case 'reasoning':
        add('model', encodeReasoning(item, path, losses));
        break;
      case 'tool-call':
        add('model', [encodePastCall(item, { form, signed: signed && order.length === 0 }, path, losses)]);
        order.push(item.callId);
        break;
      case 'foreign':
        if (item.protocol === GEMINI && isJsonObject(item.value)) add('model', [item.value]);
        else losses.add('refused', path, 'error', 'an item that only its own protocol understands');
    }
  }
  return order;
}

function encodePastCall(
  item: ToolCallItem,
  { form, signed }: { readonly form: CallForm; readonly signed: boolean },
  path: string,
  losses: LossLog,
): JsonObject {
  const args = toArgumentObject(item.arguments, `${path}/arguments`, losses);
  if (args === undefined) {
    losses.add(
      'approximated',
      `${path}/arguments`,
      'warning',
      'arguments that are no object are an empty one here',
    );
  }
  const part = encodeCall(item, args ?? {}, path, losses, form);
  if (!signed || part['thoughtSignature'] !== undefined) return part;
  losses.add(
    'synthesised',
    `${path}/signature`,
    'info',
    'the model demands a signature; the one to skip the check is sent',
  );
  return { ...part, thoughtSignature: SKIP_SIGNATURE };
}

function inCallOrder(
  { entries }: ResultTurn,
  order: readonly string[],
  losses: LossLog,
): readonly Placed<ToolResultItem>[] {
  const places = new Map(order.map((callId, place) => [callId, place]));
  const placeOf = ({ item }: Placed<ToolResultItem>): number => places.get(item.callId) ?? order.length;
  const sorted = [...entries].sort((left, right) => placeOf(left) - placeOf(right));
  entries.forEach(({ index }, at) => {
    if (sorted[at]?.index === index) return;
    losses.add('relocated', `/items/${index}`, 'info', 'results are in the order of their calls here');
  });
  return sorted;
}

function nameOf(
  item: ToolResultItem,
  names: ReadonlyMap<string, string>,
  index: number,
  losses: LossLog,
): string {
  if (item.name !== undefined) return item.name;
  const name = names.get(item.callId);
  if (name === undefined) {
    throw new ModelError('model/not-encodable', 'A tool result needs the name of its tool.', {
      pointer: `/items/${index}`,
    });
  }
  losses.add('synthesised', `/items/${index}/name`, 'info', 'a result says the name of its tool here');
  return name;
}
