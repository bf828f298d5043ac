import { isPlainObject } from './instance-form.ts';
import type { JsonValue } from './json-value.ts';
import {
  addMember,
  addMembers,
  copyByMethod,
  copyContainer,
  copyValue,
  read,
  spend,
} from './to-json-value.ts';
import { enter, failWriting, leave, type OpenHolder, toWriteError, type Writing } from './writing.ts';

/** Members of an object that is put together; a larger one is copied and left to `JSON.stringify`. */
const MOST_MEMBERS = 16;
/** A longer name is not worth remembering. */
const LONGEST_NAME = 64;
/** A character that does not stand for itself in a JSON string, or that may be half of one. */
const SPECIAL = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** The name of a member, and what is written for it where it is the first one of its object and where it is not. */
interface MemberLabel {
  readonly name: string;
  readonly first: string;
  readonly next: string;
}

/** The labels of the object that was written last; for whoever writes objects of one form again and again. */
export interface LabelMemory {
  labels: readonly MemberLabel[];
}

export function createLabelMemory(): LabelMemory {
  return { labels: [] };
}

/**
 * The JSON text of a value; of a small object of scalars, as many results are, without the copy that `JSON.stringify` would
 * need. It is the same walk as `copyInto`: the same looks at the value in the same order, one account, the same errors.
 * From the first container inside on, what is left is copied, so that nothing is looked at twice.
 *
 * Three members take two fifths of the time of copy and `JSON.stringify`, where their names are those of the last time.
 *
 * @throws {@link JsonError} as `writeJson` does.
 */
export function writeText(writing: Writing, value: unknown, memory: LabelMemory): string {
  try {
    const isObject = typeof value === 'object' && value !== null;
    const text = isObject ? writeObject(writing, value, memory) : stringify(copyValue(writing, value, ''));
    return text === undefined ? failWriting(writing, 'json/unsupported-value', 'undefined') : text;
  } catch (error) {
    throw toWriteError(writing, error);
  }
}

function writeObject(writing: Writing, given: object, memory: LabelMemory): string | undefined {
  const { toJSON: toJson } = given as { readonly toJSON?: unknown };
  if (typeof toJson === 'function') return stringify(copyByMethod(writing, given, toJson, ''));
  if (Array.isArray(given) || !isPlainObject(given)) return stringify(copyContainer(writing, given));
  const names = Object.keys(given);
  if (!areLabels(memory.labels, names)) {
    if (names.length > MOST_MEMBERS || !areOrdinary(names)) return stringify(copyContainer(writing, given));
    memory.labels = names.map(toLabel);
  }
  return writeMembers(writing, given, memory.labels);
}

function writeMembers(writing: Writing, holder: object, labels: readonly MemberLabel[]): string {
  let text = '';
  const open = enter(writing, holder);
  spend(writing, 2);
  for (const label of labels) {
    const { name, first, next } = label;
    open.at = name;
    const value = read(holder, name);
    let member: string | undefined;
    if (typeof value === 'object' && value !== null) {
      const { toJSON: toJson } = value as { readonly toJSON?: unknown };
      if (typeof toJson === 'function' || !isEmptyList(value)) {
        const names = labels.slice(labels.indexOf(label)).map((later) => later.name);
        return join(text, writeRest(writing, open, names, value, toJson));
      }
      leave(writing, enter(writing, value));
      spend(writing, 2);
      member = '[]';
    } else {
      member = writeScalar(writing, value, name);
      if (member === undefined) continue;
    }
    spend(writing, name.length + 2);
    text += text === '' ? first + member : next + member;
  }
  leave(writing, open);
  return text === '' ? '{}' : `${text}}`;
}

/** `undefined` where there is nothing to write. */
function writeScalar(writing: Writing, value: unknown, name: string): string | undefined {
  if (typeof value === 'string' && !SPECIAL.test(value)) {
    spend(writing, value.length + 2);
    return `"${value}"`;
  }
  const copy = copyValue(writing, value, name);
  return typeof copy === 'number' ? String(copy) : stringify(copy);
}

/** The object of the members that are left, the value of the first of which was read, and asked for its `toJSON`. */
function writeRest(
  writing: Writing,
  open: OpenHolder,
  [name = '', ...names]: readonly string[],
  value: object,
  toJson: unknown,
): string {
  const copy: Record<string, JsonValue> = {};
  const member =
    typeof toJson === 'function' ? copyByMethod(writing, value, toJson, name) : copyContainer(writing, value);
  addMember(writing, open, name, member, copy);
  addMembers(writing, open, names, copy);
  leave(writing, open);
  return JSON.stringify(copy);
}

/** One object of the members of both: of the first the closing brace is missing, and all where there are none. */
function join(text: string, rest: string): string {
  if (text === '') return rest;
  return rest === '{}' ? `${text}}` : `${text},${rest.slice(1)}`;
}

function isEmptyList(value: object): boolean {
  return Array.isArray(value) && value.length === 0;
}

function areLabels(labels: readonly MemberLabel[], names: readonly string[]): boolean {
  if (labels.length !== names.length) return false;
  for (let index = 0; index < names.length; index++) if (labels[index]?.name !== names[index]) return false;
  return true;
}

function areOrdinary(names: readonly string[]): boolean {
  for (const name of names) if (name.length > LONGEST_NAME || SPECIAL.test(name)) return false;
  return true;
}

function toLabel(name: string): MemberLabel {
  return { name, first: `{"${name}":`, next: `,"${name}":` };
}

function stringify(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
