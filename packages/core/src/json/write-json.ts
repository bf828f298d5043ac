import { encodeJson } from './encode-json.ts';
import { toWriteRules, type WriteJsonOptions } from './write-rules.ts';

/**
 * The JSON text of a value, or a refusal: nothing is silently dropped or turned into `null`.
 *
 * As `JSON.stringify` does, this honours `toJSON` (once per value), skips members that are `undefined` or named by a
 * symbol, unwraps boxed strings, numbers and booleans, writes `-0` as `0`, and writes instances of classes by their own
 * enumerable members. Unlike it, this refuses NaN, infinities, bigints, symbols, functions, lone surrogates, cycles,
 * `undefined` as the root or in an array (holes too), and objects that keep their content elsewhere: Map, Set, Promise,
 * RegExp, Error, typed arrays, and any instance without own enumerable members.
 *
 * Each member is read once. The text has no white space and holds what `readJson` takes.
 *
 * @throws {@link JsonError} `json/unsupported-value`, `json/lone-surrogate`, `json/cycle`, `json/too-deep`,
 *   `json/too-large`, `json/getter-failed` when a getter, `toJSON` or a proxy threw (the original is the `cause`),
 *   `json/options-invalid`; with the pointer.
 */
export function writeJson(value: unknown, options?: WriteJsonOptions): string {
  return encodeJson(value, toWriteRules(options));
}
