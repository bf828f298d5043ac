import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { typesOf } from '../check/type-set.ts';
import { admittedValues } from '../check/value-check.ts';
import { isAnnotation } from '../intake/known-keywords.ts';
import { member, namesMember, numberMember, stringMember } from '../member.ts';
import { formatWords } from './format-words.ts';
import { count, showAll, showChoices } from './show-value.ts';
import { typeWords } from './type-words.ts';

/** Longest pattern that is shown. */
const maxPattern = 120;

/**
 * What a schema describes, in a few words: `"a" or "b"`, `text that matches ^x`, `an object with the member "a"`.
 *
 * @returns `undefined` for a schema that says more than one thing, or nothing.
 */
export function saySchema(json: JsonValue): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const said = Object.keys(json).filter((keyword) => !isAnnotation(keyword) && keyword !== 'type');
  const [only] = said;
  if (only === undefined) return Object.hasOwn(json, 'type') ? typeWords(typesOf(json)) : undefined;
  if (said.every((keyword) => keyword === 'enum' || keyword === 'const')) {
    const values = admittedValues(json) ?? [];
    return values.length === 0 ? undefined : showChoices(values);
  }
  return said.length === 1 ? sayOne(json, only) : undefined;
}

/** The names that a schema demands and nothing else; `undefined` where it says anything else. */
export function demandedNames(json: JsonValue): readonly string[] | undefined {
  if (!isJsonObject(json)) return undefined;
  const names = namesMember(json, 'required');
  const isAll = Object.keys(json).every(
    (keyword) => keyword === 'required' || isAnnotation(keyword) || member(json, keyword) === 'object',
  );
  return isAll && names.length > 0 ? names : undefined;
}

/** What one keyword says beside a type; the keywords that are bounds of several types say which. */
function sayOne(json: JsonObject, keyword: string): string | undefined {
  const limit = numberMember(json, keyword) ?? 0;
  switch (keyword) {
    case 'pattern':
      return `text that matches ${showPattern(stringMember(json, keyword) ?? '')}`;
    case 'format':
      return formatWords(stringMember(json, keyword) ?? '');
    case 'minLength':
      return `text of at least ${count(limit, 'character')}`;
    case 'maxLength':
      return `text of at most ${count(limit, 'character')}`;
    case 'minimum':
      return `a number of at least ${limit}`;
    case 'maximum':
      return `a number of at most ${limit}`;
    case 'required': {
      const names = namesMember(json, keyword);
      return `an object with the ${names.length === 1 ? 'member' : 'members'} ${showAll(names)}`;
    }
    default:
      return undefined;
  }
}

/** A pattern, shortened. */
export function showPattern(pattern: string): string {
  return pattern.length > maxPattern ? `${pattern.slice(0, maxPattern - 1)}…` : pattern;
}
