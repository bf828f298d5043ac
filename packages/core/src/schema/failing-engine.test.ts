import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json/json-value.ts';
import { compileSchema } from './compile-schema.ts';
import type { PatternEngine } from './schema.ts';

const failing: PatternEngine = {
  compile: () => ({
    test: () => {
      throw new TypeError('the engine broke');
    },
  }),
};

describe('what an injected engine throws is not taken for a verdict', () => {
  const schema = compileSchema(
    { patternProperties: { '^(a|a)*$': { properties: { n: { default: 1 } } } } },
    { trust: 'foreign', patternEngine: failing },
  );
  const calls: readonly (readonly [string, (value: JsonValue) => unknown])[] = [
    ['check', (value) => schema.check(value)],
    ['explain', (value) => schema.explain(value)],
    ['applyDefaults', (value) => schema.applyDefaults(value)],
  ];
  test.each(calls)('by %s', (_name, call) => {
    expect(() => call({ a: {} })).toThrow('the engine broke');
  });
});

test('filling a value that is too deep stops, and the check refuses what is left', () => {
  const schema = compileSchema({ properties: { v: { default: 0 }, next: { $ref: '#' } } });
  let value: JsonValue = {};
  for (let depth = 0; depth < 50_000; depth += 1) value = { next: value };
  expect(schema.applyDefaults(value).length).toBeLessThan(50_000);
  expect(schema.check(value)).toBe(false);
});

test('filling under references that double at each level ends', () => {
  const levels = Array.from({ length: 60 }, (_, level) => {
    const next = { $ref: `#/$defs/l${level + 1}` };
    return [`l${level}`, { allOf: [next, next] }] as const;
  });
  const $defs = { ...Object.fromEntries(levels), l60: { properties: { a: { default: 1 } } } };
  const schema = compileSchema({ $defs, $ref: '#/$defs/l0' });
  const value = {};
  expect(schema.applyDefaults(value)).toEqual(['/a']);
  expect(schema.check(value)).toBe(false);
});
