import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { Item, MessageItem, ReasoningItem, ToolCallItem, ToolResultItem } from '../call/item.ts';
import { compact } from '../codec/compact.ts';
import { keepFilled, keepUnread, toExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { readArguments } from '../codec/read-arguments.ts';
import { isPlaceholderId, syntheticId } from '../codec/synthetic-id.ts';
import { readMarkedParts } from '../codec/tool-error-mark.ts';
import { memberOf, textOf, unreadMembers, type WireReader } from '../codec/wire-reader.ts';
import { decodeParts } from './decode-parts.ts';
import { RESPONSES } from './responses-protocol.ts';

/** What reading an item needs besides the item. */
export interface ItemContext {
  readonly reader: WireReader;
  readonly losses: LossLog;
  /** Tells the ids of calls that have none from those of other bodies, for example the id of the response. */
  readonly seed: readonly (string | number | null)[];
  /** Whether the item is one of an answer: then its status is a fact of the answer and not of the item. */
  readonly answer: boolean;
}

const READ_MESSAGE = new Set(['type', 'role', 'content', 'id', 'status']);
const READ_CALL = new Set(['type', 'call_id', 'name', 'arguments', 'id', 'status']);
const READ_RESULT = new Set(['type', 'call_id', 'name', 'output', 'status']);
const READ_REASONING = new Set(['type', 'id', 'summary', 'content', 'encrypted_content', 'status']);

/** Reads one item of an input or an output. A type without a neutral form stays foreign and is never a client's call. */
export function decodeItem(context: ItemContext, item: JsonObject, pointer: string): Item {
  const type = memberOf(item, 'type');
  switch (type === undefined ? 'message' : (textOf(item, 'type') ?? '')) {
    case 'message':
      return decodeMessage(context, item, pointer);
    case 'function_call':
      return decodeCall(context, item, pointer);
    case 'function_call_output':
      return decodeResult(context, item, pointer);
    case 'reasoning':
      return decodeReasoning(context, item, pointer);
    default: {
      const fromUser =
        typeof type === 'string' && (type.endsWith('_output') || type === 'mcp_approval_response');
      return Object.freeze({
        kind: 'foreign',
        protocol: RESPONSES,
        role: fromUser ? 'user' : 'assistant',
        value: freezeJson(item),
      });
    }
  }
}

function decodeMessage(context: ItemContext, item: JsonObject, pointer: string): MessageItem {
  const { reader } = context;
  const role = memberOf(item, 'role') ?? (context.answer ? 'assistant' : undefined);
  if (role !== 'user' && role !== 'assistant' && role !== 'system' && role !== 'developer') {
    return reader.fail(`${pointer}/role`, 'is no known role');
  }
  return compact<MessageItem>({
    kind: 'message',
    role,
    parts: decodeParts(reader, memberOf(item, 'content') ?? [], `${pointer}/content`),
    id: textOf(item, 'id'),
    extensions: withStatus(context, item, READ_MESSAGE),
  });
}

function decodeCall(context: ItemContext, item: JsonObject, pointer: string): ToolCallItem {
  const { reader, losses } = context;
  const name = reader.string(memberOf(item, 'name'), `${pointer}/name`);
  if (name === '') reader.fail(`${pointer}/name`, 'must not be empty');
  return compact<ToolCallItem>({
    kind: 'tool-call',
    callId: readCallId(context, item, pointer),
    name,
    arguments: readArguments(memberOf(item, 'arguments'), `${pointer}/arguments`, losses),
    id: textOf(item, 'id'),
    extensions: withStatus(context, item, READ_CALL),
  });
}

/** The `call_id`, which alone pairs calls and results; the item's own id never does. */
export function readCallId({ losses, seed }: ItemContext, item: JsonObject, pointer: string): string {
  const callId = memberOf(item, 'call_id');
  if (typeof callId === 'string' && !isPlaceholderId(callId)) return callId;
  losses.add('synthesised', `${pointer}/call_id`, 'info', 'a call without an id got one');
  return syntheticId('call', ...seed, pointer, textOf(item, 'name') ?? '');
}

function decodeResult(context: ItemContext, item: JsonObject, pointer: string): ToolResultItem {
  const { reader } = context;
  const callId = reader.string(memberOf(item, 'call_id'), `${pointer}/call_id`);
  if (isPlaceholderId(callId)) reader.fail(`${pointer}/call_id`, 'names no call');
  const output = memberOf(item, 'output') ?? '';
  const { parts, isError } = readMarkedParts(decodeParts(reader, output, `${pointer}/output`));
  return compact<ToolResultItem>({
    kind: 'tool-result',
    callId,
    name: textOf(item, 'name'),
    parts,
    isError: isError ? true : undefined,
    extensions: withStatus(context, item, READ_RESULT),
  });
}

function decodeReasoning(context: ItemContext, item: JsonObject, pointer: string): ReasoningItem {
  const { reader } = context;
  const summary = decodeTexts(reader, memberOf(item, 'summary'), `${pointer}/summary`);
  const content = decodeTexts(reader, memberOf(item, 'content'), `${pointer}/content`);
  const encrypted = textOf(item, 'encrypted_content');
  const extensions = withStatus(context, item, READ_REASONING);
  return compact<ReasoningItem>({
    kind: 'reasoning',
    text: content.length === 0 ? undefined : content.join(''),
    summary: summary.length === 0 ? undefined : Object.freeze(summary),
    opaque:
      encrypted === undefined
        ? undefined
        : Object.freeze({ protocol: RESPONSES, form: 'encrypted', value: encrypted }),
    id: textOf(item, 'id'),
    extensions:
      content.length < 2
        ? extensions
        : toExtensions(RESPONSES, { ...extensions?.members, content: memberOf(item, 'content') ?? [] }),
  });
}

function decodeTexts(reader: WireReader, value: JsonValue | undefined, pointer: string): string[] {
  if (value === undefined || value === null) return [];
  return reader.array(value, pointer).map((part, index) => {
    if (!isJsonObject(part)) return reader.fail(`${pointer}/${index}`, 'must be an object');
    return reader.string(memberOf(part, 'text'), `${pointer}/${index}/text`);
  });
}

/** Unread members, and in a request also a status other than the usual one. */
function withStatus(
  { answer }: ItemContext,
  item: JsonObject,
  read: ReadonlySet<string>,
): Extensions | undefined {
  const status = memberOf(item, 'status');
  if (answer) return keepFilled(RESPONSES, item, read);
  if (status === undefined || status === null || status === 'completed')
    return keepUnread(RESPONSES, item, read);
  return toExtensions(RESPONSES, { ...unreadMembers(item, read), status });
}
