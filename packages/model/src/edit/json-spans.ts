import { readJson } from '@toolgate/core';
import { ModelError } from '../model-error.ts';

/** A piece of a text, `start` included and `end` not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its name and where its value is. */
export interface MemberSpan {
  readonly name: string;
  /** Where the quote of its name is. */
  readonly start: number;
  readonly value: Span;
}

/** An object or a list with the places of what is in it. */
export interface Container<Entry> extends Span {
  readonly entries: readonly Entry[];
}

/**
 * The members of the object at `start`. The text must be one that a strict reader took: only brackets, quotes and
 * commas are looked at.
 *
 * @throws ModelError `model/edit-impossible` where there is no object, or a name comes twice.
 */
export function objectAt(text: string, start: number): Container<MemberSpan> {
  let at = expect(text, skipSpace(text, start), '{');
  const names = new Set<string>();
  const entries: MemberSpan[] = [];
  at = skipSpace(text, at);
  while (text[at] !== '}') {
    const nameStart = at;
    const nameEnd = skipString(text, at);
    const name = readName(text.slice(nameStart, nameEnd));
    if (names.has(name)) throw impossible('a member comes twice');
    names.add(name);
    const valueStart = skipSpace(text, expect(text, skipSpace(text, nameEnd), ':'));
    const valueEnd = skipValue(text, valueStart);
    entries.push({ name, start: nameStart, value: { start: valueStart, end: valueEnd } });
    at = nextEntry(text, valueEnd, '}');
  }
  return { start, end: at + 1, entries };
}

/** The elements of the list at `start`. @throws ModelError `model/edit-impossible` where there is no list. */
export function arrayAt(text: string, start: number): Container<Span> {
  let at = skipSpace(text, expect(text, start, '['));
  const entries: Span[] = [];
  while (text[at] !== ']') {
    const end = skipValue(text, at);
    entries.push({ start: at, end });
    at = nextEntry(text, end, ']');
  }
  return { start, end: at + 1, entries };
}

/** The member with a name, unless it is absent. */
export function memberAt(object: Container<MemberSpan>, name: string): MemberSpan | undefined {
  return object.entries.find((entry) => entry.name === name);
}

/** The text of a string value, or `undefined` for a value of another kind. */
export function stringAt(text: string, value: Span): string | undefined {
  return text[value.start] === '"' ? readName(text.slice(value.start, value.end)) : undefined;
}

/** What kind of value begins here. */
export function kindAt(text: string, value: Span): 'object' | 'array' | 'string' | 'null' | 'other' {
  switch (text[value.start] ?? '') {
    case '{':
      return 'object';
    case '[':
      return 'array';
    case '"':
      return 'string';
    case 'n':
      return 'null';
    default:
      return 'other';
  }
}

/** The error of an edit that cannot be made without touching more than it may. */
export function impossible(reason: string): ModelError {
  return new ModelError('model/edit-impossible', `The request cannot be edited: ${reason}.`);
}

function readName(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  const name = readJson(literal, { maxBytes: 'none', noncharacters: 'allow' });
  if (typeof name !== 'string') throw impossible('a name is no string');
  return name;
}

const SPACE = new Set([' ', '\n', '\r', '\t']);

function skipSpace(text: string, start: number): number {
  let at = start;
  while (SPACE.has(text[at] ?? '')) at += 1;
  return at;
}

function expect(text: string, at: number, character: string): number {
  if (text[at] !== character) throw impossible('it has another shape');
  return at + 1;
}

/** The start of the next entry, or the place of the closing bracket. */
function nextEntry(text: string, end: number, close: '}' | ']'): number {
  const at = skipSpace(text, end);
  if (text[at] === close) return at;
  const next = skipSpace(text, expect(text, at, ','));
  if (text[next] === close) throw impossible('it has another shape');
  return next;
}

function skipString(text: string, start: number): number {
  let at = expect(text, start, '"');
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw impossible('it ends inside a string');
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

const STRUCTURE = /["{}[\]]/g;
const SCALAR_END = /[\s,}\]]/g;

/** The end of the value at `start`; nested values are passed over without recursion. */
function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return skipString(text, start);
  if (first !== '{' && first !== '[') {
    SCALAR_END.lastIndex = start;
    const end = SCALAR_END.exec(text)?.index ?? text.length;
    if (end === start) throw impossible('it has another shape');
    return end;
  }
  let depth = 0;
  let at = start;
  for (;;) {
    STRUCTURE.lastIndex = at;
    const found = STRUCTURE.exec(text);
    if (found === null) throw impossible('it ends inside a value');
    if (found[0] === '"') {
      at = skipString(text, found.index);
      continue;
    }
    depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    at = found.index + 1;
    if (depth === 0) return at;
  }
}
