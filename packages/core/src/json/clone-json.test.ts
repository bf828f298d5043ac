import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cloneJson } from './clone-json.ts';
import { freezeJson } from './freeze-json.ts';
import type { JsonValue } from './json-value.ts';
import { readJson } from './read-json.ts';

const anyJson = fc.jsonValue({ stringUnit: 'binary' }) as fc.Arbitrary<JsonValue>;

function containers(value: JsonValue): object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(containers)];
}

test('a copy is equal, not frozen, and shares no part', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      freezeJson(value);
      const copy = cloneJson(value);
      expect(copy).toStrictEqual(value);
      expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
      const parts = new Set(containers(value));
      expect(containers(copy).filter((part) => parts.has(part) || Object.isFrozen(part))).toStrictEqual([]);
    }),
  );
});

test('everything in a frozen value is frozen', () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      expect(freezeJson(value)).toBe(value);
      expect(containers(value).every(Object.isFrozen)).toBe(true);
    }),
  );
});

test('an own __proto__ is copied as an own member', () => {
  const value = JSON.parse('{"a":{"__proto__":{"polluted":true}}}') as { a: JsonValue };
  const copy = cloneJson(value);
  expect(JSON.stringify(copy)).toBe('{"a":{"__proto__":{"polluted":true}}}');
  expect(Object.getPrototypeOf(copy.a)).toBe(Object.prototype);
});

test('what is below a frozen part is frozen as well', () => {
  const inner = { b: [1] };
  const value = { a: Object.freeze({ inner }) };
  freezeJson(value);
  expect([inner, inner.b].every(Object.isFrozen)).toBe(true);
});

test('freezing ends where parts are shared or contain themselves', () => {
  const cycle: JsonValue[] = [];
  cycle.push(cycle, [cycle]);
  expect(containers(freezeJson([1, 2])).every(Object.isFrozen)).toBe(true);
  expect(Object.isFrozen(freezeJson(cycle)[1])).toBe(true);
  let shared: JsonValue = [];
  for (let level = 0; level < 60; level++) shared = [shared, shared];
  expect(Object.isFrozen(freezeJson(shared))).toBe(true);
});

test('100,000 levels are copied and frozen', () => {
  const depth = 100_000;
  const value = readJson('['.repeat(depth) + ']'.repeat(depth), { maxDepth: 'none' });
  let copy: JsonValue | undefined = freezeJson(cloneJson(value));
  let levels = 0;
  for (; Array.isArray(copy) && Object.isFrozen(copy); copy = copy[0]) levels++;
  expect(levels).toBe(depth);
});
