import type { JsonValue } from '../json/json-value.ts';
import { readJson } from '../json/read-json.ts';
import { type ArgumentLimits, DEFAULT_ARGUMENT_LIMITS } from './argument-limits.ts';

const BLANK = /^[ \t\n\r]*$/;

/**
 * Reads argument text; blank text means no arguments, `{}`.
 *
 * @throws {@link JsonError} when the text is not I-JSON or breaks a bound.
 */
export function readArguments(text: string, limits: ArgumentLimits): JsonValue {
  if (text.charCodeAt(0) !== OPENING_BRACE && isBlank(text, limits.maxBytes)) return {};
  // The defaults are those of readJson, which then has no options to check.
  return readJson(text, limits === DEFAULT_ARGUMENT_LIMITS ? undefined : limits);
}

const OPENING_BRACE = 0x7b;

/** A blank text that breaks the bound is too large, not blank. */
function isBlank(text: string, maxBytes: number | 'none'): boolean {
  return (maxBytes === 'none' || text.length <= maxBytes) && BLANK.test(text);
}
