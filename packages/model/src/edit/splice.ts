import type { JsonValue } from '@toolgate/core';
import {
  type Container,
  impossible,
  isSpace,
  kindAt,
  type MemberSpan,
  type Span,
  skipSpace,
} from './json-spans.ts';
import type { JsonText } from './json-text.ts';
import type { WrittenJson } from './written-json.ts';

/** One replacement of a piece of a text. */
export interface Splice extends Span {
  readonly text: string;
  /** The name of the member that it adds to an object, as `,"name":value` or without the comma. */
  readonly adds?: string;
  /** What the text is, where it was written beforehand. */
  readonly written?: WrittenJson;
}

const CLOSE_ARRAY = 93;

/** Replacements in the order of their places; insertions at one place keep their order. */
export function inOrder(splices: readonly Splice[]): readonly Splice[] {
  return isInOrder(splices) ? splices : [...splices].sort((left, right) => left.start - right.start);
}

/** Mostly they are: edits are made in the order in which clients write what they change. */
function isInOrder(splices: readonly Splice[]): boolean {
  let last = 0;
  for (const { start } of splices) {
    if (start < last) return false;
    last = start;
  }
  return true;
}

/** The text with all replacements made; they may not overlap, and insertions at one place keep their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let at = 0;
  for (const splice of inOrder(splices)) {
    result += text.slice(at, splice.start) + splice.text;
    at = splice.end;
  }
  return result + text.slice(at);
}

/**
 * The outline of an object after replacements inside of its values, additions of members and removals of whole ones,
 * without reading the text again.
 */
export function moveOutline(
  object: Container<MemberSpan>,
  splices: readonly Splice[],
): Container<MemberSpan> {
  const entries: MemberSpan[] = [];
  for (const { name, start, value } of object.entries) {
    if (isRemoved(start, value.end, splices)) continue;
    entries.push({
      name,
      start: start + growthUpTo(start, splices),
      // An addition right behind a value is no part of it.
      value: {
        start: value.start + growthUpTo(value.start, splices),
        end: value.end + growthBefore(value.end, splices),
      },
    });
  }
  // Only an addition behind the last value is one to this object; others are inside of a value.
  const behind = object.entries.at(-1)?.value.end ?? object.end - 1;
  for (const splice of splices) {
    if (splice.adds === undefined || splice.start !== behind) continue;
    const at = splice.start + growthBefore(splice.start, splices);
    const nameAt = splice.text.startsWith(',') ? 1 : 0;
    const valueAt = nameAt + JSON.stringify(splice.adds).length + 1;
    entries.push({
      name: splice.adds,
      start: at + nameAt,
      value: { start: at + valueAt, end: at + splice.text.length },
    });
  }
  return { start: object.start, end: object.end + growthBefore(Number.POSITIVE_INFINITY, splices), entries };
}

function isRemoved(start: number, end: number, splices: readonly Splice[]): boolean {
  for (const splice of splices) if (splice.start <= start && splice.end >= end) return true;
  return false;
}

/** By how much the text before `at` grows, counting replacements that end there. */
function growthUpTo(at: number, splices: readonly Splice[]): number {
  let growth = 0;
  for (const splice of splices) if (splice.end <= at) growth += growthOf(splice);
  return growth;
}

/** The same, counting replacements that begin before it. */
function growthBefore(at: number, splices: readonly Splice[]): number {
  let growth = 0;
  for (const splice of splices) if (splice.start < at) growth += growthOf(splice);
  return growth;
}

function growthOf({ end, start, text }: Splice): number {
  return text.length - (end - start);
}

/** Sets a member: replaces its value, or adds it as the last one. */
export function setMember(object: Container<MemberSpan>, name: string, value: JsonValue): Splice {
  const known = object.entries.find((entry) => entry.name === name);
  const json = JSON.stringify(value);
  if (known !== undefined) return { start: known.value.start, end: known.value.end, text: json };
  const last = object.entries.at(-1);
  const member = `${JSON.stringify(name)}:${json}`;
  if (last === undefined) return { start: object.end - 1, end: object.end - 1, text: member, adds: name };
  return { start: last.value.end, end: last.value.end, text: `,${member}`, adds: name };
}

/** Adds an element before the first one of the list at `list`; nothing of the list is read but its first character. */
export function prependElement(text: JsonText, list: Span, element: WrittenJson): readonly Splice[] {
  const start = skipSpace(text, openList(text, list));
  const added = insertion(start, element);
  return text.charCodeAt(start) === CLOSE_ARRAY ? [added] : [added, comma(start)];
}

/** Adds an element behind the last one of the list at `list`; nothing of the list is read but its last character. */
export function appendElement(text: JsonText, list: Span, element: WrittenJson): readonly Splice[] {
  const first = openList(text, list);
  let start = list.end - 1;
  while (start > first && isSpace(text.charCodeAt(start - 1))) start -= 1;
  const added = insertion(start, element);
  return start === first ? [added] : [comma(start), added];
}

function insertion(at: number, written: WrittenJson): Splice {
  return { start: at, end: at, text: written.text, written };
}

function comma(at: number): Splice {
  return { start: at, end: at, text: ',' };
}

function openList(text: JsonText, list: Span): number {
  if (kindAt(text, list) !== 'array') throw impossible('it has another shape');
  return list.start + 1;
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
