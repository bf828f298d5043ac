import type { JsonObject } from '../../json/json-value.ts';

const base = 'https://json-schema.org/draft/2020-12';
const self: JsonObject = { $dynamicRef: '#meta' };
const selfMap: JsonObject = { type: 'object', additionalProperties: self };
const selfList: JsonObject = { type: 'array', minItems: 1, items: self };
const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const names: JsonObject = { type: 'array', items: text, uniqueItems: true };
const uri: JsonObject = { type: 'string', format: 'uri' };
const uriReference: JsonObject = { type: 'string', format: 'uri-reference' };
const anchor: JsonObject = { type: 'string', pattern: '^[A-Za-z_][-A-Za-z0-9._]*$' };
const simpleType: JsonObject = {
  enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'],
};

function vocabulary(name: string, properties: JsonObject): JsonObject {
  return {
    $schema: `${base}/schema`,
    $id: `${base}/meta/${name}`,
    $dynamicAnchor: 'meta',
    type: ['object', 'boolean'],
    properties,
  };
}

const core = vocabulary('core', {
  $id: { type: 'string', format: 'uri-reference', pattern: '^[^#]*#?$' },
  $schema: uri,
  $ref: uriReference,
  $anchor: anchor,
  $dynamicRef: uriReference,
  $dynamicAnchor: anchor,
  $vocabulary: { type: 'object', propertyNames: uri, additionalProperties: flag },
  $comment: text,
  $defs: selfMap,
});

const applicator = vocabulary('applicator', {
  prefixItems: selfList,
  items: self,
  contains: self,
  additionalProperties: self,
  properties: selfMap,
  patternProperties: { ...selfMap, propertyNames: { format: 'regex' } },
  dependentSchemas: selfMap,
  propertyNames: self,
  if: self,
  then: self,
  else: self,
  allOf: selfList,
  anyOf: selfList,
  oneOf: selfList,
  not: self,
});

const unevaluated = vocabulary('unevaluated', { unevaluatedItems: self, unevaluatedProperties: self });

const validation = vocabulary('validation', {
  type: { anyOf: [simpleType, { type: 'array', items: simpleType, minItems: 1, uniqueItems: true }] },
  const: true,
  enum: { type: 'array', items: true },
  multipleOf: { type: 'number', exclusiveMinimum: 0 },
  maximum: { type: 'number' },
  exclusiveMaximum: { type: 'number' },
  minimum: { type: 'number' },
  exclusiveMinimum: { type: 'number' },
  maxLength: count,
  minLength: count,
  pattern: { type: 'string', format: 'regex' },
  maxItems: count,
  minItems: count,
  uniqueItems: flag,
  maxContains: count,
  minContains: count,
  maxProperties: count,
  minProperties: count,
  required: names,
  dependentRequired: { type: 'object', additionalProperties: names },
});

const metaData = vocabulary('meta-data', {
  title: text,
  description: text,
  default: true,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  examples: { type: 'array', items: true },
});

const formatAnnotation = vocabulary('format-annotation', { format: text });

const content = vocabulary('content', { contentMediaType: text, contentEncoding: text, contentSchema: self });

const vocabularies = [core, applicator, unevaluated, validation, metaData, formatAnnotation, content];

const schema: JsonObject = {
  ...vocabulary('schema', {
    definitions: selfMap,
    dependencies: { type: 'object', additionalProperties: { anyOf: [self, names] } },
    $recursiveAnchor: anchor,
    $recursiveRef: uriReference,
  }),
  $id: `${base}/schema`,
  allOf: vocabularies.map(({ $id }) => ({ $ref: $id ?? '' })),
};

/**
 * The meta-schema of 2020-12 and its vocabularies, without their descriptions.
 *
 * @see https://json-schema.org/draft/2020-12/schema
 */
export const draft202012: readonly JsonObject[] = [schema, ...vocabularies];
