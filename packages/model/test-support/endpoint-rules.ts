import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray } from '../src/codec/wire-reader.ts';
import type { SchemaTarget } from '../src/projection/schema-profiles.ts';

/**
 * What each endpoint answers 400 to, written down a second time and independently of the profiles: the complaints it
 * would have about a schema. Sources: the providers' API references and the error texts that their users report.
 */
export function complaints(schema: JsonObject, target: SchemaTarget): readonly string[] {
  const found: string[] = [];
  if (schema['type'] !== (target === 'gemini' ? 'OBJECT' : 'object'))
    found.push('the root must be an object');
  for (const keyword of ['anyOf', 'oneOf', 'allOf'])
    if (keyword in schema) found.push(`${keyword} at the root`);
  if (target.startsWith('openai')) {
    for (const keyword of ['enum', 'not']) if (keyword in schema) found.push(`${keyword} at the root`);
  }
  visit(schema, '', (node, at) => {
    for (const complaint of RULES[target](node)) found.push(`${at}: ${complaint}`);
    const reference = node['$ref'];
    if (typeof reference === 'string' && target !== 'gemini') {
      const definitions = schema['$defs'];
      const name = reference.slice('#/$defs/'.length);
      if (!isJsonObject(definitions) || !Object.hasOwn(definitions, name))
        found.push(`${at}: dangling reference`);
      if (Object.keys(node).length > 1) found.push(`${at}: keywords beside $ref`);
    }
  });
  return found;
}

type Rule = (node: JsonObject) => readonly string[];

const RULES: Readonly<Record<SchemaTarget, Rule>> = {
  openai: (node) => [
    ...when(types(node).includes('array') && !('items' in node), 'array schema missing items'),
    ...when(isJsonArray(node['items']), 'items must be a schema'),
    ...when(node['type'] === 'object' && !('properties' in node), 'object schema missing properties'),
  ],
  'openai-strict': (node) => [
    ...strictObject(node),
    ...when(
      node['type'] === 'object' && keys(node['properties']).join() !== texts(node['required']).join(),
      'every member must be required',
    ),
    ...unknown(node, [
      ...'type properties required additionalProperties items anyOf enum const $ref $defs title description'.split(
        ' ',
      ),
      ...'pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems'.split(
        ' ',
      ),
    ]),
    ...when(
      typeof node['format'] === 'string' &&
        !/^(date-time|time|date|duration|email|hostname|ipv4|ipv6|uuid)$/.test(node['format']),
      'unknown format',
    ),
    ...when(types(node).includes('array') && !('items' in node), 'array schema missing items'),
    ...untyped(node),
  ],
  anthropic: (node) => [
    ...memberNames(node, /^[a-zA-Z0-9_.-]{1,64}$/),
    ...when(isJsonArray(node['items']), 'items'),
  ],
  'anthropic-strict': (node) => [
    ...strictObject(node),
    ...memberNames(node, /^[a-zA-Z0-9_.-]{1,64}$/),
    ...unknown(node, [
      ...'type properties required additionalProperties items anyOf enum const default $ref $defs'.split(' '),
      ...'title description format minItems'.split(' '),
    ]),
    ...when(typeof node['minItems'] === 'number' && node['minItems'] > 1, 'minItems over 1'),
  ],
  gemini: (node) => [
    ...memberNames(node, /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/),
    ...unknown(node, [
      ...'type properties required items anyOf enum format nullable pattern propertyOrdering title'.split(
        ' ',
      ),
      ...'description minimum maximum minItems maxItems minLength maxLength minProperties maxProperties'.split(
        ' ',
      ),
    ]),
    ...when('anyOf' in node && Object.keys(node).length > 1, 'any_of must be the only field'),
    ...when(!('anyOf' in node) && typeof node['type'] !== 'string', 'type must be one type'),
    ...when(node['type'] === 'ARRAY' && !('items' in node), 'items missing'),
    ...when(node['type'] !== 'ARRAY' && 'items' in node, 'items only for ARRAY'),
    ...when(
      node['type'] !== 'OBJECT' && ('properties' in node || 'required' in node),
      'properties only for OBJECT',
    ),
    ...when('properties' in node && keys(node['properties']).length === 0, 'properties must not be empty'),
    ...requiredDescribed(node),
    ...when(
      isJsonArray(node['enum']) && !node['enum'].every((value) => typeof value === 'string' && value !== ''),
      'enum of other things than text',
    ),
    ...when(
      typeof node['format'] === 'string' && !/^(date-time|float|double|int32|int64)$/.test(node['format']),
      'unknown format',
    ),
  ],
  'gemini-json': (node) => [
    ...memberNames(node, /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/),
    ...unknown(node, [
      ...'type properties required additionalProperties items prefixItems anyOf enum format $ref $defs'.split(
        ' ',
      ),
      ...'title description minimum maximum minItems maxItems propertyOrdering'.split(' '),
    ]),
    ...requiredDescribed(node),
  ],
};

function strictObject(node: JsonObject): readonly string[] {
  if (!types(node).includes('object')) return [];
  return [
    ...when(node['additionalProperties'] !== false, 'additionalProperties must be false'),
    ...when(!isJsonObject(node['properties']), 'properties missing'),
    ...requiredDescribed(node),
  ];
}

function requiredDescribed(node: JsonObject): readonly string[] {
  const described = keys(node['properties']);
  return when(
    !texts(node['required']).every((name) => described.includes(name)),
    'required member not described',
  );
}

function untyped(node: JsonObject): readonly string[] {
  return when(!('type' in node) && !('anyOf' in node) && !('$ref' in node), 'a schema without a type');
}

function memberNames(node: JsonObject, pattern: RegExp): readonly string[] {
  return when(!keys(node['properties']).every((name) => pattern.test(name)), 'member name not accepted');
}

function unknown(node: JsonObject, known: readonly string[]): readonly string[] {
  return Object.keys(node).flatMap((keyword) => when(!known.includes(keyword), `unknown keyword ${keyword}`));
}

function when(broken: boolean, complaint: string): readonly string[] {
  return broken ? [complaint] : [];
}

function types(node: JsonObject): readonly JsonValue[] {
  const { type } = node;
  return type === undefined ? [] : isJsonArray(type) ? type : [type];
}

function keys(value: JsonValue | undefined): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : [];
}

function texts(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function visit(node: JsonValue | undefined, at: string, look: (node: JsonObject, at: string) => void): void {
  if (!isJsonObject(node)) return;
  look(node, at);
  for (const keyword of ['properties', '$defs', 'patternProperties']) {
    const map = node[keyword];
    if (isJsonObject(map))
      for (const [name, each] of Object.entries(map)) visit(each, `${at}/${keyword}/${name}`, look);
  }
  for (const keyword of ['items', 'additionalProperties', 'not', 'contains'])
    visit(node[keyword], `${at}/${keyword}`, look);
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const list = node[keyword];
    if (isJsonArray(list))
      for (const [index, each] of list.entries()) visit(each, `${at}/${keyword}/${index}`, look);
  }
}
