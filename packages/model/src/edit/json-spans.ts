import { type JsonMemberPlace, readJson } from '@toolgate/core';
import { ModelError } from '../model-error.ts';
import type { JsonText } from './json-text.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_ARRAY = 91;
const BACKSLASH = 92;
const CLOSE_ARRAY = 93;
const LOWER_N = 110;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** A piece of a text, `start` included and `end` not. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A member of an object: its name and where its value is. */
export type MemberSpan = JsonMemberPlace;

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
export function objectAt(text: JsonText, start: number): Container<MemberSpan> {
  let at = expect(text, skipSpace(text, start), OPEN_OBJECT);
  const names = new Set<string>();
  const entries: MemberSpan[] = [];
  at = skipSpace(text, at);
  while (text.charCodeAt(at) !== CLOSE_OBJECT) {
    const nameStart = at;
    const nameEnd = skipString(text, at);
    const name = readName(text.slice(nameStart, nameEnd));
    if (names.has(name)) throw impossible('a member comes twice');
    names.add(name);
    const valueStart = skipSpace(text, expect(text, skipSpace(text, nameEnd), COLON));
    const valueEnd = skipValue(text, valueStart);
    entries.push({ name, start: nameStart, value: { start: valueStart, end: valueEnd } });
    at = nextEntry(text, valueEnd, CLOSE_OBJECT);
  }
  return { start, end: at + 1, entries };
}

/** The elements of the list at `start`. @throws ModelError `model/edit-impossible` where there is no list. */
export function arrayAt(text: JsonText, start: number): Container<Span> {
  let at = skipSpace(text, expect(text, start, OPEN_ARRAY));
  const entries: Span[] = [];
  while (text.charCodeAt(at) !== CLOSE_ARRAY) {
    const end = skipValue(text, at);
    entries.push({ start: at, end });
    at = nextEntry(text, end, CLOSE_ARRAY);
  }
  return { start, end: at + 1, entries };
}

/** The member with a name, unless it is absent. */
export function memberAt(object: Container<MemberSpan>, name: string): MemberSpan | undefined {
  return object.entries.find((entry) => entry.name === name);
}

/** The text of a string value, or `undefined` for a value of another kind. */
export function stringAt(text: JsonText, value: Span): string | undefined {
  return text.charCodeAt(value.start) === QUOTE ? readName(text.slice(value.start, value.end)) : undefined;
}

/** What kind of value begins here. */
export function kindAt(text: JsonText, value: Span): 'object' | 'array' | 'string' | 'null' | 'other' {
  switch (text.charCodeAt(value.start)) {
    case OPEN_OBJECT:
      return 'object';
    case OPEN_ARRAY:
      return 'array';
    case QUOTE:
      return 'string';
    case LOWER_N:
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

/** Whether a code unit is white space of JSON (RFC 8259 section 2). */
export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** The next place that is no white space. */
export function skipSpace(text: JsonText, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function expect(text: JsonText, at: number, code: number): number {
  if (text.charCodeAt(at) !== code) throw impossible('it has another shape');
  return at + 1;
}

/** The start of the next entry, or the place of the closing bracket. */
function nextEntry(text: JsonText, end: number, close: number): number {
  const at = skipSpace(text, end);
  if (text.charCodeAt(at) === close) return at;
  const next = skipSpace(text, expect(text, at, COMMA));
  if (text.charCodeAt(next) === close) throw impossible('it has another shape');
  return next;
}

function skipString(text: JsonText, start: number): number {
  let at = expect(text, start, QUOTE);
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw impossible('it ends inside a string');
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** The end of the value at `start`; nested values are passed over without recursion. */
function skipValue(text: JsonText, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return skipString(text, start);
  return isOpen(first) ? skipContainer(text, start) : skipScalar(text, start);
}

function skipScalar(text: JsonText, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // A comma or a closing bracket ends it, too.
    if (isSpace(code) || code === COMMA || isClose(code)) break;
  }
  if (at === start) throw impossible('it has another shape');
  return at;
}

function skipContainer(text: JsonText, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      continue;
    }
    at += 1;
    if (isOpen(code)) depth += 1;
    else if (isClose(code)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  throw impossible('it ends inside a value');
}

function isOpen(code: number): boolean {
  return code === OPEN_OBJECT || code === OPEN_ARRAY;
}

function isClose(code: number): boolean {
  return code === CLOSE_OBJECT || code === CLOSE_ARRAY;
}
