import {
  canonicalJson,
  isJsonObject,
  JsonError,
  type JsonObject,
  type JsonValue,
  readJson,
  writeJson,
} from '@toolgate/core';
import { createLossLog, type LossLog } from './loss-log.ts';

/** Arguments of a history or an answer may be larger than what a contract lets in; they are bounded as a whole. */
const LIMITS = { maxBytes: 'none', maxDepth: 256 } as const;

/**
 * The arguments of a call for wires that carry them as an object. Blank text is an empty object. Integers that a double
 * cannot hold are rounded, with a loss; everything else that is not one strict JSON object is `undefined`, and the
 * caller decides: nothing is repaired.
 *
 * @param path - Pointer of the argument text.
 */
export function toArgumentObject(text: string, path: string, losses: LossLog): JsonObject | undefined {
  if (text.trim() === '') {
    losses.add('approximated', path, 'info', 'no arguments are an empty object here');
    return {};
  }
  const value = read(text, path, losses);
  if (!isJsonObject(value)) return undefined;
  if (fromArgumentObject(value) !== text) {
    losses.add('approximated', path, 'info', 'arguments are an object here; how they were spelled is lost');
  }
  return value;
}

/**
 * The argument text of an answer's whole call. Clients parse it, and many take blank text for no JSON; the call was judged
 * as one with an empty object.
 *
 * @param path - Pointer of the argument text.
 */
export function toAnswerArguments(text: string, path: string, losses: LossLog): string {
  if (text.trim() !== '') return text;
  losses.add('approximated', path, 'info', 'no arguments are said as an empty object');
  return '{}';
}

/**
 * Whether another argument text says the same object, however it is spelled. Integers that a double cannot hold are the same
 * as others only where the first text has some too: that one is looked at, and refused for them.
 *
 * @returns To be asked as often as the text is said again; the text itself is read once.
 */
export function sameArguments(text: string): (other: string) => boolean {
  let own: { readonly form: string | undefined; readonly exact: boolean } | undefined;
  return (other) => {
    own ??= { form: formOf(text), exact: isExact(text) };
    return own.form !== undefined && own.form === formOf(other) && (isExact(other) || !own.exact);
  };
}

function formOf(text: string): string | undefined {
  const value = toArgumentObject(text, '', createLossLog());
  return value === undefined ? undefined : canonicalJson(value);
}

function isExact(text: string): boolean {
  try {
    readJson(text, LIMITS);
    return true;
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return text.trim() === '';
  }
}

/** The argument text of an object, in the order of its members. */
export function fromArgumentObject(value: JsonValue): string {
  return writeJson(value, { maxBytes: 'none', maxDepth: 'none' });
}

/**
 * The argument text of a value that stands where a wire has an object. Nothing, `null` and blank text are an empty
 * object. Anything else that is none keeps its own JSON, so that whoever checks the arguments refuses it by what it is;
 * it is never read as no arguments.
 */
export function fromArgumentValue(value: JsonValue | undefined): string {
  const isBlank = value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
  return isBlank ? '{}' : fromArgumentObject(value);
}

function read(text: string, path: string, losses: LossLog): JsonValue | undefined {
  try {
    return readJson(text, LIMITS);
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    if (error.code !== 'json/inexact-integer' && error.code !== 'json/noncharacter') return undefined;
  }
  try {
    const value = readJson(text, { ...LIMITS, inexactIntegers: 'allow', noncharacters: 'allow' });
    losses.add(
      'approximated',
      path,
      'warning',
      'an integer of the arguments is rounded, being a number here',
    );
    return value;
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return undefined;
  }
}
