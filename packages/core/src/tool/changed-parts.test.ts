import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalText } from '../json/canonical-text.ts';
import type { JsonObject } from '../json/json-value.ts';
import { changedParts, withParts } from './changed-parts.ts';

test('what differs is told as deep as it can be compared', () => {
  const before = { a: 'A', list: ['x', { b: 'B', n: '1' }], short: [1, 2], same: { c: 1 } };
  const made = { a: 'a', list: ['x', { b: 'b', n: 1 }], short: [1], same: { c: 1 }, added: true };
  expect(changedParts(before, made)).toEqual([
    { path: ['a'], value: 'a', sameKind: true },
    { path: ['list', 1, 'b'], value: 'b', sameKind: true },
    { path: ['list', 1, 'n'], value: 1, sameKind: false },
    { path: ['short'], value: [1], sameKind: true },
    { path: ['added'], value: true, sameKind: false },
  ]);
});

test('arguments with all that differs are what was made of them, and stay as they are themselves', () => {
  const object = fc
    .dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue({ maxDepth: 3 }))
    .map((value) => value as JsonObject);
  fc.assert(
    fc.property(object, object, (before, made) => {
      const text = canonicalText(before);
      const whole = withParts(before, changedParts(before, { ...before, ...made }));
      expect(changedParts(whole, made)).toEqual([]);
      expect(canonicalText(before)).toBe(text);
    }),
  );
});
