import { freezeJson, type JsonObject, type JsonValue } from '@toolgate/core';
import type {
  ContentPart,
  ForeignItem,
  Item,
  MessageItem,
  ReasoningItem,
  ToolCallItem,
} from '../call/item.ts';
import type { Extensions } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { keepFilled, keepUnread, keepUnreadNested, toExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { readArguments } from '../codec/read-arguments.ts';
import { isJsonObject, memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import { isCustomEntry } from './call-delta.ts';
import type { CallIds } from './call-ids.ts';
import { CHAT } from './chat-protocol.ts';
import { decodeContent } from './decode-content.ts';

/** What reading one message needs besides the message. */
export interface MessageContext {
  readonly reader: WireReader;
  readonly ids: CallIds;
  readonly losses: LossLog;
  /** Whether the message is an answer: members that servers add without a value say nothing then. */
  readonly answer?: boolean;
}

const READ = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
]);
const READ_CALL = new Set(['id', 'type', 'function', 'index']);
const READ_FUNCTION = new Set(['name', 'arguments']);
const REASONING = ['reasoning_content', 'reasoning'] as const;

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
  const parts: ContentPart[] = [];
  const content = memberOf(message, 'content');
  if (content !== undefined && content !== null)
    for (const part of decodeContent(reader, content, `${pointer}/content`)) parts.push(part);
  const refusal = reader.optional('string', memberOf(message, 'refusal'), `${pointer}/refusal`);
  if (typeof refusal === 'string' && refusal !== '')
    parts.push(Object.freeze({ kind: 'refusal', text: refusal }));
  const reasoning = decodeReasoning(message);
  const extensions =
    context.answer === true ? keepFilled(CHAT, message, READ) : keepUnread(CHAT, message, READ);
  const bare = calls.length === 0 && reasoning === undefined;
  // Beside calls, thoughts or a refusal, empty content says nothing: servers write it where others write null.
  const said = parts.filter((part, index) => {
    return part.kind !== 'text' || part.text !== '' || (bare && parts.length === 1 && index === 0);
  });
  const items: Item[] = reasoning === undefined ? [] : [reasoning];
  if (said.length > 0 || extensions !== undefined || bare) items.push(toMessage(said, extensions));
  for (const call of calls) items.push(call);
  return items;
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
  for (const field of REASONING) {
    const text = textOf(message, field);
    if (text !== undefined && text !== '') {
      return Object.freeze({ kind: 'reasoning', text, extensions: toExtensions(CHAT, { field }) });
    }
  }
  return undefined;
}

function decodeCalls(
  context: MessageContext,
  message: JsonObject,
  pointer: string,
): readonly (ToolCallItem | ForeignItem)[] {
  const { reader, ids, losses } = context;
  const listed = reader.optional('array', memberOf(message, 'tool_calls'), `${pointer}/tool_calls`);
  const calls = (listed ?? []).map((entry, index) => {
    const place = `${pointer}/tool_calls/${index}`;
    return decodeCall(context, reader.object(entry, place), place);
  });
  const legacy = reader.optional('object', memberOf(message, 'function_call'), `${pointer}/function_call`);
  if (legacy === undefined || legacy === null) return calls;
  const place = `${pointer}/function_call`;
  if (calls.length > 0) {
    // Some servers say each call in the old form as well; it is one call.
    losses.add('dropped', place, 'info', 'a call that is listed, said again');
    return calls;
  }
  const name = readName(reader, legacy, place);
  const text = readArguments(memberOf(legacy, 'arguments'), `${place}/arguments`, losses);
  const { callId } = ids.ofCall(undefined, { pointer: place, name, text });
  losses.add('synthesised', place, 'info', 'a legacy function call became a tool call with an id');
  return [...calls, Object.freeze({ kind: 'tool-call', callId, name, arguments: text })];
}

function decodeCall(
  { reader, ids, losses }: MessageContext,
  call: JsonObject,
  pointer: string,
): ToolCallItem | ForeignItem {
  const called = memberOf(call, 'function');
  // As in a stream, the type alone makes no other call of one that names a function: servers write words of their own.
  if (!isJsonObject(called) || isCustomEntry(call)) return toForeign(call);
  const name = readName(reader, called, `${pointer}/function`);
  const text = readArguments(memberOf(called, 'arguments'), `${pointer}/function/arguments`, losses);
  const { callId, synthesised } = ids.ofCall(memberOf(call, 'id'), { pointer, name, text });
  if (synthesised) losses.add('synthesised', `${pointer}/id`, 'info', 'a call without an id got one');
  return compact<ToolCallItem>({
    kind: 'tool-call',
    callId,
    name,
    arguments: text,
    extensions: keepUnreadNested(CHAT, call, READ_CALL, {
      name: 'function',
      object: called,
      read: READ_FUNCTION,
    }),
  });
}

function readName(reader: WireReader, called: JsonObject, pointer: string): string {
  const name = reader.string(memberOf(called, 'name'), `${pointer}/name`);
  return name === '' ? reader.fail(`${pointer}/name`, 'must not be empty') : name;
}

/** A call of a custom tool, which has text and no arguments; only this protocol can replay it. */
function toForeign(value: JsonValue): ForeignItem {
  return Object.freeze({ kind: 'foreign', protocol: CHAT, role: 'assistant', value: freezeJson(value) });
}
