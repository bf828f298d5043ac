import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type {
  ContentPart,
  ForeignItem,
  Item,
  MessageItem,
  ReasoningItem,
  ToolCallItem,
} from '../call/item.ts';
import { keepFilled, keepUnread, keepUnreadNested, toExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { readArguments } from '../codec/read-arguments.ts';
import { isJsonArray, memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import { readImages } from './answer-images.ts';
import { READ_ASSISTANT, THOUGHTS } from './assistant-members.ts';
import { isCustomEntry } from './call-delta.ts';
import type { CallIds } from './call-ids.ts';
import { CHAT } from './chat-protocol.ts';
import { decodeContent } from './decode-content.ts';
import { isThinkingPart, type ThoughtField, thinkingText } from './thinking-part.ts';

/** What reading one message needs besides the message. */
export interface MessageContext {
  readonly reader: WireReader;
  readonly ids: CallIds;
  readonly losses: LossLog;
  /** Whether the message is an answer: members that servers add without a value say nothing then. */
  readonly answer?: boolean;
}

const READ_ANSWER = new Set([...READ_ASSISTANT, 'images']);
const READ_CALL = new Set(['id', 'type', 'function', 'index']);
const READ_FUNCTION = new Set(['name', 'arguments']);
const NO_PARTS: readonly ContentPart[] = Object.freeze([]);
const NONE: readonly JsonValue[] = [];

/**
 * The items of an assistant message, in the one order of this protocol: reasoning, text, calls. `pointer` also seeds
 * the ids of calls that have none.
 */
export function decodeAssistant(
  context: MessageContext,
  message: JsonObject,
  pointer: string,
): readonly Item[] {
  const { reader } = context;
  const calls = decodeCalls(context, message, pointer);
  const { content, thought } = partThoughts(memberOf(message, 'content'), pointer, context.losses);
  const spoken =
    content === undefined || content === null
      ? NO_PARTS
      : decodeContent(reader, content, typeof content === 'string' ? '' : `${pointer}/content`);
  const refusal = reader.member('string', message, 'refusal', pointer);
  const words =
    refusal === undefined || refusal === ''
      ? spoken
      : [...spoken, Object.freeze({ kind: 'refusal' as const, text: refusal })];
  const images = context.answer === true ? readImages(memberOf(message, 'images')) : NO_PARTS;
  const parts = images.length === 0 ? words : [...words, ...images];
  const reasoning = decodeReasoning(message) ?? toReasoning(thought, 'thinking');
  const extensions =
    context.answer === true
      ? keepFilled(CHAT, message, READ_ANSWER)
      : keepUnread(CHAT, message, READ_ASSISTANT);
  const bare = calls.length === 0 && reasoning === undefined;
  // Beside calls, thoughts or a refusal, empty content says nothing: servers write it where others write null.
  const said = bare && parts.length === 1 ? parts : filledOf(parts);
  if (said.length === 0 && extensions === undefined && !bare)
    return reasoning === undefined ? calls : [reasoning, ...calls];
  const item = toMessage(said, extensions);
  return reasoning === undefined ? [item, ...calls] : [reasoning, item, ...calls];
}

/** The parts that say something: the list itself where all of them do. */
function filledOf(parts: readonly ContentPart[]): readonly ContentPart[] {
  // By index, here and below: an engine walks a frozen list by iterator at several times the cost.
  for (let index = 0; index < parts.length; index++) {
    if (!isFilled(parts[index])) return parts.filter(isFilled);
  }
  return parts;
}

function isFilled(part: ContentPart | undefined): boolean {
  return part?.kind !== 'text' || part.text !== '';
}

function toMessage(said: readonly ContentPart[], extensions: Extensions | undefined): MessageItem {
  const parts = Object.freeze(said);
  return Object.freeze(
    extensions === undefined
      ? { kind: 'message', role: 'assistant', parts }
      : { kind: 'message', role: 'assistant', parts, extensions },
  );
}

function decodeReasoning(message: JsonObject): ReasoningItem | undefined {
  for (const field of THOUGHTS) {
    const reasoning = toReasoning(textOf(message, field), field);
    if (reasoning !== undefined) return reasoning;
  }
  return undefined;
}

function toReasoning(text: string | undefined, field: ThoughtField): ReasoningItem | undefined {
  if (text === undefined || text === '') return undefined;
  return Object.freeze({ kind: 'reasoning', text, extensions: toExtensions(CHAT, { field }) });
}

interface PartedContent {
  readonly content: JsonValue | undefined;
  /** The thoughts among its parts, as one; pieces of a stream are joined so, too. */
  readonly thought?: string;
}

function partThoughts(content: JsonValue | undefined, pointer: string, losses: LossLog): PartedContent {
  if (!isJsonArray(content) || !content.some(isThinkingPart)) return { content };
  let thought = '';
  const rest = content.filter((part, index) => {
    if (!isThinkingPart(part)) return true;
    thought += thinkingText(part, `${pointer}/content/${index}`, losses);
    return false;
  });
  return { content: rest, thought };
}

function decodeCalls(
  context: MessageContext,
  message: JsonObject,
  pointer: string,
): readonly (ToolCallItem | ForeignItem)[] {
  const { reader, ids, losses } = context;
  const calls: (ToolCallItem | ForeignItem)[] = [];
  for (const entry of reader.member('array', message, 'tool_calls', pointer) ?? NONE) {
    const place = `${pointer}/tool_calls/${calls.length}`;
    calls.push(decodeCall(context, reader.object(entry, place), place));
  }
  const legacy = reader.member('object', message, 'function_call', pointer);
  if (legacy === undefined) return calls;
  const place = `${pointer}/function_call`;
  if (calls.length > 0) {
    // Some servers say each call in the old form as well; it is one call.
    losses.add('dropped', place, 'info', 'a call that is listed, said again');
    return calls;
  }
  const name = readName(reader, legacy, place, '');
  const text = argumentsOf(legacy, place, '', losses);
  const { callId } = ids.ofCall(undefined, { pointer: place, name, text });
  losses.add('synthesised', place, 'info', 'a legacy function call became a tool call with an id');
  return [Object.freeze({ kind: 'tool-call', callId, name, arguments: text })];
}

function decodeCall(
  { reader, ids, losses }: MessageContext,
  call: JsonObject,
  pointer: string,
): ToolCallItem | ForeignItem {
  const called = memberOf(call, 'function');
  // As in a stream, the type alone makes no other call of one that names a function: servers write words of their own.
  if (!isJsonObject(called) || isCustomEntry(call)) return toForeign(call);
  const name = readName(reader, called, pointer, '/function');
  const text = argumentsOf(called, pointer, '/function', losses);
  const { callId, synthesised } = ids.ofCall(memberOf(call, 'id'), { pointer, name, text });
  if (synthesised) losses.add('synthesised', `${pointer}/id`, 'info', 'a call without an id got one');
  const extensions = keepUnreadNested(CHAT, call, READ_CALL, {
    name: 'function',
    object: called,
    read: READ_FUNCTION,
  });
  return Object.freeze(
    extensions === undefined
      ? { kind: 'tool-call', callId, name, arguments: text }
      : { kind: 'tool-call', callId, name, arguments: text, extensions },
  );
}

/** The name in the object that stands at a place below the pointer; they are joined only where they are told. */
function readName(reader: WireReader, called: JsonObject, pointer: string, below: string): string {
  const name = memberOf(called, 'name');
  if (typeof name === 'string' && name !== '') return name;
  const place = `${pointer}${below}/name`;
  return reader.fail(place, name === '' ? 'must not be empty' : 'must be a string');
}

function argumentsOf(called: JsonObject, pointer: string, below: string, losses: LossLog): string {
  const value = memberOf(called, 'arguments');
  return typeof value === 'string' ? value : readArguments(value, `${pointer}${below}/arguments`, losses);
}

/** A call of a custom tool, which has text and no arguments; only this protocol can replay it. */
function toForeign(value: JsonValue): ForeignItem {
  return Object.freeze({ kind: 'foreign', protocol: CHAT, role: 'assistant', value: freezeJson(value) });
}
