import { isJsonObject, type JsonObject, writeJson } from '@toolgate/core';
import type { Item, MessageItem, ReasoningItem, ToolCallItem, ToolResultItem } from '../call/item.ts';
import type { Instruction, ModelCall } from '../call/model-call.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { noteLeadingOperator } from '../codec/leading-operator.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { markFirstText, noteToolError } from '../codec/tool-error-mark.ts';
import { encodeInputPart, encodeOutputPart, textPart, toContent } from './encode-parts.ts';
import { RESPONSES } from './responses-protocol.ts';
import type { FunctionCall, FunctionCallOutput, Reasoning } from './responses-wire.ts';

/** The `input` member: the instructions that the dedicated member does not hold, then the conversation in order. */
export function encodeItems(
  call: ModelCall,
  leading: readonly Instruction[],
  losses: LossLog,
): readonly JsonObject[] {
  const skipped = (call.instructions?.length ?? 0) - leading.length;
  const input = leading.map((instruction, index) =>
    encodeInstruction(instruction, `/instructions/${skipped + index}`, losses),
  );
  noteLeadingOperator(call.items, losses);
  call.items.forEach((item, index) => {
    const encoded = encodeItem(item, `/items/${index}`, losses);
    if (encoded !== undefined) input.push(encoded);
  });
  return input;
}

function encodeInstruction(
  { role, text, extensions }: Instruction,
  path: string,
  losses: LossLog,
): JsonObject {
  const members = takeExtensions(RESPONSES, extensions, path, losses, { severity: 'info' });
  return { ...members, type: 'message', role, content: toContent([textPart(text)]) };
}

function encodeItem(item: Item, path: string, losses: LossLog): JsonObject | undefined {
  switch (item.kind) {
    case 'message':
      return item.role === 'assistant' ? encodeAnswer(item, path, losses) : encodeMessage(item, path, losses);
    case 'tool-call':
      return encodeCall(item, path, losses);
    case 'tool-result':
      return encodeResult(item, path, losses);
    case 'reasoning':
      return encodeReasoning(item, path, losses);
    case 'foreign':
      if (item.protocol === RESPONSES && isJsonObject(item.value)) return item.value;
      losses.add('refused', path, 'error', 'an item that only its own protocol understands');
      return undefined;
  }
}

function encodeMessage(item: MessageItem, path: string, losses: LossLog): JsonObject {
  const parts = item.parts.map((part, index) => encodeInputPart(part, `${path}/parts/${index}`, losses));
  if (parts.length === 0)
    losses.add('approximated', `${path}/parts`, 'info', 'a message without parts is empty text');
  return {
    ...takeExtensions(RESPONSES, item.extensions, path, losses),
    type: 'message',
    role: item.role,
    content: toContent(parts),
    ...(item.id === undefined ? {} : { id: item.id }),
  };
}

/** A replayed answer. One with an id is written as the answer it was; one without an id has no such form. */
function encodeAnswer(item: MessageItem, path: string, losses: LossLog): JsonObject {
  const members = takeExtensions(RESPONSES, item.extensions, path, losses);
  const [only] = item.parts;
  if (
    item.id === undefined &&
    item.parts.length === 1 &&
    only?.kind === 'text' &&
    only.extensions === undefined
  ) {
    return { ...members, type: 'message', role: 'assistant', content: only.text };
  }
  const content = item.parts.map((part, index) => encodeOutputPart(part, `${path}/parts/${index}`, losses));
  const identity = item.id === undefined ? {} : { id: item.id, status: 'completed' };
  return { ...identity, ...members, type: 'message', role: 'assistant', content };
}

function encodeCall(item: ToolCallItem, path: string, losses: LossLog): JsonObject {
  if (item.signature !== undefined) {
    losses.add('dropped', `${path}/signature`, 'warning', 'a thought signature has no form here');
  }
  const call: FunctionCall = {
    type: 'function_call',
    call_id: item.callId,
    name: item.name,
    arguments: item.arguments,
    ...(item.id === undefined ? {} : { id: item.id }),
  };
  return { ...takeExtensions(RESPONSES, item.extensions, path, losses), ...call };
}

function encodeResult(item: ToolResultItem, path: string, losses: LossLog): JsonObject {
  const parts = item.parts.map((part, index) => encodeInputPart(part, `${path}/parts/${index}`, losses));
  if (item.structured !== undefined && parts.length === 0) {
    losses.add('approximated', `${path}/structured`, 'info', 'a structured result is written as JSON text');
    parts.push(textPart(writeJson(item.structured, { maxBytes: 'none' })));
  } else if (item.structured !== undefined) {
    losses.add('dropped', `${path}/structured`, 'warning', 'a result is text here, and this one has parts');
  }
  if (item.parts.length === 0)
    losses.add('approximated', `${path}/parts`, 'info', 'a result without parts is text');
  if (item.name !== undefined) losses.add('dropped', `${path}/name`, 'info', 'the call names the tool here');
  noteToolError(item, path, losses);
  const marked = markFirstText(parts, item.isError === true, textPart);
  const result = { type: 'function_call_output', call_id: item.callId } satisfies Partial<FunctionCallOutput>;
  return {
    ...takeExtensions(RESPONSES, item.extensions, path, losses),
    ...result,
    output: toContent(marked),
  };
}

/** Thoughts go back only to this protocol: they carry its encryption, or the id under which it stores them. */
function encodeReasoning(item: ReasoningItem, path: string, losses: LossLog): JsonObject | undefined {
  const { id, opaque, extensions } = item;
  if (id === undefined || (opaque !== undefined && opaque.protocol !== RESPONSES)) {
    losses.add('dropped', path, 'warning', 'reasoning of another route is not replayed');
    return undefined;
  }
  return { ...toReasoning(item, id), ...takeExtensions(RESPONSES, extensions, path, losses) };
}

/** A thought as this wire writes it; also used for answers. */
export function toReasoning({ text, summary = [], opaque }: ReasoningItem, id: string): Reasoning {
  return {
    type: 'reasoning',
    id,
    summary: summary.map((part) => ({ type: 'summary_text', text: part })),
    ...(text === undefined ? {} : { content: [{ type: 'reasoning_text', text }] }),
    ...(opaque?.protocol === RESPONSES ? { encrypted_content: opaque.value } : {}),
  };
}
