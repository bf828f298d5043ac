import type { SchemaProfile } from './schema-profile.ts';

/** The endpoints whose rules are known. */
export type SchemaTarget =
  | 'openai'
  | 'openai-strict'
  | 'anthropic'
  | 'anthropic-strict'
  | 'gemini'
  | 'gemini-json';

const ANNOTATIONS = ['title', 'description'];
const OBJECT = ['type', 'properties', 'required'];
const RANGES = ['minimum', 'maximum', 'minItems', 'maxItems'];

/** OpenAI without strict mode: every keyword, but an object without combinators at the root and `items` in each array. */
const OPENAI: SchemaProfile = {
  id: 'openai',
  keywords: 'all',
  without: ['$schema', '$id'],
  rootWithout: ['enum', 'const', 'not'],
  formats: 'all',
  references: 'keep',
  allOf: 'keep',
  unions: 'keep',
  nulls: 'type',
  typed: false,
  enumValues: 'any',
  constants: true,
  itemsRequired: true,
  emptyProperties: 'require',
  requiredDescribed: false,
};

/** @see OpenAI, "Structured outputs: supported schemas": keywords, formats and limits. */
const OPENAI_STRICT: SchemaProfile = {
  ...OPENAI,
  id: 'openai-strict',
  keywords: [
    ...ANNOTATIONS,
    ...OBJECT,
    ...RANGES,
    ...['additionalProperties', 'items', 'anyOf', 'enum', 'const', '$ref', '$defs'],
    ...['pattern', 'format', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum'],
  ],
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'],
  allOf: 'merge',
  unions: 'alone',
  typed: true,
  strict: {
    nullableForOptional: true,
    recursion: true,
    maxObjectDepth: 10,
    maxMembers: 5000,
    maxEnumValues: 1000,
    maxTextLength: 120_000,
    fallback: OPENAI,
  },
};

/** Anthropic refuses combinators at the root of `input_schema` and member names outside this pattern. */
const ANTHROPIC: SchemaProfile = {
  ...OPENAI,
  id: 'anthropic',
  itemsRequired: false,
  emptyProperties: 'keep',
  memberNames: { minLength: 1, maxLength: 64, first: 'A-Za-z0-9_.\\-', rest: 'A-Za-z0-9_.\\-' },
};

/** @see Anthropic, "Structured outputs: JSON Schema limitations". Its limits over all tools together are not checked here. */
const ANTHROPIC_STRICT: SchemaProfile = {
  ...ANTHROPIC,
  id: 'anthropic-strict',
  keywords: [
    ...ANNOTATIONS,
    ...OBJECT,
    ...['additionalProperties', 'items', 'anyOf', 'enum', 'const', '$ref', '$defs', 'default'],
    ...['format', 'minItems'],
  ],
  formats: ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid'],
  allOf: 'merge',
  unions: 'alone',
  typed: true,
  maxMinItems: 1,
  strict: {
    nullableForOptional: false,
    recursion: false,
    maxObjectDepth: 32,
    maxMembers: 1000,
    maxEnumValues: 1000,
    maxTextLength: 120_000,
    fallback: ANTHROPIC,
  },
};

const GEMINI_MEMBER_NAMES = { minLength: 1, maxLength: 64, first: 'A-Za-z_', rest: 'A-Za-z0-9_' };
const GEMINI_FORMATS = ['date-time', 'float', 'double', 'int32', 'int64'];

/** The classic `parameters` of Gemini: a part of OpenAPI 3.0. @see Gemini API reference, `Schema`. */
const GEMINI: SchemaProfile = {
  id: 'gemini',
  keywords: [
    ...ANNOTATIONS,
    ...OBJECT,
    ...RANGES,
    ...['items', 'anyOf', 'enum', 'format', 'nullable', 'pattern', 'propertyOrdering'],
    ...['minLength', 'maxLength', 'minProperties', 'maxProperties'],
  ],
  formats: GEMINI_FORMATS,
  references: 'inline',
  allOf: 'merge',
  unions: 'bare',
  nulls: 'keyword',
  typed: true,
  capitals: true,
  enumValues: 'text',
  constants: false,
  itemsRequired: true,
  emptyProperties: 'omit',
  requiredDescribed: true,
  memberNames: GEMINI_MEMBER_NAMES,
};

/** `parametersJsonSchema` of Gemini: a part of JSON Schema. @see Gemini API reference, `responseJsonSchema`. */
const GEMINI_JSON: SchemaProfile = {
  id: 'gemini-json',
  keywords: [
    ...ANNOTATIONS,
    ...OBJECT,
    ...RANGES,
    ...[
      'additionalProperties',
      'items',
      'prefixItems',
      'anyOf',
      'enum',
      'format',
      '$ref',
      '$defs',
      'propertyOrdering',
    ],
  ],
  formats: GEMINI_FORMATS,
  references: 'keep',
  allOf: 'merge',
  unions: 'alone',
  nulls: 'type',
  typed: false,
  enumValues: 'text-and-number',
  constants: false,
  itemsRequired: true,
  emptyProperties: 'omit',
  requiredDescribed: true,
  memberNames: GEMINI_MEMBER_NAMES,
};

/** The profiles of the known endpoints. Frozen on the outside; treat as constants. */
export const SCHEMA_PROFILES: Readonly<Record<SchemaTarget, SchemaProfile>> = Object.freeze({
  openai: Object.freeze(OPENAI),
  'openai-strict': Object.freeze(OPENAI_STRICT),
  anthropic: Object.freeze(ANTHROPIC),
  'anthropic-strict': Object.freeze(ANTHROPIC_STRICT),
  gemini: Object.freeze(GEMINI),
  'gemini-json': Object.freeze(GEMINI_JSON),
});
