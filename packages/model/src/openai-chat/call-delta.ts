import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import { toExtensions } from '../codec/extensions.ts';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { isJsonArray, memberOf, textOf, unreadMembers } from '../codec/wire-reader.ts';
import { CHAT } from './chat-protocol.ts';

/** What one entry of a `tool_calls` delta says. Absent, empty and placeholder fields are `undefined`. */
export interface CallDelta {
  readonly index: number | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  /** Text to add to the arguments, or to the input of a custom tool. */
  readonly text: string;
  readonly custom: boolean;
  /** Whether the arguments came as JSON instead of as text. */
  readonly untexted: boolean;
  /** All of it. */
  readonly entry: JsonObject;
}

const READ_CALL = new Set(['id', 'type', 'function', 'index']);
const READ_FUNCTION = new Set(['name', 'arguments']);

/** Reads an entry leniently: garbage counts as absent, and what is absent is inferred or refused later. */
export function readCallDelta(entry: JsonObject): CallDelta {
  const index = memberOf(entry, 'index');
  const id = textOf(entry, 'id');
  const custom = isCustomEntry(entry);
  const called = memberOf(entry, custom ? 'custom' : 'function');
  const content = isJsonObject(called) ? memberOf(called, custom ? 'input' : 'arguments') : undefined;
  const name = isJsonObject(called) ? textOf(called, 'name') : undefined;
  return {
    index: typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 ? index : undefined,
    id: isPlaceholderId(id) ? undefined : id,
    name: name === '' ? undefined : name,
    text: toText(content),
    custom,
    untexted: content !== undefined && content !== null && typeof content !== 'string',
    entry,
  };
}

/** Whether an entry says anything: some servers write one of nothing beside a text. */
export function saysSomething({ custom, entry, id, name, text }: CallDelta): boolean {
  return custom || id !== undefined || name !== undefined || text !== '' || keptMembers(entry) !== undefined;
}

/** What an entry says besides, such as a signature that the server wants to see again; what has no value says nothing. */
export function keptMembers(entry: JsonObject): Extensions | undefined {
  const members = filled(unreadMembers(entry, READ_CALL));
  const called = memberOf(entry, 'function');
  const inner = isJsonObject(called) ? filled(unreadMembers(called, READ_FUNCTION)) : undefined;
  if (inner === undefined) return members === undefined ? undefined : toExtensions(CHAT, members);
  return toExtensions(CHAT, { ...members, function: inner });
}

function filled(members: JsonObject | undefined): JsonObject | undefined {
  const kept = Object.entries(members ?? {}).filter(
    ([, value]) => value !== null && !(isJsonArray(value) && value.length === 0),
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** Whether an entry is of a custom tool, whole or a piece. Other types than this one and `function` say nothing. */
export function isCustomEntry(entry: JsonObject): boolean {
  return memberOf(entry, 'type') === 'custom' || isJsonObject(memberOf(entry, 'custom'));
}

function toText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return content === undefined || content === null ? '' : canonicalJson(content);
}
