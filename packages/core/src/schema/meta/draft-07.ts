import type { JsonObject } from '../../json/json-value.ts';

const self: JsonObject = { $ref: '#' };
const anyMap: JsonObject = { type: 'object', additionalProperties: self };
const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const anyList: JsonObject = { $ref: '#/definitions/schemaArray' };
const count: JsonObject = { $ref: '#/definitions/nonNegativeInteger' };
const names: JsonObject = { $ref: '#/definitions/stringArray' };
const simpleType: JsonObject = { $ref: '#/definitions/simpleTypes' };
const uriReference: JsonObject = { type: 'string', format: 'uri-reference' };

/**
 * The meta-schema of draft-07, without its defaults and titles.
 *
 * @see http://json-schema.org/draft-07/schema
 */
export const draft07: JsonObject = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'http://json-schema.org/draft-07/schema#',
  definitions: {
    schemaArray: { type: 'array', minItems: 1, items: self },
    nonNegativeInteger: { type: 'integer', minimum: 0 },
    nonNegativeIntegerDefault0: { allOf: [count] },
    simpleTypes: { enum: ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'] },
    stringArray: { type: 'array', items: text, uniqueItems: true },
  },
  type: ['object', 'boolean'],
  properties: {
    $id: uriReference,
    $schema: { type: 'string', format: 'uri' },
    $ref: uriReference,
    $comment: text,
    title: text,
    description: text,
    default: true,
    readOnly: flag,
    writeOnly: flag,
    examples: { type: 'array', items: true },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    maximum: { type: 'number' },
    exclusiveMaximum: { type: 'number' },
    minimum: { type: 'number' },
    exclusiveMinimum: { type: 'number' },
    maxLength: count,
    minLength: count,
    pattern: { type: 'string', format: 'regex' },
    additionalItems: self,
    items: { anyOf: [self, anyList] },
    maxItems: count,
    minItems: count,
    uniqueItems: flag,
    contains: self,
    maxProperties: count,
    minProperties: count,
    required: names,
    additionalProperties: self,
    definitions: anyMap,
    properties: anyMap,
    patternProperties: { ...anyMap, propertyNames: { format: 'regex' } },
    dependencies: { type: 'object', additionalProperties: { anyOf: [self, names] } },
    propertyNames: self,
    const: true,
    enum: { type: 'array', items: true },
    type: { anyOf: [simpleType, { type: 'array', items: simpleType, minItems: 1, uniqueItems: true }] },
    format: text,
    contentMediaType: text,
    contentEncoding: text,
    if: self,
    then: self,
    else: self,
    allOf: anyList,
    anyOf: anyList,
    oneOf: anyList,
    not: self,
  },
};
