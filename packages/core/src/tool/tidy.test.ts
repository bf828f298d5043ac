import { expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import { lasting, tidied } from './tidy.ts';

const budget = () => ({ parts: 1_000 });

test.each<[string, JsonValue | undefined, unknown, JsonValue | undefined]>([
  ['a scalar is what was made of it', ' A', 'a', 'a'],
  ['another kind of scalar, too', '5', 5, 5],
  ['a date is what was written', '2026-01-01', new Date(0), '2026-01-01'],
  ['a number too large for a double, too', '1', 1n, '1'],
  ['what was left out stays out', undefined, undefined, undefined],
  ['what was added is there', { a: 1 }, { a: 1, b: [2] }, { a: 1, b: [2] }],
  ['what was taken away is as it was written', { a: 1, b: 2 }, { a: 1 }, { a: 1, b: 2 }],
  [
    'what is beside a date is what was made',
    { a: 'X', at: 'd' },
    { a: 'x', at: new Date(0) },
    { a: 'x', at: 'd' },
  ],
  ['items are taken one by one', ['A', 'B'], ['a', new Set()], ['a', 'B']],
  ['a list of another length is taken as a whole', ['A', 'A'], ['a'], ['a']],
  ['and not when it holds what is no JSON', ['A', 'A'], [new Set()], ['A', 'A']],
  ['an object in the place of a text is taken as it is', 'a=1', { a: 1 }, { a: 1 }],
  ['and not when it is of a class', 'a=1', new URLSearchParams('a=1'), 'a=1'],
])('tidied: %s', (_what, written, made, expected) => {
  expect(tidied(written, made, budget())).toEqual(expected);
});

test('tidied: what is too large to look at is as it was written', () => {
  expect(tidied('x', new Array(5_000).fill(1), budget())).toBe('x');
});

test.each<[string, JsonValue | undefined, JsonValue, JsonValue | undefined, JsonValue | undefined]>([
  ['what is the same again', ' A', 'a', 'a', 'a'],
  ['not what is another one again', 'a', '/a', '//a', 'a'],
  [
    'each member for itself',
    { a: 'A', p: 'x' },
    { a: 'a', p: '/x' },
    { a: 'a', p: '//x' },
    { a: 'a', p: 'x' },
  ],
  ['each item for itself', ['A', 'x'], ['a', '/x'], ['a', '//x'], ['a', 'x']],
  ['what was added and is still there', {}, { a: 1 }, { a: 1 }, { a: 1 }],
  ['not what was added and changes', { b: 1 }, { a: 1, b: 1 }, { a: 2, b: 1 }, { b: 1 }],
  ['nothing of a list that changes its length', ['a', 'b'], ['a'], [], ['a', 'b']],
])('what lasts is %s', (_what, written, tidy, again, expected) => {
  expect(lasting(written, tidy, again)).toEqual(expected);
});
