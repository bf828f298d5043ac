import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Item } from '../call/item.ts';
import type { Instruction } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { keepUnread } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { memberOf, type WireReader } from '../codec/wire-reader.ts';
import { createCallIds } from './call-ids.ts';
import { CHAT } from './chat-protocol.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { decodeContent } from './decode-content.ts';
import { decodeToolMessage } from './decode-tool-message.ts';

const READ = new Set(['role', 'content']);

/** The instructions and the conversation of a request. */
export interface DecodedMessages {
  readonly instructions?: readonly Instruction[];
  readonly items: readonly Item[];
}

/** Reads all messages; each becomes at least one instruction or item, or the request is refused. */
export function decodeMessages(
  reader: WireReader,
  value: JsonValue | undefined,
  losses: LossLog,
): DecodedMessages {
  const instructions: Instruction[] = [];
  const items: Item[] = [];
  const ids = createCallIds();
  reader.array(value, '/messages').forEach((entry, index) => {
    const plain = plainMessage(entry);
    if (plain !== undefined) {
      items.push(plain);
      return;
    }
    const pointer = `/messages/${index}`;
    const message = reader.object(entry, pointer);
    const role = reader.string(memberOf(message, 'role'), `${pointer}/role`);
    switch (role) {
      case 'system':
      case 'developer': {
        const leading = items.length === 0 ? decodeInstructions(reader, role, message, pointer) : undefined;
        if (leading === undefined) items.push(decodeMessage(reader, role, message, pointer));
        else instructions.push(...leading);
        return;
      }
      case 'user':
        items.push(decodeMessage(reader, role, message, pointer));
        return;
      case 'assistant':
        items.push(...decodeAssistant({ reader, ids, losses }, message, pointer));
        return;
      case 'tool':
      case 'function':
        items.push(decodeToolMessage({ reader, ids, losses }, role, message, pointer));
        return;
      default:
        reader.fail(`${pointer}/role`, 'is no known role');
    }
  });
  return {
    ...(instructions.length === 0 ? {} : { instructions: Object.freeze(instructions) }),
    items: Object.freeze(items),
  };
}

/** What nearly all messages are: a text of a user or an assistant, and nothing else. */
function plainMessage(value: JsonValue): Item | undefined {
  if (!isJsonObject(value)) return undefined;
  const role = memberOf(value, 'role');
  const text = memberOf(value, 'content');
  if ((role !== 'user' && role !== 'assistant') || typeof text !== 'string') return undefined;
  for (const name in value) if (name !== 'role' && name !== 'content') return undefined;
  const parts = Object.freeze([Object.freeze({ kind: 'text', text } as const)]);
  return Object.freeze({ kind: 'message', role, parts });
}

function decodeMessage(
  reader: WireReader,
  role: 'user' | 'system' | 'developer',
  message: JsonObject,
  pointer: string,
): Item {
  const parts = decodeContent(reader, memberOf(message, 'content') ?? '', `${pointer}/content`);
  const extensions = keepUnread(CHAT, message, READ);
  return Object.freeze(
    extensions === undefined
      ? { kind: 'message', role, parts }
      : { kind: 'message', role, parts, extensions },
  );
}

/** One instruction a text part, or `undefined` where the message holds more than text. */
function decodeInstructions(
  reader: WireReader,
  role: 'system' | 'developer',
  message: JsonObject,
  pointer: string,
): readonly Instruction[] | undefined {
  const parts = decodeContent(reader, memberOf(message, 'content') ?? '', `${pointer}/content`);
  const members = keepUnread(CHAT, message, READ);
  const instructions: Instruction[] = [];
  for (const part of parts) {
    if (part.kind !== 'text') return undefined;
    const { text, extensions } = part;
    // A member of the message and one of a part cannot share one place: then it stays a message.
    if (members !== undefined && (extensions !== undefined || parts.length > 1)) return undefined;
    instructions.push(compact<Instruction>({ role, text, extensions: extensions ?? members }));
  }
  return instructions.length === 0 ? undefined : instructions;
}
