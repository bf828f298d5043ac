import type { JsonValue } from '@toolgate/core';
import type { ResponseWriter } from '../event/response-writer.ts';
import { setMember } from './wire-reader.ts';

/** Members that a stream says over and over, of which the last ones are kept. */
export interface KeptMembers {
  readonly members: Readonly<Record<string, JsonValue>>;
  set(name: string, value: JsonValue): void;
}

/** Makes an empty book. The longest form of each member counts for what the answer may be. */
export function createKeptMembers(writer: ResponseWriter): KeptMembers {
  const members: Record<string, JsonValue> = {};
  const lengths = new Map<string, number>();
  return {
    members,
    set(name, value) {
      const before = lengths.get(name);
      const length = Math.max(lengthOf(value), before ?? 0);
      writer.holdLength(before === undefined ? name.length + length : length - before);
      lengths.set(name, length);
      setMember(members, name, value);
    },
  };
}

/** What nearly all are is not written out. */
function lengthOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}
