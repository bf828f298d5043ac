import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';
import type { UnreadCall } from '../event/call-warning.ts';

/** The calls of a choice that is not read, in pieces or whole. */
export function unreadOfChoice(choice: JsonObject): readonly UnreadCall[] {
  const index = memberOf(choice, 'index');
  const place = `/choices/${typeof index === 'number' ? index : '-'}/message`;
  return [memberOf(choice, 'delta'), memberOf(choice, 'message')].flatMap((said) =>
    isJsonObject(said) ? unreadOfMessage(said, place) : [],
  );
}

/** The calls that a delta or a message holds, in both forms. */
export function unreadOfMessage(said: JsonObject, place: string): readonly UnreadCall[] {
  const listed = memberOf(said, 'tool_calls');
  const entries = isJsonArray(listed) ? listed : isJsonObject(listed) ? [listed] : [];
  const calls = entries.map((entry, ordinal) => readEntry(entry, ordinal, place));
  return [...calls, ...unreadLegacy(said, place)];
}

/** The call that a delta or a message says in the old form. */
export function unreadLegacy(said: JsonObject, place: string): readonly UnreadCall[] {
  const legacy = memberOf(said, 'function_call');
  if (!isJsonObject(legacy)) return [];
  return [{ place: `${place}/function_call`, callId: '', name: textOf(legacy, 'name') ?? '' }];
}

function readEntry(entry: JsonValue, ordinal: number, place: string): UnreadCall {
  if (!isJsonObject(entry)) return { place: `${place}/tool_calls/${ordinal}`, callId: '', name: '' };
  const index = memberOf(entry, 'index');
  const said = memberOf(entry, 'function') ?? memberOf(entry, 'custom');
  return {
    place: `${place}/tool_calls/${typeof index === 'number' ? index : ordinal}`,
    callId: textOf(entry, 'id') ?? '',
    name: isJsonObject(said) ? (textOf(said, 'name') ?? '') : '',
  };
}
