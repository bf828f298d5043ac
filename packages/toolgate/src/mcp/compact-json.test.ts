import type { JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compactJson } from './compact-json.ts';

test('what fits stands in one line, what does not is indented', () => {
  const path = { type: 'string', description: 'Where it is.' };
  expect(
    compactJson({ type: 'object', properties: { path, other: { enum: ['a', 'b'] } }, required: [] }),
  ).toBe(
    [
      '{',
      '  "type": "object",',
      '  "properties": {',
      '    "path": { "type": "string", "description": "Where it is." },',
      '    "other": { "enum": ["a", "b"] }',
      '  },',
      '  "required": []',
      '}',
    ].join('\n'),
  );
  expect(compactJson({})).toBe('{}');
  expect(compactJson(['a', {}])).toBe('["a", {}]');
});

test('every value reads back, and no line with two values is longer than it may be', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = compactJson(value as JsonValue);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      for (const line of text.split('\n')) expect(line.length <= 96 || !/^\s*[[{]./u.test(line)).toBe(true);
    }),
  );
});

test('the comma behind a value counts', () => {
  const lineOf = (length: number) => compactJson([{ a: 'x'.repeat(length), b: 0 }, 0]).split('\n')[1];
  expect(lineOf(74)).toBe(`  { "a": "${'x'.repeat(74)}", "b": 0 },`);
  expect(lineOf(74)).toHaveLength(96);
  expect(lineOf(75)).toBe('  {');
});

test('a deep value and an enormous one do not take long', () => {
  const deep = Array.from({ length: 250 }).reduce<JsonValue>((inner) => ({ a: inner }), {});
  expect(JSON.parse(compactJson(deep))).toEqual(deep);
  const wide = Array.from({ length: 100_000 }, (_, index) => ({ index }));
  expect(compactJson(wide)).toBe(JSON.stringify(wide, undefined, 2));
});
