import type { Protocol } from '../call/protocol.ts';
import { type AliasMap, createAliasMap } from './alias-map.ts';
import type { AliasRule } from './alias-rule.ts';

/** A reversible map between call ids and the ids on one wire. */
export type IdMap = AliasMap;

/** What a wire accepts as the id of a call. */
export type IdRule = AliasRule;

/** Printable ASCII without the space: what OpenAI-style servers take, and what their own models' ids are made of. */
const VISIBLE = '!-~';

/**
 * Call ids by protocol. OpenAI Chat refuses more than 40 characters, OpenAI Responses more than 64; Anthropic demands
 * `^[a-zA-Z0-9_-]+$`; Gemini states no rule, so the length is ours. `mistral` is the rule of its OpenAI-style endpoint:
 * exactly nine letters and digits.
 */
export const ID_RULES: Readonly<Record<Protocol | 'mistral', IdRule>> = Object.freeze({
  'openai-chat': Object.freeze({ minLength: 1, maxLength: 40, first: VISIBLE, rest: VISIBLE }),
  'openai-responses': Object.freeze({ minLength: 1, maxLength: 64, first: VISIBLE, rest: VISIBLE }),
  anthropic: Object.freeze({ minLength: 1, maxLength: 64, first: 'A-Za-z0-9_\\-', rest: 'A-Za-z0-9_\\-' }),
  gemini: Object.freeze({ minLength: 1, maxLength: 128, first: VISIBLE, rest: VISIBLE }),
  mistral: Object.freeze({ minLength: 9, maxLength: 9, first: 'A-Za-z0-9', rest: 'A-Za-z0-9' }),
});

/**
 * Maps call ids to ids that a wire accepts and back. Distinct ids never get the same wire id, and the same id gets the
 * same wire id in every request, so that a provider's cache and a replay agree.
 */
export function createIdMap(ids: Iterable<string>, rule: IdRule): IdMap {
  return createAliasMap(ids, rule);
}
