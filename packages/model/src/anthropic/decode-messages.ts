import type { JsonObject, JsonValue } from '@toolgate/core';
import type { ContentPart, Item, ToolResultItem } from '../call/item.ts';
import type { Instruction } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { keepUnread } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { memberOf, unreadMembers, type WireReader } from '../codec/wire-reader.ts';
import { createCallIds } from '../openai-chat/call-ids.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { decodeAssistant, type MessageContext } from './decode-assistant.ts';
import { decodeContent, decodePart, textPart } from './decode-content.ts';

const READ = new Set(['role', 'content']);
const READ_RESULT = new Set(['type', 'tool_use_id', 'content', 'is_error']);

/** The `system` member: a text, or a list of text blocks, each an instruction of its own. */
export function decodeSystem(
  reader: WireReader,
  value: JsonValue | undefined,
): readonly Instruction[] | null | undefined {
  if (value === undefined || value === null) return value;
  if (typeof value === 'string') return Object.freeze([Object.freeze({ role: 'system', text: value })]);
  return Object.freeze(
    decodeContent(reader, value, '/system').map((part, index) => {
      if (part.kind !== 'text') return reader.fail(`/system/${index}`, 'must be a text block');
      return compact<Instruction>({ role: 'system', text: part.text, extensions: part.extensions });
    }),
  );
}

/** The conversation. The blocks of one user message become results and messages, in their order. */
export function decodeMessages(
  reader: WireReader,
  value: JsonValue | undefined,
  losses: LossLog,
): readonly Item[] {
  const context: MessageContext = { reader, ids: createCallIds(), losses };
  const items: Item[] = [];
  reader.array(value, '/messages').forEach((entry, index) => {
    const pointer = `/messages/${index}`;
    const message = reader.object(entry, pointer);
    const content = memberOf(message, 'content') ?? reader.fail(`${pointer}/content`, 'is missing');
    const place = `${pointer}/content`;
    switch (reader.string(memberOf(message, 'role'), `${pointer}/role`)) {
      case 'user':
        items.push(...decodeUser(context, content, place));
        break;
      case 'assistant':
        items.push(...decodeAssistant(context, content, place));
        break;
      case 'system':
        items.push(toMessage('system', decodeContent(reader, content, place)));
        break;
      default:
        reader.fail(`${pointer}/role`, 'is no known role');
    }
    if (unreadMembers(message, READ) !== undefined) {
      losses.add('dropped', pointer, 'info', 'members of a message that have no neutral form');
    }
  });
  return Object.freeze(items);
}

function decodeUser(context: MessageContext, content: JsonValue, pointer: string): readonly Item[] {
  if (typeof content === 'string') return [toMessage('user', [textPart(content, undefined)])];
  const items: Item[] = [];
  let parts: ContentPart[] = [];
  const flush = (): void => {
    if (parts.length > 0) items.push(toMessage('user', parts));
    parts = [];
  };
  context.reader.parts(content, pointer).forEach((value, index) => {
    const place = `${pointer}/${index}`;
    const block = context.reader.object(value, place);
    if (memberOf(block, 'type') !== 'tool_result') parts.push(decodePart(block));
    else {
      flush();
      items.push(decodeResult(context, block, place));
    }
  });
  flush();
  return items;
}

function decodeResult(
  { reader, ids, losses }: MessageContext,
  block: JsonObject,
  pointer: string,
): ToolResultItem {
  const given = memberOf(block, 'tool_use_id');
  const named = typeof given === 'string' && !isPlaceholderId(given);
  const callId = named
    ? given
    : (ids.ofResult(undefined) ??
      reader.fail(`${pointer}/tool_use_id`, 'names no call, and no call without an id waits'));
  if (!named) {
    losses.add(
      'synthesised',
      `${pointer}/tool_use_id`,
      'info',
      'a result without an id was paired by its place',
    );
  }
  const content = memberOf(block, 'content');
  const isError = reader.optional('boolean', memberOf(block, 'is_error'), `${pointer}/is_error`);
  return compact<ToolResultItem>({
    kind: 'tool-result',
    callId,
    parts:
      content === undefined || content === null
        ? Object.freeze([])
        : decodeContent(reader, content, `${pointer}/content`),
    isError: isError === true ? true : undefined,
    extensions: keepUnread(ANTHROPIC, block, READ_RESULT),
  });
}

function toMessage(role: 'user' | 'system', parts: readonly ContentPart[]): Item {
  return Object.freeze({ kind: 'message', role, parts: Object.freeze(parts) });
}
