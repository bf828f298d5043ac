import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

const notesOf = (schema: JsonObject): readonly string[] =>
  compileSchema(schema).intake.notes.map(({ kind, pointer }) => `${kind} ${pointer}`);

describe('a place for any type is noted', () => {
  test.each<[string, JsonObject, readonly string[]]>([
    ['a member without a schema', { properties: { report: {} } }, ['untyped /properties/report']],
    ['a member that may be anything', { properties: { report: true } }, ['untyped /properties/report']],
    [
      'a member that is only described',
      { properties: { report: { description: 'The report', default: null, 'x-order': 1 } } },
      ['untyped /properties/report'],
    ],
    [
      'a member of type any, as older drafts had it',
      { properties: { a: { type: 'any' } } },
      ['normalised /properties/a/type', 'untyped /properties/a'],
    ],
    ['the items of an array', { type: 'array', items: {} }, ['untyped /items']],
    [
      'one position of an array',
      { type: 'array', prefixItems: [true, { type: 'string' }] },
      ['untyped /prefixItems/0'],
    ],
    [
      'a member deep inside',
      { properties: { a: { type: 'object', properties: { 'b/c': {} } } } },
      ['untyped /properties/a/properties/b~1c'],
    ],
    [
      'array-form items, where they were written',
      { $schema: 'http://json-schema.org/draft-04/schema#', items: [{}] },
      ['dialect-mapped /$schema', 'untyped /items/0'],
    ],
  ])('%s', (_, schema, notes) => {
    expect(notesOf(schema)).toEqual(notes);
  });

  test.each<[string, JsonObject]>([
    ['a type', { properties: { a: { type: 'object' } } }],
    ['listed values', { properties: { a: { enum: [1, 'a'] } } }],
    ['a reference', { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }],
    ['a choice', { properties: { a: { anyOf: [{ type: 'string' }, { type: 'object' }] } } }],
    ['no value at all', { properties: { a: false } }],
    ['further members, which are a map', { type: 'object', additionalProperties: true }],
    ['a definition that nobody uses', { $defs: { a: {} } }],
  ])('but not %s', (_, schema) => {
    expect(notesOf(schema)).toEqual([]);
  });
});
