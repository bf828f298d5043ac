import { isJsonObject, type JsonArray } from '@toolgate/core';
import type { UnreadCall } from '../event/call-warning.ts';
import { mayAskClient } from './asks-client.ts';
import { memberOf, textOf } from './wire-reader.ts';

/** Kinds of items and blocks that say something and are no calls. */
const SAYS: ReadonlySet<string> = new Set(['message', 'reasoning', 'text', 'thinking', 'redacted_thinking']);

/** The calls of a list of items or blocks that no event tells: those that it asks its client for, or may ask. */
export function unreadOfList(
  protocol: 'anthropic' | 'openai-responses',
  list: JsonArray,
  place: string,
): readonly UnreadCall[] {
  return list.flatMap((entry, at) => {
    if (!isJsonObject(entry)) return [];
    const type = textOf(entry, 'type') ?? '';
    if (SAYS.has(type) || !mayAskClient(protocol, memberOf(entry, 'type'))) return [];
    const callId = textOf(entry, 'call_id') ?? textOf(entry, 'id') ?? '';
    return [{ place: `${place}/${at}`, callId, name: textOf(entry, 'name') ?? type }];
  });
}
