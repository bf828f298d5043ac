import type { JsonValue } from '@toolgate/core';
import { expect, test } from 'vitest';
import { headerFault } from './header-fault.ts';

const wanted = (header: JsonValue, type: JsonValue = 'string'): JsonValue => ({
  type,
  'x-mcp-header': header,
});
const object = (properties: Record<string, JsonValue>): JsonValue => ({ type: 'object', properties });

test.each<[string, JsonValue]>([
  ['no header', object({ a: { type: 'string' } })],
  ['a text', object({ a: wanted('Region') })],
  ['an integer and a boolean', object({ a: wanted('A', 'integer'), b: wanted('B', 'boolean') })],
  ['a nested parameter', object({ a: object({ b: wanted('B') }) })],
  ['a parameter that has the name of the keyword', object({ 'x-mcp-header': { type: 'string' } })],
  [
    'a default that has a member of the name',
    object({ a: { type: 'object', default: { 'x-mcp-header': 1 } } }),
  ],
  ['a requirement of the name', { ...Object(object({})), dependentRequired: { 'x-mcp-header': ['a'] } }],
  ['no schema', true],
])('%s is no fault', (_name, schema) => {
  expect(headerFault(schema)).toBeUndefined();
});

test.each<[string, JsonValue, string]>([
  ['an empty name', object({ a: wanted('') }), '/properties/a'],
  ['a name with a space', object({ a: wanted('My Region') }), '/properties/a'],
  ['a name with a line break', object({ a: wanted('A\r\nCookie: b') }), '/properties/a'],
  ['a name with a line break at its end', object({ a: wanted('A\n') }), '/properties/a'],
  ['a name with a colon', object({ a: wanted('a:b') }), '/properties/a'],
  ['a name beyond ASCII', object({ a: wanted('Région') }), '/properties/a'],
  ['a name that is no text', object({ a: wanted(1) }), '/properties/a'],
  ['an object', object({ a: wanted('A', 'object') }), '/properties/a'],
  ['an array', object({ a: wanted('A', 'array') }), '/properties/a'],
  ['nothing', object({ a: wanted('A', 'null') }), '/properties/a'],
  ['a number', object({ a: wanted('A', 'number') }), '/properties/a'],
  ['a choice of types', object({ a: wanted('A', ['string', 'null']) }), '/properties/a'],
  ['a parameter without a type', object({ a: { 'x-mcp-header': 'A' } }), '/properties/a'],
  ['the same name twice', object({ a: wanted('Region'), b: wanted('Region') }), '/properties/b'],
  [
    'a name in another case',
    object({ a: wanted('MyField'), b: object({ c: wanted('myfield') }) }),
    '/properties/b/properties/c',
  ],
  ['the root', { ...Object(object({})), 'x-mcp-header': 'A' }, ''],
  ['an item', object({ a: { type: 'array', items: wanted('A') } }), '/properties/a/items'],
  ['a member of an alternative', object({ a: { anyOf: [wanted('A')] } }), '/properties/a/anyOf/0'],
  ['a parameter of an alternative', { anyOf: [object({ a: wanted('A') })] }, '/anyOf/0/properties/a'],
  ['a shared definition', { type: 'object', $defs: { a: wanted('A') } }, '/$defs/a'],
  [
    'a parameter of a shared definition',
    { $defs: { a: object({ b: wanted('B') }) } },
    '/$defs/a/properties/b',
  ],
  ['other members', { type: 'object', additionalProperties: wanted('A') }, '/additionalProperties'],
  [
    'members by pattern',
    { type: 'object', patternProperties: { '^a': wanted('A') } },
    '/patternProperties/^a',
  ],
  ['a keyword that nobody knows', { type: 'object', shared: { a: wanted('A') } }, '/shared/a'],
])('a header for %s is a fault, and its place is said', (_name, schema, place) => {
  expect(headerFault(schema)?.pointer).toBe(`${place}/x-mcp-header`);
});

test('the message quotes nothing of a server', () => {
  expect(headerFault(object({ a: wanted('evil name') }))?.message).not.toMatch(/evil/);
});
