import type { Protocol } from '../call/protocol.ts';
import { type AliasMap, createAliasMap } from './alias-map.ts';
import type { AliasRule } from './alias-rule.ts';

/** A reversible map between tool names and the names on one wire. */
export type NameMap = AliasMap;

/** What a wire accepts as a tool name. */
export type NameRule = AliasRule;

const PLAIN: NameRule = Object.freeze({
  minLength: 1,
  maxLength: 64,
  first: 'A-Za-z0-9_\\-',
  rest: 'A-Za-z0-9_\\-',
});

/**
 * Tool names by protocol. OpenAI and Anthropic: `^[a-zA-Z0-9_-]{1,64}$` (their API references). Gemini: a letter or
 * underscore in front, then also dots; its colons and its 128 characters are newer than many endpoints and not used.
 */
export const NAME_RULES: Readonly<Record<Protocol, NameRule>> = Object.freeze({
  'openai-chat': PLAIN,
  'openai-responses': PLAIN,
  anthropic: PLAIN,
  gemini: Object.freeze({ minLength: 1, maxLength: 64, first: 'A-Za-z_', rest: 'A-Za-z0-9_.\\-' }),
});

/**
 * Maps tool names to names that a wire accepts and back: free of collisions, stable across runs (a changed name ends
 * with a hash of the original), never failing, whatever a foreign tool is called.
 *
 * @param names - The tools offered and those named in the history; more may be added later through `toWire`.
 */
export function createNameMap(names: Iterable<string>, rule: NameRule): NameMap {
  return createAliasMap(names, rule);
}
