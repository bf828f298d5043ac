import type { JsonValue } from '../json/json-value.ts';
import { type FlatNames, readFlat } from '../json/read-flat.ts';
import { readJson } from '../json/read-json.ts';
import { type ArgumentLimits, DEFAULT_ARGUMENT_LIMITS } from './argument-limits.ts';

const BLANK = /^[ \t\n\r]*$/;

/**
 * Reads argument text; blank text means no arguments, `{}`.
 *
 * @param names - The members that the schema names: a hint, which changes no answer.
 * @throws {@link JsonError} when the text is not I-JSON or breaks a bound.
 */
export function readArguments(text: string, limits: ArgumentLimits, names: FlatNames): JsonValue {
  const { maxBytes } = limits;
  if (text.charCodeAt(0) !== OPENING_BRACE && isBlank(text, maxBytes)) return {};
  // What it reads has a byte for each unit, and at most two levels, which no limit is below.
  const flat = maxBytes === 'none' || text.length <= maxBytes ? readFlat(text, names) : undefined;
  if (flat !== undefined) return flat;
  // The defaults are those of readJson, which then has no options to check.
  return readJson(text, limits === DEFAULT_ARGUMENT_LIMITS ? undefined : limits);
}

const OPENING_BRACE = 0x7b;

/** A blank text that breaks the bound is too large, not blank. */
function isBlank(text: string, maxBytes: number | 'none'): boolean {
  return (maxBytes === 'none' || text.length <= maxBytes) && BLANK.test(text);
}
