import { describe, expect, test } from 'vitest';
import { findPatterns } from './find-patterns.ts';

const places = (schema: Parameters<typeof findPatterns>[0]): readonly string[] =>
  findPatterns(schema).map(({ pointer, verdict }) => `${verdict} ${pointer}`);

describe('patterns in a schema', () => {
  test('are found wherever a schema can stand, with what is known of their time', () => {
    expect(
      places({
        properties: { a: { pattern: '^a$' }, list: { items: { pattern: '(x+)+y' } } },
        patternProperties: { '^x-': { type: 'string' }, '[': {} },
        anyOf: [{ not: { pattern: 'b' } }],
      }),
    ).toEqual([
      'linear /properties/a/pattern',
      'ambiguous /properties/list/items/pattern',
      'linear /patternProperties/^x-',
      'invalid /patternProperties/[',
      'linear /anyOf/0/not/pattern',
    ]);
  });

  test('a property may be called like a keyword', () => {
    expect(
      places({
        properties: { pattern: { pattern: 'a' }, default: { pattern: 'b' }, enum: { type: 'string' } },
      }),
    ).toEqual(['linear /properties/pattern/pattern', 'linear /properties/default/pattern']);
  });

  test('data is no schema', () => {
    expect(
      places({
        default: { pattern: 'a' },
        enum: [{ pattern: 'b' }],
        const: { pattern: 'c' },
        examples: [{ pattern: 'd' }],
      }),
    ).toEqual([]);
  });
});
