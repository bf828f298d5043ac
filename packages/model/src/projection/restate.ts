import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';

/** Longest value that is repeated in a description, in UTF-16 units; a longer one helps no model. */
const MAX_QUOTED = 300;

type Phrase = (value: JsonValue) => string | undefined;

const number =
  (phrase: (count: number) => string): Phrase =>
  (value) =>
    typeof value === 'number' ? phrase(value) : undefined;

/** What a constraint that an endpoint does not know means in words. Keywords that are not here are not restated. */
const PHRASES: Readonly<Record<string, Phrase>> = {
  minLength: number((count) => `at least ${plural(count, 'character')}`),
  maxLength: number((count) => `at most ${plural(count, 'character')}`),
  minimum: number((bound) => `at least ${bound}`),
  maximum: number((bound) => `at most ${bound}`),
  exclusiveMinimum: number((bound) => `greater than ${bound}`),
  exclusiveMaximum: number((bound) => `less than ${bound}`),
  multipleOf: number((step) => `a multiple of ${step}`),
  minItems: number((count) => `at least ${plural(count, 'item')}`),
  maxItems: number((count) => `at most ${plural(count, 'item')}`),
  minProperties: number((count) => `at least ${plural(count, 'member')}`),
  maxProperties: number((count) => `at most ${plural(count, 'member')}`),
  uniqueItems: (value) => (value === true ? 'all items different' : undefined),
  pattern: (value) => (typeof value === 'string' ? quoted('matches the pattern', value) : undefined),
  format: (value) => (typeof value === 'string' ? quoted('format', value) : undefined),
  enum: (value) => (isJsonArray(value) ? listed('one of', value) : undefined),
  const: (value) => listed('always', [value]),
  default: (value) => listed('default', [value]),
  propertyNames: (value) => {
    const pattern = isJsonObject(value) ? memberOf(value, 'pattern') : undefined;
    return typeof pattern === 'string' ? quoted('member names match the pattern', pattern) : undefined;
  },
  additionalProperties: (value) => typed('other members are allowed', value),
  patternProperties: (value) =>
    isJsonObject(value) ? listed('more members with names that match', Object.keys(value)) : undefined,
  dependentRequired: (value) => (isJsonObject(value) ? dependencies(value) : undefined),
  prefixItems: (value) =>
    isJsonArray(value) ? `a fixed list of ${plural(value.length, 'item')}` : undefined,
};

/** The constraint as a short phrase for a model, or `undefined` where words would not help. */
export function restate(keyword: string, value: JsonValue): string | undefined {
  return Object.hasOwn(PHRASES, keyword) ? PHRASES[keyword]?.(value) : undefined;
}

/** A description with the restated constraints behind it. */
export function withNotes(description: JsonValue | undefined, notes: readonly string[]): string | undefined {
  const text = typeof description === 'string' ? description : '';
  if (notes.length === 0) return text === '' && description === undefined ? undefined : text;
  const added = `(${[...new Set(notes)].join('; ')})`;
  return text === '' ? added : `${text} ${added}`;
}

/** A list of names as a phrase, for combinators that only list required members. */
export function restateChoice(keyword: string, branches: readonly JsonObject[]): string | undefined {
  const choices = branches.map((branch) => textsIn(branch['required']).join(' and '));
  const text = `${keyword === 'oneOf' ? 'give exactly one of' : 'give at least one of'}: ${choices.join(', ')}`;
  return text.length > MAX_QUOTED ? undefined : text;
}

function dependencies(value: JsonObject): string | undefined {
  const phrases = Object.entries(value).map(([name, needed]) =>
    isJsonArray(needed) ? `${name} needs ${textsIn(needed).join(', ')}` : name,
  );
  const text = phrases.join('; ');
  return text.length > MAX_QUOTED ? undefined : text;
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function typed(phrase: string, value: JsonValue): string | undefined {
  if (!isJsonObject(value)) return value === true ? phrase : undefined;
  const type = memberOf(value, 'type');
  return typeof type === 'string' ? `${phrase}, each of type ${type}` : phrase;
}

function quoted(phrase: string, value: string): string | undefined {
  return value.length > MAX_QUOTED ? undefined : `${phrase} ${value}`;
}

function listed(phrase: string, values: readonly JsonValue[]): string | undefined {
  const text = values.map((value) => JSON.stringify(value)).join(', ');
  return text.length > MAX_QUOTED ? undefined : `${phrase} ${text}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
