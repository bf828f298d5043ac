import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonError } from './json-error.ts';
import type { JsonValue } from './json-value.ts';
import { readFlat, toFlatNames } from './read-flat.ts';
import { readJson } from './read-json.ts';

const names = toFlatNames(['city', 'days', '1', '', 'a b', '__proto__', 'constructor', 'é', '"', 'x\\']);

function general(text: string): JsonValue | undefined {
  try {
    return readJson(text);
  } catch (error) {
    if (JsonError.is(error)) return undefined;
    throw error;
  }
}

describe('a flat text is read as the general reader reads it', () => {
  test.each([
    '{"city":"Paris"}',
    '{"city": "Paris", "days": 7}',
    '{ "days" : -7 , "city" : "" }',
    '{"1":0,"days":-0,"":-0.0,"a b":1.50}',
    '{"days":999999999999999,"1":123456789.012345,"city":0.00000000000001}',
    '{"days":true,"1":false,"city":null}',
    '{"city":["Paris"],"days":[ 1 , -2.5,null ,true],"1":[""]}',
  ])('%s', (text) => {
    const value = readFlat(text, names);
    expect(value).toStrictEqual(readJson(text));
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
  });

  test('as a value of its own, each time', () => {
    expect(readFlat('{"days":1}', names)).not.toBe(readFlat('{"days":1}', names));
  });
});

test.each([
  ['a name twice', '{"days":1,"days":2}'],
  ['another name', '{"day":1}'],
  ['a name of a prototype', '{"__proto__":1}'],
  ['a name of a prototype that a schema may have', '{"constructor":1}'],
  ['a name beyond ASCII', '{"é":1}'],
  ['an escape', '{"city":"\\u0041"}'],
  ['a value beyond ASCII', '{"city":"é"}'],
  ['a control character', '{"city":"\t"}'],
  ['a line break between members', '{"city":"a",\n"days":1}'],
  ['an empty object', '{}'],
  ['a nested object', '{"city":{}}'],
  ['an empty list', '{"city":[]}'],
  ['a list in a list', '{"city":[[1]]}'],
  ['an object in a list', '{"city":[{}]}'],
  ['a comma at the end of a list', '{"city":[1,]}'],
  ['a missing comma in a list', '{"city":[1 2]}'],
  ['a list that is closed as an object', '{"city":[1}'],
  ['a list that is cut off', '{"city":["a"'],
  ['another root', '["city"]'],
  ['an exponent', '{"days":1e3}'],
  ['a leading zero', '{"days":01}'],
  ['a point without digits', '{"days":1.}'],
  ['a minus alone', '{"days":-}'],
  ['a plus', '{"days":+1}'],
  ['too many digits', '{"days":9007199254740993}'],
  ['too many digits behind the point', '{"days":1.2345678901234567}'],
  ['a word that is none', '{"days":trues}'],
  ['a missing colon', '{"days"7}'],
  ['a missing comma', '{"days":7 "city":""}'],
  ['a comma at the end', '{"days":7,}'],
  ['a text that is cut off in a name', '{"days'],
  ['a text that is cut off in a string', '{"city":"Par'],
  ['a text that is cut off in a number', '{"days":7'],
  ['data behind the object', '{"days":7}}'],
  ['a space behind the object', '{"days":7} '],
  ['a text that is not so short', `{"city":"${'x'.repeat(600)}"}`],
])('%s is left to the general reader', (_name, text) => {
  expect(readFlat(text, names)).toBeUndefined();
});

test('a name that somebody gave to all objects is left to the general reader', () => {
  const prototype = Object.prototype as { days?: unknown };
  Object.defineProperty(prototype, 'days', { configurable: true, set: () => {} });
  try {
    expect(readFlat('{"days":1}', names)).toBeUndefined();
  } finally {
    delete prototype.days;
  }
});

test('only the first names are expected, so that a schema with many costs no more', () => {
  const many = toFlatNames(Array.from({ length: 100 }, (_, index) => `m${index}`));
  expect([many.list.length, many.quoted.length, many.places.size]).toEqual([64, 64, 64]);
});

const piece = fc.constantFrom(
  ...[
    '{',
    '}',
    '"',
    ':',
    ',',
    ' ',
    '"city"',
    '"days"',
    '"1"',
    '"other"',
    '"__proto__"',
    'true',
    'false',
    'null',
  ],
  ...[
    '0',
    '7',
    '-',
    '.',
    '15',
    '123456789012345',
    'e2',
    '\\',
    '[',
    ']',
    '\n',
    'é',
    '\u007f',
    'tru',
    '"city":"Paris"',
  ],
);
const member = fc.tuple(
  fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom('"city"', '"days"', '"1"', '""', '"a b"') },
    fc.constantFrom('"other"', '"constructor"'),
  ),
  fc.constantFrom(':', ': ', ' :'),
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('true', 'false', 'null', '0', '-0', '-0.0', '-7') },
    { weight: 3, arbitrary: fc.integer().map(String) },
    { weight: 3, arbitrary: fc.tuple(fc.nat(), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`) },
    { weight: 3, arbitrary: fc.stringMatching(/^[ !#-Z]{0,9}$/).map((content) => `"${content}"`) },
    fc.string().map((content) => JSON.stringify(content)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.maxSafeInteger().map(String),
    fc.constantFrom('1e5', '00', '{}', '[]', '[1,2]', '["a", true ,-0.5]', '[ null ]', '[01]', '[1,[2]]'),
  ),
);
const text = fc.oneof(
  fc
    .array(member, { minLength: 1, maxLength: 4 })
    .map((list) => `{${list.map((parts) => parts.join('')).join(', ')}}`),
  fc.array(piece, { maxLength: 12 }).map((pieces) => `{${pieces.join('')}}`),
);
/** The same with one piece put in or taken out somewhere. */
const mutated = fc
  .tuple(text, fc.nat(200), fc.nat(3), piece)
  .map(([whole, at, out, into]) => `${whole.slice(0, at)}${into}${whole.slice(at + out)}`);

test('what is read is what the general reader reads, whatever the text', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(text, mutated), (any) => {
      const value = readFlat(any, names);
      if (value === undefined) return;
      read++;
      const expected = general(any);
      expect(value).toStrictEqual(expected);
      expect(Object.keys(value)).toEqual(Object.keys(expected ?? {}));
    }),
    { numRuns: 10_000 },
  );
  expect(read).toBeGreaterThan(500);
});
