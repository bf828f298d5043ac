import type { JsonValue } from '@toolgate/core';
import { expect, test } from 'vitest';
import { withoutEmptyLists } from './empty-lists.ts';

test.each<[string, JsonValue, JsonValue]>([
  ['a schema', [], {}],
  ['no arguments', { type: 'object', properties: [] }, { type: 'object', properties: {} }],
  [
    'a definition',
    { $defs: { a: [], b: { definitions: [] } } },
    { $defs: { a: {}, b: { definitions: {} } } },
  ],
  [
    'an object deep inside',
    { properties: { a: { items: { anyOf: [true, { properties: [] }] } } } },
    { properties: { a: { items: { anyOf: [true, { properties: {} }] } } } },
  ],
])('an empty list for %s is an empty object', (_what, said, read) => {
  expect(withoutEmptyLists(said)).toEqual(read);
});

test.each<[string, JsonValue | undefined]>([
  [
    'lists that are lists',
    { required: [], properties: { a: { enum: [], items: [], default: [], examples: [] } } },
  ],
  ['a name that a schema has a meaning for', { properties: { properties: { const: [] } } }],
  ['no object', 'object'],
  ['nothing', undefined],
])('%s stay the same', (_what, said) => {
  expect(withoutEmptyLists(said)).toBe(said);
});

test('a schema of any depth is left to those who bound it', () => {
  let deep: JsonValue = { properties: [] };
  for (let depth = 0; depth < 20_000; depth += 1) deep = { not: deep };
  expect(withoutEmptyLists(deep)).toBe(deep);
});
