import { isJsonObject, type JsonObject } from '@toolgate/core';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';
import type { UnreadCall } from '../event/call-warning.ts';

/** Names the calls of candidates that are not read, over the pieces of an answer. */
export function createUnreadCandidates(): (candidate: JsonObject) => readonly UnreadCall[] {
  const counts = new Map<unknown, number>();
  return (candidate) => {
    const index = memberOf(candidate, 'index');
    const content = memberOf(candidate, 'content');
    const parts = isJsonObject(content) ? memberOf(content, 'parts') : undefined;
    if (!isJsonArray(parts)) return [];
    return parts.flatMap((part) => {
      const call = isJsonObject(part) ? memberOf(part, 'functionCall') : undefined;
      if (call === undefined) return [];
      const name = isJsonObject(call) ? (textOf(call, 'name') ?? '') : '';
      // A piece without a name goes on with the call before it.
      const count = Math.max(1, (counts.get(index) ?? 0) + (name === '' ? 0 : 1));
      counts.set(index, count);
      const place = `/candidates/${typeof index === 'number' ? index : '-'}/calls/${count - 1}`;
      return [{ place, callId: isJsonObject(call) ? (textOf(call, 'id') ?? '') : '', name }];
    });
  };
}
