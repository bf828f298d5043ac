import type { JsonValue } from '@toolgate/core';
import type { Container, MemberSpan, Span } from './json-spans.ts';

/** One replacement of a piece of a text. */
export interface Splice extends Span {
  readonly text: string;
}

/** The text with all replacements made; they may not overlap, and insertions at one place keep their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((left, right) => left.start - right.start);
  let result = '';
  let at = 0;
  for (const splice of ordered) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/** Sets a member: replaces its value, or adds it as the last one. */
export function setMember(object: Container<MemberSpan>, name: string, value: JsonValue): Splice {
  const known = object.entries.find((entry) => entry.name === name);
  const json = JSON.stringify(value);
  if (known !== undefined) return { ...known.value, text: json };
  const last = object.entries.at(-1);
  const member = `${JSON.stringify(name)}:${json}`;
  if (last === undefined) return { start: object.end - 1, end: object.end - 1, text: member };
  return { start: last.value.end, end: last.value.end, text: `,${member}` };
}

/** Adds an element before the first one. */
export function prependElement(array: Container<Span>, value: JsonValue): Splice {
  const [first] = array.entries;
  const start = first?.start ?? array.end - 1;
  return { start, end: start, text: `${JSON.stringify(value)}${first === undefined ? '' : ','}` };
}

/** Adds an element behind the last one. */
export function appendElement(array: Container<Span>, value: JsonValue): Splice {
  const last = array.entries.at(-1);
  const start = last?.end ?? array.end - 1;
  return { start, end: start, text: `${last === undefined ? '' : ','}${JSON.stringify(value)}` };
}

/** Removes entries by their position, each with one comma beside it. */
export function removeEntries(
  container: Container<Span | MemberSpan>,
  remove: (position: number) => boolean,
): readonly Splice[] {
  const { entries } = container;
  const splices: Splice[] = [];
  let keptBefore = false;
  for (let position = 0; position < entries.length; position += 1) {
    if (!remove(position)) {
      keptBefore = true;
      continue;
    }
    let last = position;
    while (last + 1 < entries.length && remove(last + 1)) last += 1;
    const from = entries[position];
    const to = entries[last];
    const before = entries[position - 1];
    const after = entries[last + 1];
    if (from !== undefined && to !== undefined) {
      const start = after === undefined && keptBefore && before !== undefined ? endOf(before) : from.start;
      splices.push({ start, end: after === undefined ? endOf(to) : after.start, text: '' });
    }
    position = last;
  }
  return splices;
}

function endOf(entry: Span | MemberSpan): number {
  return 'value' in entry ? entry.value.end : entry.end;
}
