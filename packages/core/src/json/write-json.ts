import { utf8Bytes } from '../internal/utf8-bytes.ts';
import { JsonError } from './json-error.ts';
import type { JsonValue } from './json-value.ts';
import { copyJson } from './to-json-value.ts';
import { MENDED, toWriteRules, type WriteJsonOptions, type WriteRules } from './write-rules.ts';
import { createLabelMemory, type LabelMemory, writeText } from './write-text.ts';
import { startWriting } from './writing.ts';

/**
 * The JSON text of a value, or a refusal: nothing is silently dropped or turned into `null`.
 *
 * As `JSON.stringify` does, this honours `toJSON`, skips members that are `undefined` or named by a symbol, unwraps boxed
 * strings, numbers and booleans, writes `-0` as `0`, takes the elements of an array and no other member of it, and writes
 * instances of classes by their own enumerable members. Unlike it, this refuses NaN, infinities, bigints, symbols,
 * functions, lone surrogates, cycles, invalid dates, `undefined` as the root or in an array (holes too), and objects that
 * keep their content elsewhere: Map, Set, Promise, RegExp, Error, typed arrays, and any instance without own enumerable
 * members.
 *
 * Each member is read once, so that what was checked is what is written. The text has no white space.
 *
 * @throws {@link JsonError} `json/unsupported-value`, `json/lone-surrogate`, `json/cycle`, `json/too-deep`,
 *   `json/too-large`, `json/getter-failed` when a getter, `toJSON` or a proxy threw (what it threw is the `cause`), each
 *   with the pointer; `json/options-invalid`.
 */
export function writeJson(value: unknown, options?: WriteJsonOptions): string {
  const rules = toWriteRules(options);
  return withinBytes(stringify(copyJson(value, rules), rules), rules);
}

/** A JSON text, and how many halves of surrogate pairs were replaced in it. */
export interface MendedJson {
  readonly text: string;
  readonly mended: number;
}

/**
 * As `writeJson` with its default bounds, but half of a surrogate pair becomes U+FFFD and is counted. In a member name
 * it is still refused where two names would become one.
 *
 * @param memory - Kept by a caller who writes objects of one form again and again.
 * @throws {@link JsonError} as `writeJson` does.
 */
export function writeMendedJson(value: unknown, memory: LabelMemory = createLabelMemory()): MendedJson {
  const writing = startWriting(MENDED);
  const text = withinBytes(writeText(writing, value, memory), MENDED);
  return { text, mended: writing.mended };
}

/** Escapes can make a text longer than a string can be, although its value was not too large. */
function stringify(value: JsonValue, rules: WriteRules): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw tooLarge(rules, error);
  }
}

function withinBytes(text: string, rules: WriteRules): string {
  if (text.length * 3 <= rules.maxBytes || utf8Bytes(text) <= rules.maxBytes) return text;
  throw tooLarge(rules);
}

function tooLarge(rules: WriteRules, cause?: unknown): JsonError {
  return new JsonError(
    'json/too-large',
    {},
    `at most ${rules.maxBytes}`,
    cause === undefined ? undefined : { cause },
  );
}
