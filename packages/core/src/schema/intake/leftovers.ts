import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonArray, member } from '../member.ts';
import type { Dialect, SchemaTrust } from '../schema.ts';
import type { Draft } from './draft.ts';
import { foreignTypes } from './foreign-types.ts';
import type { Leftover, LeftoverContext } from './leftover.ts';
import { malformedAnnotations } from './malformed-annotations.ts';
import { fromPythonPattern } from './python-pattern.ts';
import { repeatedNames } from './repeated-names.ts';
import type { OwnedSchema } from './schema-place.ts';
import { unsetKeywords } from './unset-keywords.ts';

const beforeDraft2020: readonly Draft[] = ['draft-04', 'draft-06', 'draft-07', '2019-09'];

/** The anchor that stands for `$recursiveAnchor: true`. */
const recursiveAnchor = 'recursive-anchor';

/** Every form that is normalised, in the order in which it is looked for. */
export const leftovers: readonly Leftover[] = [
  foreignTypes,
  ...repeatedNames,
  exclusiveBound('exclusiveMinimum', 'minimum'),
  exclusiveBound('exclusiveMaximum', 'maximum'),
  {
    keyword: 'required',
    native: [],
    detail: 'a boolean, as in draft-03, became a name in the list of the object above',
    isIn: (json) => typeof member(json, 'required') === 'boolean',
    replace: (schema, { memberOf }) => {
      if (schema['required'] === true && memberOf !== undefined) addRequired(memberOf.schema, memberOf.name);
      delete schema['required'];
    },
  },
  {
    keyword: 'type',
    native: [],
    detail: 'the type "any", as in draft-03, was left out',
    isIn: (json) => isAny(member(json, 'type')) || hasAny(member(json, 'type')),
    replace: (schema) => void delete schema['type'],
  },
  {
    keyword: 'nullable',
    native: [],
    detail: 'as in OpenAPI 3.0, became the type "null" beside the others',
    isIn: (json) =>
      typeof member(json, 'nullable') === 'boolean' &&
      (json['nullable'] === false || Object.hasOwn(json, 'type')),
    replace: replaceNullable,
  },
  {
    keyword: 'id',
    native: ['draft-04'],
    detail: 'as in draft-04, became $id where it names the whole schema, and was left out elsewhere',
    isIn: (json) => typeof member(json, 'id') === 'string',
    replace: replaceId,
  },
  {
    keyword: 'items',
    native: beforeDraft2020,
    detail: 'a list, as before 2020-12, became prefixItems',
    moves: new Map([
      ['/prefixItems', '/items'],
      ['/items', '/additionalItems'],
    ]),
    // With a second list for the rest it was wrong before, too, and stays as it is to be refused.
    isIn: (json, dialect) =>
      dialect === '2020-12' &&
      isJsonArray(member(json, 'items')) &&
      !isJsonArray(member(json, 'additionalItems')) &&
      !Object.hasOwn(json, 'prefixItems'),
    replace: replaceItemList,
  },
  {
    keyword: 'dependencies',
    native: beforeDraft2020,
    detail: 'as before 2019-09, became dependentRequired and dependentSchemas',
    moves: new Map([['/dependentSchemas', '/dependencies']]),
    isIn: (json, dialect) => dialect === '2020-12' && isDependencyMap(member(json, 'dependencies')),
    replace: replaceDependencies,
  },
  {
    keyword: '$recursiveAnchor',
    native: ['2019-09'],
    detail: 'as in 2019-09, became $dynamicAnchor',
    isIn: (json, dialect) => dialect === '2020-12' && typeof member(json, '$recursiveAnchor') === 'boolean',
    replace: (schema) => {
      if (schema['$recursiveAnchor'] === true) schema['$dynamicAnchor'] ??= recursiveAnchor;
      delete schema['$recursiveAnchor'];
    },
  },
  {
    keyword: '$recursiveRef',
    native: ['2019-09'],
    detail: 'as in 2019-09, became $dynamicRef, or $ref where nothing is recursive',
    isIn: (json, dialect) => dialect === '2020-12' && member(json, '$recursiveRef') === '#',
    replace: (schema, { resource }) => {
      const isDynamic = resource['$dynamicAnchor'] === recursiveAnchor;
      addAll(schema, isDynamic ? { $dynamicRef: `#${recursiveAnchor}` } : { $ref: '#' });
      delete schema['$recursiveRef'];
    },
  },
  {
    keyword: 'pattern',
    native: [],
    detail: 'as in Python, Rust or POSIX, became one of ECMAScript',
    isIn: (json) => ecmaPattern(json) !== undefined,
    replace(schema) {
      const pattern = ecmaPattern(schema);
      if (pattern !== undefined) schema['pattern'] = pattern;
    },
  },
  ...malformedAnnotations,
  ...unsetKeywords,
];

