import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import type { StrictRules } from './schema-profile.ts';

interface Counts {
  members: number;
  enumValues: number;
  textLength: number;
  objectDepth: number;
}

/** The limit of a strict mode that a projected schema is over, in words; `undefined` when it is within all. */
export function exceededLimit(schema: JsonObject, rules: StrictRules): string | undefined {
  const counts: Counts = { members: 0, enumValues: 0, textLength: 0, objectDepth: 0 };
  count(schema, 0, counts);
  if (counts.objectDepth > rules.maxObjectDepth) return 'too many objects inside each other for strict mode';
  if (counts.members > rules.maxMembers) return 'too many members for strict mode';
  if (counts.enumValues > rules.maxEnumValues) return 'too many enum values for strict mode';
  return counts.textLength > rules.maxTextLength
    ? 'too much text in names and constants for strict mode'
    : undefined;
}

function count(node: JsonValue | undefined, depth: number, counts: Counts): void {
  if (!isJsonObject(node)) return;
  const members = memberOf(node, 'properties');
  const definitions = memberOf(node, '$defs');
  const values = memberOf(node, 'enum');
  const constant = memberOf(node, 'const');
  const here = isJsonObject(members) ? depth + 1 : depth;
  counts.objectDepth = Math.max(counts.objectDepth, here);
  if (isJsonArray(values)) {
    counts.enumValues += values.length;
    for (const value of values) counts.textLength += typeof value === 'string' ? value.length : 0;
  }
  if (typeof constant === 'string') counts.textLength += constant.length;
  if (isJsonObject(members)) {
    for (const [name, member] of Object.entries(members)) {
      counts.members += 1;
      counts.textLength += name.length;
      count(member, here, counts);
    }
  }
  count(memberOf(node, 'items'), here, counts);
  const branches = memberOf(node, 'anyOf');
  if (isJsonArray(branches)) for (const branch of branches) count(branch, here, counts);
  if (isJsonObject(definitions)) {
    for (const [name, definition] of Object.entries(definitions)) {
      counts.textLength += name.length;
      count(definition, 0, counts);
    }
  }
}
