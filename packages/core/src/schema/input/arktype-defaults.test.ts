import { type } from 'arktype';
import { expect, test } from 'vitest';
import { readInput } from './read-input.ts';

test('a default of ArkType is advertised, and one that a function makes is not', () => {
  const input = type({
    'free?': 'number',
    form: 'string = "short"',
    count: 'number = 0',
    dry: 'boolean = false',
    none: 'string | null = null',
    size: type('string.integer.parse').default('5'),
    inner: type({ deep: 'boolean = true' }),
    made: type('number[]').default(() => [1]),
  });
  const { json, validate } = readInput(input);
  expect(json).toMatchObject({
    properties: {
      form: { type: 'string', default: 'short' },
      count: { default: 0 },
      dry: { default: false },
      none: { default: null },
      size: { type: 'string', default: '5' },
      inner: { properties: { deep: { default: true } } },
    },
  });
  const { free, made } = json['properties'] as Readonly<Record<string, object>>;
  expect([free, made].map((part) => Object.keys(part ?? {}))).toEqual([['type'], ['type', 'items']]);
  expect(validate?.({ inner: {} })).toMatchObject({ kind: 'valid', value: { size: 5, made: [1] } });
});

test('a type that leads back to itself is looked into as far as helps', () => {
  const tree = type.module({ node: { depth: 'number = 0', 'next?': 'node' } }).node;
  expect(() => readInput(tree)).not.toThrow();
});