const byKeyword: ReadonlyMap<string, readonly Leftover[]> = groupByKeyword();

function groupByKeyword(): ReadonlyMap<string, readonly Leftover[]> {
  const groups = new Map<string, Leftover[]>();
  for (const leftover of leftovers) {
    const group = groups.get(leftover.keyword);
    if (group === undefined) groups.set(leftover.keyword, [leftover]);
    else group.push(leftover);
  }
  return groups;
}

/** The forms that a subschema has, in the order of {@link leftovers}; mostly none. */
export function leftoversIn(json: JsonObject, dialect: Dialect, trust: SchemaTrust): readonly Leftover[] {
  const isHere = (leftover: Leftover): boolean =>
    (leftover.foreign !== true || trust === 'foreign') && leftover.isIn(json, dialect);
  for (const keyword of Object.keys(json)) {
    const isLeft = byKeyword.get(keyword)?.some(isHere) === true;
    if (isLeft) return leftovers.filter(isHere);
  }
  return none;
}

const none: readonly Leftover[] = [];

function addRequired(schema: OwnedSchema, name: string): void {
  const required = member(schema, 'required');
  const names = isJsonArray(required) ? required : [];
  if (!names.includes(name)) schema['required'] = [...names, name];
}

function exclusiveBound(keyword: string, bound: string): Leftover {
  return {
    keyword,
    native: ['draft-04'],
    detail: 'a boolean, as in draft-04, became a number',
    isIn: (json) => typeof member(json, keyword) === 'boolean',
    replace: (schema) => {
      const isExclusive = schema[keyword] === true;
      delete schema[keyword];
      const value = member(schema, bound);
      if (!isExclusive || value === undefined) return;
      schema[keyword] = value;
      delete schema[bound];
    },
  };
}

function ecmaPattern(json: JsonObject): string | undefined {
  const pattern = member(json, 'pattern');
  return typeof pattern === 'string' ? fromPythonPattern(pattern) : undefined;
}

function hasAny(type: JsonValue | undefined): boolean {
  return isJsonArray(type) && type.some(isAny);
}

function isAny(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && type.toLowerCase() === 'any';
}

// OpenAPI 3.0.3: nullable adds "null" to a type that stands beside it, and does nothing elsewhere.
function replaceNullable(schema: OwnedSchema): void {
  const isNullable = schema['nullable'] === true;
  delete schema['nullable'];
  const type = member(schema, 'type');
  if (!isNullable || type === undefined) return;
  const types = isJsonArray(type) ? type : [type];
  if (!types.includes('null')) schema['type'] = [...types, 'null'];
  const values = member(schema, 'enum');
  if (isJsonArray(values) && !values.includes(null)) schema['enum'] = [...values, null];
}

function replaceId(schema: OwnedSchema, { dialect, draft, isRoot }: LeftoverContext): void {
  const id = schema['id'];
  delete schema['id'];
  if (typeof id !== 'string' || Object.hasOwn(schema, '$id')) return;
  // Elsewhere than in draft-04 an `id` inside was never an identifier; making it one would move the base of
  // references below it.
  if (draft === 'draft-04' || (isRoot && URL.canParse(id))) {
    if (dialect === '2020-12' && id.startsWith('#')) schema['$anchor'] = id.slice(1);
    else schema['$id'] = id;
  }
}

function replaceItemList(schema: OwnedSchema): void {
  const items = schema['items'];
  const rest = schema['additionalItems'];
  delete schema['items'];
  delete schema['additionalItems'];
  if (isJsonArray(items) && items.length > 0) schema['prefixItems'] = items;
  if (rest !== undefined) schema['items'] = rest;
}

function isDependencyMap(value: JsonValue | undefined): boolean {
  return (
    isJsonObject(value) &&
    Object.values(value).every((item) => isJsonArray(item) || isJsonObject(item) || typeof item === 'boolean')
  );
}

function replaceDependencies(schema: OwnedSchema): void {
  const dependencies = schema['dependencies'];
  delete schema['dependencies'];
  if (!isJsonObject(dependencies)) return;
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, item]) => isJsonArray(item));
  const schemas = entries.filter(([, item]) => !isJsonArray(item));
  if (names.length > 0) addAll(schema, { dependentRequired: Object.fromEntries(names) });
  if (schemas.length > 0) addAll(schema, { dependentSchemas: Object.fromEntries(schemas) });
}

/** Adds keywords to a schema: beside the others, or under `allOf` where one of them is there already. */
function addAll(schema: OwnedSchema, keywords: JsonObject): void {
  if (Object.keys(keywords).every((keyword) => !Object.hasOwn(schema, keyword))) {
    Object.assign(schema, keywords);
    return;
  }
  const allOf = member(schema, 'allOf');
  schema['allOf'] = [...(isJsonArray(allOf) ? allOf : []), keywords];
}
