import { canonicalJson, type JsonObject, type JsonValue } from '@toolgate/core';
import { isPlaceholderId } from '../codec/synthetic-id.ts';
import { isJsonObject, memberOf, textOf } from '../codec/wire-reader.ts';

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
}

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
  };
}

/** Whether an entry is of a custom tool, whole or a piece. Other types than this one and `function` say nothing. */
export function isCustomEntry(entry: JsonObject): boolean {
  return memberOf(entry, 'type') === 'custom' || isJsonObject(memberOf(entry, 'custom'));
}

function toText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return content === undefined || content === null ? '' : canonicalJson(content);
}
