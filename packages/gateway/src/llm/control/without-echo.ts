import type { CheckedControlProvider } from '@toolgate/control';
import type { JsonObject, JsonValue } from '@toolgate/core';
import type { ModelEvent } from '@toolgate/model';

type ControlSpec = CheckedControlProvider['spec'];

/**
 * The start or the end of an answer as if the control tool had not been asked for: OpenAI Responses says the tools and
 * instructions of a request again in both. Other events are as they were.
 */
export function withoutEcho(event: ModelEvent, spec: ControlSpec): ModelEvent {
  if (event.kind !== 'response-start' && event.kind !== 'response-end') return event;
  const { extensions } = event;
  if (extensions === undefined) return event;
  const told = Object.entries(extensions.members);
  const kept = told.flatMap(([name, value]): readonly (readonly [string, JsonValue])[] => {
    const own = ownPart(name, value, spec);
    return own === undefined ? [] : [[name, own]];
  });
  if (kept.length === told.length && kept.every(([, value], at) => value === told[at]?.[1])) return event;
  const members: JsonObject = Object.fromEntries(kept);
  return Object.freeze({ ...event, extensions: Object.freeze({ ...extensions, members }) });
}

/** What of a member is the client's own; `undefined` for one that names the control tool in a form that is not known. */
function ownPart(
  member: string,
  value: JsonValue,
  { instruction, tool }: ControlSpec,
): JsonValue | undefined {
  if (member === 'tools' && Array.isArray(value)) {
    const own = value.filter((each: JsonValue) => !isNamed(each, tool.name));
    return own.length === value.length ? value : own;
  }
  if (member === 'instructions' && typeof value === 'string') {
    if (value === instruction.text) return null;
    const before = `${instruction.text}\n\n`;
    if (value.startsWith(before)) return value.slice(before.length);
  }
  return JSON.stringify(value).includes(tool.name) ? undefined : value;
}

function isNamed(value: JsonValue, name: string): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value['name'] === name;
}
