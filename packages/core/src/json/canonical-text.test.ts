import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { canonicalText } from './canonical-text.ts';
import { JsonError } from './json-error.ts';
import type { JsonValue } from './json-value.ts';
import { readJson } from './read-json.ts';

const LENIENT = {
  maxBytes: 'none',
  maxDepth: 'none',
  noncharacters: 'allow',
  forbiddenMembers: 'allow',
} as const;

test('what was read is written as the general writer writes it', () => {
  const named = fc.dictionary(
    fc.constantFrom('b', 'a', 'é', '😀', '10', '9', '', '-', 'toString'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), named), (given) => {
      const value = JSON.parse(JSON.stringify(given)) as JsonValue;
      if (JSON.stringify(given).includes('\\ud')) return;
      expect(canonicalText(value)).toBe(canonicalJson(value));
    }),
  );
});

test.each([
  ['members in another order', '{"b":1,"a":[{"d":null,"c":true}],"":"\\u0041\\n\\"ü"}'],
  ['names that look like indices', '{"a":0,"10":1,"9":2,"01":3,"-":4}'],
  ['numbers in other forms', '[-0,1e21,1E-7,0.10,4.50,333333333.33333329]'],
  ['a member that looks like a prototype', '{"b":1,"__proto__":{"a":1},"constructor":2}'],
  ['a member called toJSON', '{"toJSON":{"b":1,"a":2}}'],
  [
    'many members',
    JSON.stringify(Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`n${98 - at}`, at]))),
  ],
  ['many levels', `${'[{"b":0,"a":'.repeat(40)}1${'}]'.repeat(40)}`],
  ['nothing in it', '[{},[],""]'],
])('so is a value with %s', (_, text) => {
  const value = readJson(text, LENIENT);
  expect(canonicalText(value)).toBe(canonicalJson(value));
});

test('what has no JSON form is refused as the general writer refuses it', () => {
  const given: readonly unknown[] = [
    '\ud800',
    { '\udc00': 1 },
    [Number.NaN],
    { a: Number.POSITIVE_INFINITY },
    [undefined],
  ];
  for (const value of given as readonly JsonValue[]) {
    expect(() => canonicalText(value)).toThrow(JsonError);
    expect(() => canonicalJson(value)).toThrow(JsonError);
  }
  const absent = { a: undefined, b: 1 } as unknown as JsonValue;
  expect(canonicalText(absent)).toBe(canonicalJson(absent));
});
