import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { scope } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';
import type { InputSource } from './input.ts';
import { liftRoot } from './lift-root.ts';
import { readInput } from './read-input.ts';

const node = z
  .object({
    name: z.string(),
    get parts() {
      return z.array(node).optional();
    },
  })
  .meta({ id: 'Node' });
type Node = { readonly name: string; readonly parts?: readonly Node[] | undefined };
const valibotNode: v.GenericSchema<Node> = v.object({
  name: v.string(),
  parts: v.optional(v.array(v.lazy(() => valibotNode))),
});
const sources: readonly [string, () => InputSource][] = [
  [
    'has an id',
    () => z.object({ name: z.string(), parts: z.array(z.unknown()).optional() }).meta({ id: 'Named' }),
  ],
  ['refers to itself, of Zod', () => node],
  [
    'refers to itself, of ArkType',
    () => scope({ node: { name: 'string', 'parts?': 'node[]' } }).type('node'),
  ],
  ['refers to itself, of Valibot', () => toStandardJsonSchema(v.lazy(() => valibotNode))],
];

describe('a root that only refers to a definition', () => {
  test.each(sources)('is written at the root where the schema %s', (_, source) => {
    const { json } = readInput(source());
    expect(json).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    expect(json).not.toHaveProperty('$ref');
    const schema = compileSchema(json);
    const deep = { name: 'a', parts: [{ name: 'b', parts: [{ name: 'c' }] }] };
    expect([schema.check(deep), schema.check({ name: 1 }), schema.check({ name: 'a', more: 1 })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('keeps what is said beside the reference, and what others refer to stays as it was', () => {
    const json = {
      $ref: '#/$defs/A',
      title: 'Mine',
      $defs: {
        A: { $ref: '#/$defs/B' },
        B: { title: 'B', type: 'object', properties: { b: { $ref: '#/$defs/B' } } },
      },
    };
    const definitions = structuredClone(json.$defs);
    liftRoot(json as never);
    expect(json).toEqual({
      title: 'Mine',
      type: 'object',
      properties: { b: { $ref: '#/$defs/B' } },
      $defs: definitions,
    });
  });

  test.each<[string, JsonValue]>([
    ['more than that', { $ref: '#/$defs/A', required: ['b'], $defs: { A: { type: 'object' } } }],
    ['nothing that is there', { $ref: '#/$defs/B', $defs: { A: {} } }],
    ['a part of a definition', { $ref: '#/$defs/A/properties/a', $defs: { A: { properties: { a: {} } } } }],
    ['itself', { $ref: '#' }],
    ['in a circle', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }],
  ])('says %s, and stays', (_, json) => {
    const before = structuredClone(json);
    liftRoot(json as never);
    expect(json).toEqual(before);
  });
});

test('a loose record of Zod takes other names, and a strict one does not', () => {
  const takes = (a: z.ZodType): boolean =>
    compileSchema(readInput(z.object({ a })).json).check({ a: { x1: 1, other: 'text' } });
  expect(takes(z.looseRecord(z.string().regex(/^x/), z.number()))).toBe(true);
  expect(takes(z.record(z.string().regex(/^x/), z.number()))).toBe(false);
});
