import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';
import { readInput } from './read-input.ts';

const text = v.string();
const cases = [
  ['isoTime', v.pipe(text, v.isoTime()), ['10:20', '23:59'], ['10:20:30', '24:00', 'x']],
  ['isoTimeSecond', v.pipe(text, v.isoTimeSecond()), ['10:20:30'], ['10:20', '10:20:30Z']],
  [
    'isoDateTime',
    v.pipe(text, v.isoDateTime()),
    ['2026-01-31T10:20'],
    ['2026-01-31', '2026-01-31T10:20:30Z'],
  ],
  ['isoTimestamp', v.pipe(text, v.isoTimestamp()), ['2026-01-31T10:20:30Z'], ['2026-01-31T10:20']],
  ['isoDate', v.pipe(text, v.isoDate()), ['2026-01-31'], ['2026-01-31T10:20']],
] as const;

describe('a time of Valibot', () => {
  test.each(cases)('that is %s is advertised so that it can be written', (_, schema, right, wrong) => {
    const { json, validate } = readInput(toStandardJsonSchema(v.object({ at: schema })));
    const advertised = compileSchema(json);
    for (const at of right) {
      expect([at, advertised.check({ at }), validate?.({ at }).kind]).toEqual([at, true, 'valid']);
    }
    for (const at of wrong) expect([at, advertised.check({ at })]).toEqual([at, false]);
  });

  test('keeps what is said of it besides, within lists and options too', () => {
    const at = v.optional(v.array(v.pipe(text, v.description('When it begins.'), v.isoTime())));
    const { json } = readInput(toStandardJsonSchema(v.object({ at })));
    expect(json).toMatchObject({
      properties: { at: { items: { description: 'When it begins.', pattern: expect.any(String) } } },
    });
    expect(JSON.stringify(json)).not.toContain('format');
  });
});

/** What a schema of Valibot says of the member `a`, and which of two values of it are admitted. */
function tried(a: v.GenericSchema, right: JsonValue, wrong: JsonValue) {
  const { json, validate } = readInput(toStandardJsonSchema(v.object({ a })));
  const advertised = compileSchema(json);
  const admits = (value: JsonValue): boolean =>
    advertised.check({ a: value }) && validate?.({ a: value }).kind === 'valid';
  return { said: json, admitted: [admits(right), admits(wrong)] };
}

const steps: readonly [string, v.GenericSchema, JsonValue, JsonValue][] = [
  [
    'check',
    v.pipe(
      text,
      v.check((value) => value === 'q'),
    ),
    'q',
    'r',
  ],
  ['trim, and the length behind it', v.pipe(text, v.trim(), v.minLength(2)), ' xy ', ' x '],
  ['toLowerCase', v.pipe(text, v.toLowerCase(), v.picklist(['a'])), 'A', 'b'],
  ['a brand', v.pipe(text, v.brand('Id'), v.minLength(1)), 'x', ''],
  ['readonly', v.pipe(v.array(text), v.readonly()), ['x'], [1]],
  [
    'everyItem',
    v.pipe(
      v.array(v.number()),
      v.everyItem((item) => item > 1),
    ),
    [2],
    [1],
  ],
  ['a second expression', v.pipe(text, v.startsWith('a'), v.endsWith('c')), 'abc', 'abd'],
  ['an expression with a flag', v.pipe(text, v.regex(/^abc$/i)), 'ABC', 'abd'],
  ['a flag behind another expression', v.pipe(text, v.regex(/^a/), v.regex(/C$/i)), 'abc', 'abd'],
  ['a bound of a text', v.pipe(text, v.minValue('b')), 'c', 'a'],
  ['a form without its own word', v.pipe(text, v.maxBytes(2)), 'xy', 'xyz'],
  ['names out of a list', v.record(v.picklist(['x', 'y']), v.number()), { x: 1 }, { z: 1 }],
];

describe('what JSON Schema cannot say of a schema of Valibot', () => {
  test.each(steps)('is left to its own check: %s', (_, a, right, wrong) => {
    expect(tried(a, right, wrong).admitted).toEqual([true, false]);
  });

  test('between members too, and what it says has its place', () => {
    const equal = v.pipe(
      v.object({ a: text, b: text }),
      v.forward(
        v.partialCheck([['a'], ['b']], ({ a, b }) => a === b, 'b is not a.'),
        ['b'],
      ),
    );
    const { validate } = readInput(toStandardJsonSchema(equal));
    expect(validate?.({ a: '1', b: '2' })).toMatchObject({
      kind: 'invalid',
      issues: [{ pointer: '/b', message: 'b is not a.' }],
    });
    expect(validate?.({ a: '1', b: '1' }).kind).toBe('valid');
  });

  test.each<[string, v.GenericSchema, RegExp]>([
    ['makes other items', v.pipe(v.array(text), v.mapItems(Number)), /map_items/],
    ['moves a number', v.pipe(v.number(), v.toMinValue(3)), /to_min_value/],
    ['has names that are no texts', v.record(v.date() as never, v.number()), /date/],
  ])('and %s is refused', (_, a, reason) => {
    expect(() => tried(a, null, null)).toThrow(reason);
  });

  test.each([
    [
      'a check',
      v.objectAsync({
        a: v.pipeAsync(
          text,
          v.checkAsync(async () => true),
        ),
      }),
    ],
    ['an object', v.objectAsync({ a: text })],
  ])('and %s that is asynchronous is refused at once', (_, schema) => {
    expect(() => readInput(toStandardJsonSchema(schema as never))).toThrow(/asynchronous|check/);
  });
});

describe('an object of Valibot', () => {
  test('that is loose takes what it does not name, and one beside it does not', () => {
    const schema = v.object({ open: v.looseObject({ a: text }), closed: v.object({ a: text }) });
    const advertised = compileSchema(readInput(toStandardJsonSchema(schema)).json);
    expect(advertised.check({ open: { a: '1', b: 2 }, closed: { a: '1' } })).toBe(true);
    expect(advertised.check({ open: { a: '1' }, closed: { a: '1', b: 2 } })).toBe(false);
  });

  test('that is loose stays so at the root, in a union and together with others', () => {
    const loose = v.looseObject({ kind: v.literal('a') });
    const closed = v.object({ kind: v.literal('b') });
    for (const schema of [loose, v.variant('kind', [loose, closed])]) {
      const advertised = compileSchema(readInput(toStandardJsonSchema(schema)).json);
      expect(advertised.check({ kind: 'a', more: 1 })).toBe(true);
      expect(advertised.check({ kind: 'b', more: 1 })).toBe(false);
    }
    const both = v.intersect([loose, v.object({ b: text })]);
    expect(
      compileSchema(readInput(toStandardJsonSchema(both)).json).check({ kind: 'a', b: '', more: 1 }),
    ).toBe(true);
  });

  test('a list of so many items has no more: they would be dropped unseen', () => {
    const check = (a: v.GenericSchema) => tried(a, ['x'], ['x', 1]).admitted;
    expect(check(v.tuple([text]))).toEqual([true, false]);
    expect(check(v.looseTuple([text]))).toEqual([true, true]);
    expect(check(v.tupleWithRest([text], v.number()))).toEqual([true, true]);
  });
});
