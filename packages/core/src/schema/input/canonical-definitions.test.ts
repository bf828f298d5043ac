import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../json/json-value.ts';
import { ownedCopy } from '../intake/schema-place.ts';
import { canonicaliseDefinitions } from './canonical-definitions.ts';

function canonical(json: JsonObject): JsonObject {
  const copy = ownedCopy(json);
  canonicaliseDefinitions(copy);
  return copy;
}

describe('canonicaliseDefinitions', () => {
  test('names do not depend on counters, nor on the order of members', () => {
    const first = {
      properties: { x: { $ref: '#/$defs/t9' }, y: { $ref: '#/$defs/t1' } },
      $defs: { t1: { type: 'string' }, t9: { items: { $ref: '#/$defs/t1' } } },
    };
    const second = {
      $defs: { u70: { items: { $ref: '#/$defs/u4' } }, u4: { type: 'string' } },
      properties: { y: { $ref: '#/$defs/u4' }, x: { $ref: '#/$defs/u70' } },
    };
    expect(canonical(first)).toEqual(canonical(second));
    expect(canonical(first)).toEqual({
      properties: { x: { $ref: '#/$defs/def1' }, y: { $ref: '#/$defs/def2' } },
      $defs: { def1: { items: { $ref: '#/$defs/def2' } }, def2: { type: 'string' } },
    });
  });

  test('names that an author chose stay', () => {
    const json = {
      $ref: '#/$defs/Address',
      $defs: { Address: { properties: { a: { $ref: '#/$defs/def1' } } }, def1: {} },
    };
    expect(canonical(json)).toEqual({
      ...json,
      $defs: { Address: { properties: { a: { $ref: '#/$defs/def2' } } }, def2: {} },
    });
  });

  test('definitions that nobody refers to are dropped', () => {
    expect(canonical({ type: 'object', $defs: { a: {} } })).toEqual({ type: 'object' });
    expect(canonical({ $ref: '#/$defs/a', $defs: { a: {}, b: { $ref: '#/$defs/a' } } })).toEqual({
      $ref: '#/$defs/a',
      $defs: { a: {} },
    });
  });

  test('names with special characters, and pointers into a definition, are followed', () => {
    const json = {
      allOf: [{ $ref: '#/$defs/a~1b%201/properties/x' }, { $ref: '#/$defs/a~1b%201' }],
      $defs: { 'a/b 1': { properties: { x: {} } } },
    };
    expect(canonical(json)).toEqual({
      allOf: [{ $ref: '#/$defs/def1/properties/x' }, { $ref: '#/$defs/def1' }],
      $defs: { def1: { properties: { x: {} } } },
    });
  });

  test('what only looks like a reference is left alone', () => {
    const data = { $ref: '#/$defs/t1' };
    const json = {
      const: data,
      default: data,
      examples: [data],
      properties: { $ref: { $ref: '#/$defs/t1' } },
      $defs: { t1: true },
    };
    expect(canonical(json)).toEqual({
      ...json,
      properties: { $ref: { $ref: '#/$defs/def1' } },
      $defs: { def1: true },
    });
  });

  test('references that lead elsewhere are left alone', () => {
    const json = {
      allOf: [
        { $ref: '#' },
        { $ref: '#/$defs/missing' },
        { $ref: 'urn:x#/$defs/a1' },
        { $ref: '#/$defs/a1' },
      ],
      $defs: { a1: {} },
    };
    expect(canonical(json)).toEqual({
      ...json,
      allOf: [...json.allOf.slice(0, 3), { $ref: '#/$defs/def1' }],
      $defs: { def1: {} },
    });
  });
});
