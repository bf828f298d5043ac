import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';

const node = (next: string): JsonObject => ({
  type: 'object',
  properties: { v: { type: 'string' }, next: { type: 'array', items: { $ref: next } } },
  required: ['v'],
});
const good = { v: 'a', next: [{ v: 'b', next: [{ v: 'c' }] }] };
const bad = { v: 'a', next: [{ v: 'b', next: [{ v: 1 }] }] };

describe('a part with a name of its own', () => {
  const cases: readonly (readonly [string, JsonObject, string])[] = [
    ['by which it refers to itself', { $id: 'N', ...node('N') }, '#/properties/n'],
    ['with a base', { $id: 'https://x.example/n.json', ...node('n.json') }, '#/properties/n'],
    ['and references from its own root', { $id: 'N', ...node('#') }, '#/properties/n'],
    [
      'among definitions',
      { $defs: { N: { $id: 'N', ...node('M') }, M: { $id: 'M', ...node('N#') } }, $ref: 'N' },
      '#/properties/n/$defs/M',
    ],
    [
      'and an anchor',
      { $id: 'N', ...node('#item'), $defs: { 'a/b': { $anchor: 'item', ...node('#item') } } },
      '#/properties/n/$defs/a~1b',
    ],
  ];

  test.each(cases)('%s is referred to by its place from then on', (_, n, reference) => {
    const schema = compileSchema({ type: 'object', properties: { n } });
    const { json, intake } = schema;
    const text = JSON.stringify(json);
    expect(text).not.toContain('$id');
    expect(text).toContain(JSON.stringify(reference));
    expect(text.match(/"\$ref":"[^"]*"/g)?.every((found) => found.startsWith('"$ref":"#/'))).toBe(true);
    expect(intake.notes).toContainEqual(expect.objectContaining({ kind: 'normalised' }));
    const again = compileSchema(json);
    for (const one of [schema, again])
      expect([one.check({ n: good }), one.check({ n: bad })]).toEqual([true, false]);
    expect(again.json).toEqual(json);
  });

  test('keeps it where a reference leaves the schema, depends on the way, or nothing is to be changed', () => {
    const meta = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
    const named = { $id: 'N', ...node('N') };
    const dynamic = {
      $id: 'N',
      $dynamicAnchor: 'n',
      ...node('N'),
      additionalProperties: { $dynamicRef: '#n' },
    };
    for (const properties of [{ n: named, meta }, { n: dynamic }]) {
      expect(compileSchema({ properties }).json).toEqual({ properties });
    }
    expect(compileSchema({ properties: { n: named } }, { strict: true }).json).toEqual({
      properties: { n: named },
    });
  });

  test('is not the root, whose name stays', () => {
    const schema = { $id: 'https://x.example/t.json', ...node('t.json') };
    expect(compileSchema(schema).json).toEqual(schema);
  });

  test.each([
    ['https://json-schema.org/draft/2020-12/schema', '$anchor', 'item'],
    ['http://json-schema.org/draft-07/schema#', '$id', '#item'],
  ])('takes its anchors with it, which others may have, too (%s)', ($schema, keyword, name) => {
    const part = ($id: string, type: string): JsonObject => ({
      $id,
      $schema,
      type: 'object',
      properties: { v: { $ref: '#item' } },
      definitions: { i: { [keyword]: name, type } },
    });
    const schema = { $schema, properties: { a: part('A', 'string'), b: part('B', 'number') } };
    const { json } = compileSchema(schema);
    expect(JSON.stringify(json)).not.toMatch(/anchor|\$id|item/);
    for (const compiled of [compileSchema(schema), compileSchema(json)])
      expect([
        compiled.check({ a: { v: 'x' }, b: { v: 1 } }),
        compiled.check({ a: { v: 1 } }),
        compiled.check({ b: { v: 'x' } }),
      ]).toEqual([true, false, false]);
  });

  test('keeps it where the way to it is long and many take it', () => {
    const named = { ['k'.repeat(5_000)]: { $id: 'N', type: 'string' } };
    const others = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`p${index}`, { $ref: 'N' }]),
    );
    const compiled = compileSchema({ properties: { ...named, ...others } }, { trust: 'foreign' });
    expect(JSON.stringify(compiled.json).length).toBeLessThan(64_000);
    expect([compiled.check({ p1: 'x' }), compiled.check({ p1: 1 })]).toEqual([true, false]);
  });
});
