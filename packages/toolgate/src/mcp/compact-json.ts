import type { JsonValue } from '@toolgate/core';

/** Characters of a line that a value may fill, with the comma behind it. */
const WIDTH = 96;
/** Beyond this size nobody reads, and what is fast counts. */
const MAX_COMPACT = 131_072;

/** JSON for a reader: what fits into one line stands in one, everything else is indented by 2 spaces. */
export function compactJson(value: JsonValue): string {
  const plain = JSON.stringify(value, undefined, 2);
  return plain.length > MAX_COMPACT ? plain : write(value, 0);
}

/** Recursion is bounded by the depth that a definition may have. */
function write(value: JsonValue, indent: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const line = inOneLine(value, WIDTH - indent - 1);
  if (line !== undefined) return line;
  const inner = ' '.repeat(indent + 2);
  const outer = ' '.repeat(indent);
  if (isList(value))
    return `[\n${value.map((each) => inner + write(each, indent + 2)).join(',\n')}\n${outer}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${write(member, indent + 2)}`,
  );
  return `{\n${members.join(',\n')}\n${outer}}`;
}

/** `undefined` as soon as it is longer than `room`. */
function inOneLine(value: JsonValue, room: number): string | undefined {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    return text.length <= room ? text : undefined;
  }
  const pieces: string[] = [];
  let left = room - 4;
  const entries: readonly (readonly [string, JsonValue])[] = isList(value)
    ? value.map((each) => ['', each] as const)
    : Object.entries(value).map(([name, each]) => [`${JSON.stringify(name)}: `, each] as const);
  for (const [name, each] of entries) {
    const text = left < 0 ? undefined : inOneLine(each, left - name.length);
    if (text === undefined) return undefined;
    pieces.push(name + text);
    left -= name.length + text.length + 2;
  }
  if (left + 2 < 0) return undefined;
  const inside = pieces.join(', ');
  if (isList(value)) return `[${inside}]`;
  return inside === '' ? '{}' : `{ ${inside} }`;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
