import type { JsonObject } from '@toolgate/core';
import type { ToolResultItem } from '../call/item.ts';
import { compact } from '../codec/compact.ts';
import { keepUnread } from '../codec/extensions.ts';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { readMarkedParts } from '../codec/tool-error-mark.ts';
import { memberOf } from '../codec/wire-reader.ts';
import { CHAT } from './chat-protocol.ts';
import type { MessageContext } from './decode-assistant.ts';
import { decodeContent } from './decode-content.ts';

const READ = new Set(['role', 'content', 'tool_call_id', 'name']);

/** A tool's result, or its legacy form, a `function` message, which is paired by name. */
export function decodeToolMessage(
  { reader, ids, losses }: MessageContext,
  role: 'tool' | 'function',
  message: JsonObject,
  pointer: string,
): ToolResultItem {
  const name = reader.optional('string', memberOf(message, 'name'), `${pointer}/name`) ?? undefined;
  const given = memberOf(message, 'tool_call_id');
  const named = typeof given === 'string' && !isPlaceholderId(given);
  const callId = named
    ? given
    : (ids.ofResult(role === 'function' ? name : undefined) ??
      reader.fail(`${pointer}/tool_call_id`, 'names no call, and no call without an id waits'));
  if (!named) {
    losses.add(
      'synthesised',
      `${pointer}/tool_call_id`,
      'info',
      'a result without an id was paired by its place',
    );
  }
  const { parts, isError } = readMarkedParts(
    decodeContent(reader, memberOf(message, 'content') ?? '', `${pointer}/content`),
  );
  return compact<ToolResultItem>({
    kind: 'tool-result',
    callId,
    name,
    parts,
    isError: isError ? true : undefined,
    extensions: keepUnread(CHAT, message, READ),
  });
}
