import { isPlainObject } from './instance-form.ts';
import type { JsonValue } from './json-value.ts';
import { copyByMethod, copyContainer, copyValue, read, spend } from './to-json-value.ts';
import { enter, failWriting, leave, toWriteError, type Writing } from './writing.ts';

/** Members or items that are put together one by one; more of them are copied and left to `JSON.stringify`. */
const FEW = 32;
/** Characters after which nothing more is put together: concatenation keeps every piece until the text is read. */
const SMALL = 4_096;
/** A character that does not stand for itself in a JSON string, or that may be half of one. */
const SPECIAL = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * The JSON text of a value, without the copy in between that `copyJson` makes for `JSON.stringify`, as long as the value is
 * small and ordinary. It is the same walk: the same looks at the value in the same order, one account, the same errors. From
 * whatever is unusual on, the copying walk takes over just there, so that nothing is read twice.
 *
 * It is there for results: for a few members the two together cost twice as much as this.
 *
 * @throws {@link JsonError} as `writeJson` does.
 */
export function writeText(writing: Writing, value: unknown): string {
  try {
    const text = writeValue(writing, value, '');
    return text === undefined ? failWriting(writing, 'json/unsupported-value', 'undefined') : text;
  } catch (error) {
    throw toWriteError(writing, error);
  }
}

/** `undefined` where there is nothing to write. */
function writeValue(writing: Writing, value: unknown, name: string): string | undefined {
  if (typeof value === 'string' && !SPECIAL.test(value)) {
    spend(writing, value.length + 2);
    return `"${value}"`;
  }
  if (typeof value === 'object' && value !== null) return writeObject(writing, value, name);
  const copy = copyValue(writing, value, name);
  return typeof copy === 'number' ? String(copy) : stringify(copy);
}

function writeObject(writing: Writing, given: object, name: string): string | undefined {
  const { toJSON: toJson } = given as { readonly toJSON?: unknown };
  if (typeof toJson === 'function') return stringify(copyByMethod(writing, given, toJson, name));
  if (writing.rules.maxBytes - writing.budget < SMALL) {
    if (Array.isArray(given)) {
      if (given.length <= FEW) return writeItems(writing, given);
    } else if (isPlainObject(given)) {
      const names = Object.keys(given);
      if (names.length <= FEW && areOrdinary(names)) return writeMembers(writing, given, names);
    }
  }
  return stringify(copyContainer(writing, given));
}

function writeItems(writing: Writing, holder: readonly unknown[]): string {
  let text = '';
  const open = enter(writing, holder);
  spend(writing, 2);
  for (let index = 0; index < holder.length; index++) {
    open.at = index;
    const item = writeValue(writing, holder[index], '');
    if (item === undefined)
      return failWriting(writing, 'json/unsupported-value', 'undefined or a hole in an array');
    text += index === 0 ? item : `,${item}`;
  }
  leave(writing, open);
  return `[${text}]`;
}

function writeMembers(writing: Writing, holder: object, names: readonly string[]): string {
  let text = '';
  const open = enter(writing, holder);
  spend(writing, 2);
  for (const name of names) {
    open.at = name;
    const member = writeValue(writing, read(holder, name), name);
    if (member === undefined) continue;
    spend(writing, name.length + 2);
    text += text === '' ? `"${name}":${member}` : `,"${name}":${member}`;
  }
  leave(writing, open);
  return `{${text}}`;
}

function areOrdinary(names: readonly string[]): boolean {
  for (const name of names) if (SPECIAL.test(name)) return false;
  return true;
}

function stringify(value: JsonValue | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}
