import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ContentPart, Item, MessageItem, ReasoningItem, ToolCallItem } from '../call/item.ts';
import { fromArgumentValue } from '../codec/argument-object.ts';
import { compact } from '../codec/compact.ts';
import { keepFilled, keepUnread } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { UNSIGNED_THOUGHT } from '../codec/unsigned-thought.ts';
import { memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import type { CallIds } from '../openai-chat/call-ids.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { textPart } from './decode-content.ts';

/** What reading one message needs besides the message. */
export interface MessageContext {
  readonly reader: WireReader;
  readonly ids: CallIds;
  readonly losses: LossLog;
  /** Whether the message is an answer: members that servers add without a value say nothing then. */
  readonly answer?: boolean;
}

const READ_TEXT = new Set(['type', 'text']);
const READ_THINKING = new Set(['type', 'thinking', 'signature']);
const READ_REDACTED = new Set(['type', 'data']);
const READ_CALL = new Set(['type', 'id', 'name', 'input']);

/**
 * The items of an assistant message, in the order of its blocks. Blocks that the provider itself runs
 * (`server_tool_use` and its results) and blocks of a kind that is not known are foreign: kept for replay, never calls.
 */
export function decodeAssistant(
  context: MessageContext,
  content: JsonValue,
  pointer: string,
): readonly Item[] {
  if (typeof content === 'string') return [toMessage([textPart(content, undefined)])];
  const items: Item[] = [];
  let parts: ContentPart[] = [];
  const flush = (): void => {
    if (parts.length > 0) items.push(toMessage(parts));
    parts = [];
  };
  context.reader.parts(content, pointer).forEach((value, index) => {
    const place = `${pointer}/${index}`;
    const block = context.reader.object(value, place);
    const text = memberOf(block, 'type') === 'text' ? textOf(block, 'text') : undefined;
    if (text !== undefined) {
      parts.push(textPart(text, rest(context, block, READ_TEXT)));
      return;
    }
    flush();
    items.push(decodeBlock(context, block, place));
  });
  flush();
  return items;
}

function decodeBlock(context: MessageContext, block: JsonObject, pointer: string): Item {
  switch (textOf(block, 'type') ?? '') {
    case 'thinking':
      return decodeThinking(context, block) ?? toForeign(block);
    case 'redacted_thinking':
      return decodeRedacted(context, block) ?? toForeign(block);
    case 'tool_use':
      return decodeCall(context, block, pointer);
    default:
      return toForeign(block);
  }
}

function decodeThinking(context: MessageContext, block: JsonObject): ReasoningItem | undefined {
  const text = textOf(block, 'thinking');
  if (text === undefined) return undefined;
  const signature = textOf(block, 'signature');
  // In an answer the mark says what it stands for; in a conversation it tells whose thoughts are not to be sent on.
  const given = context.answer === true && signature === UNSIGNED_THOUGHT ? undefined : signature;
  return thought(text, given, rest(context, block, READ_THINKING));
}

/** A thought with its signature; an empty text and an empty signature are none. */
export function thought(
  text: string,
  signature: string | undefined,
  extensions: Extensions | undefined,
): ReasoningItem {
  return compact<ReasoningItem>({
    kind: 'reasoning',
    text: text === '' ? undefined : text,
    opaque: toOpaque('signature', signature),
    extensions,
  });
}

/** An opaque value of this protocol, where there is one. */
export function toOpaque(form: 'signature' | 'redacted', value: string | undefined): ReasoningItem['opaque'] {
  return value === undefined || value === ''
    ? undefined
    : Object.freeze({ protocol: ANTHROPIC, form, value });
}

function decodeRedacted(context: MessageContext, block: JsonObject): ReasoningItem | undefined {
  const opaque = toOpaque('redacted', textOf(block, 'data'));
  if (opaque === undefined) return undefined;
  return compact<ReasoningItem>({
    kind: 'reasoning',
    opaque,
    extensions: rest(context, block, READ_REDACTED),
  });
}

function decodeCall(context: MessageContext, block: JsonObject, pointer: string): ToolCallItem {
  const { reader, ids, losses } = context;
  const name = reader.string(memberOf(block, 'name'), `${pointer}/name`);
  if (name === '') reader.fail(`${pointer}/name`, 'must not be empty');
  const text = fromArgumentValue(memberOf(block, 'input'));
  const { callId, synthesised } = ids.ofCall(memberOf(block, 'id'), { pointer, name, text });
  if (synthesised) losses.add('synthesised', `${pointer}/id`, 'info', 'a call without an id got one');
  return compact<ToolCallItem>({
    kind: 'tool-call',
    callId,
    name,
    arguments: text,
    extensions: callExtensions(block, context.answer === true),
  });
}

/** What a call carries besides the neutral members. That the model itself made it needs no saying. */
export function callExtensions(block: JsonObject, answer: boolean): Extensions | undefined {
  const caller = memberOf(block, 'caller');
  const direct =
    isJsonObject(caller) && memberOf(caller, 'type') === 'direct' && Object.keys(caller).length === 1;
  const read = direct ? new Set([...READ_CALL, 'caller']) : READ_CALL;
  return answer ? keepFilled(ANTHROPIC, block, read) : keepUnread(ANTHROPIC, block, read);
}

function rest(context: MessageContext, block: JsonObject, read: ReadonlySet<string>): Extensions | undefined {
  return context.answer === true ? keepFilled(ANTHROPIC, block, read) : keepUnread(ANTHROPIC, block, read);
}

function toMessage(parts: readonly ContentPart[]): MessageItem {
  return Object.freeze({ kind: 'message', role: 'assistant', parts: Object.freeze(parts) });
}

function toForeign(value: JsonObject): Item {
  return Object.freeze({ kind: 'foreign', protocol: ANTHROPIC, role: 'assistant', value: freezeJson(value) });
}
