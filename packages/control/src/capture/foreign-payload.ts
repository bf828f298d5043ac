import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';

/** What a payload of one protocol says of calls: names and ids in it, however the protocol calls it. */
export interface ForeignPayload {
  readonly names: readonly string[];
  readonly ids: readonly string[];
}

/** Where some wires keep the name, one level down. */
const HOLDERS = ['custom', 'function', 'functionCall', 'functionResponse', 'function_call'] as const;
const ID_MEMBERS = ['call_id', 'tool_use_id', 'tool_call_id', 'id'] as const;

/**
 * The names and ids in a payload that only its own protocol understands, from its own members and from those that hold a
 * call (`{"type":"custom","custom":{"name":…}}`).
 */
export function readForeignPayload(value: JsonValue): ForeignPayload {
  const names: string[] = [];
  const ids: string[] = [];
  if (!isJsonObject(value)) return { names, ids };
  const held = HOLDERS.map((name) => own(value, name)).filter(isJsonObject);
  for (const object of [value, ...held]) {
    const name = textOf(object, 'name');
    if (name !== undefined) names.push(name);
    for (const member of ID_MEMBERS) {
      const id = textOf(object, member);
      if (id !== undefined) ids.push(id);
    }
  }
  return { names, ids };
}

function textOf(object: JsonObject, name: string): string | undefined {
  const value = own(object, name);
  return typeof value === 'string' ? value : undefined;
}

function own(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
