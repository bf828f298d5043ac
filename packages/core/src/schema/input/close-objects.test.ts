import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { compileSchema } from '../compile-schema.ts';
import { ownedCopy } from '../intake/schema-place.ts';
import { type CloseObjectsOptions, closeObjects } from './close-objects.ts';

function close(json: JsonObject, options: CloseObjectsOptions = { alternatives: 'exclusive' }): JsonObject {
  const copy = ownedCopy(json);
  closeObjects(copy, options);
  return copy;
}

const a = { type: 'object', properties: { a: { type: 'number' } } };
const b = { type: 'object', properties: { b: { type: 'number' } } };
const no = { additionalProperties: false };
const none = { unevaluatedProperties: false };

describe('closeObjects', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['an object', a, { ...a, ...no }],
    [
      'objects inside',
      { properties: { x: { items: a }, y: { prefixItems: [b] } } },
      { properties: { x: { items: { ...a, ...no } }, y: { prefixItems: [{ ...b, ...no }] } }, ...no },
    ],
    [
      'objects by pattern',
      { patternProperties: { '^x': a } },
      { patternProperties: { '^x': { ...a, ...no } }, ...no },
    ],
    ['values of a map', { additionalProperties: a }, { additionalProperties: { ...a, ...no } }],
    [
      'branches of a union',
      { anyOf: [a, b, { type: 'string' }] },
      { anyOf: [{ ...a, ...no }, { ...b, ...no }, { type: 'string' }] },
    ],
    [
      'branches of a tagged union',
      { oneOf: [a, b] },
      {
        oneOf: [
          { ...a, ...no },
          { ...b, ...no },
        ],
      },
    ],
    ['an intersection, where it meets', { allOf: [a, b] }, { allOf: [a, b], ...none }],
    ['an object with a union beside', { ...a, anyOf: [b] }, { ...a, anyOf: [b], ...none }],
    [
      'an object with demands beside',
      { ...a, anyOf: [{ required: ['a'] }, true] },
      { ...a, anyOf: [{ required: ['a'] }, true], ...no },
    ],
    ['an object with conditions', { ...a, if: b, then: b }, { ...a, if: b, then: b, ...none }],
    [
      'what only one part of an intersection describes',
      { allOf: [{ properties: { x: a } }, b] },
      { allOf: [{ properties: { x: { ...a, ...no } } }, b], ...none },
    ],
    [
      'a definition',
      { properties: { x: { $ref: '#/$defs/a' } }, $defs: { a } },
      { properties: { x: { $ref: '#/$defs/a' } }, $defs: { a: { ...a, ...no } }, ...no },
    ],
    [
      'a definition that is a part elsewhere, where it is used alone',
      { properties: { x: { $ref: '#/$defs/a' }, y: { allOf: [{ $ref: '#/$defs/a' }, b] } }, $defs: { a } },
      {
        properties: { x: { $ref: '#/$defs/a', ...none }, y: { allOf: [{ $ref: '#/$defs/a' }, b], ...none } },
        $defs: { a },
        ...no,
      },
    ],
    [
      'a recursive object',
      { ...a, properties: { next: { $ref: '#' } } },
      { ...a, properties: { next: { $ref: '#' } }, ...no },
    ],
  ])('closes %s', (_name, before, after) => {
    expect(close(before)).toEqual(after);
  });

  test.each<[string, JsonObject]>([
    ['an object that says it is open', { ...a, additionalProperties: true }],
    ['an object that says what is unknown', { ...a, additionalProperties: { type: 'string' } }],
    ['an object that is closed already', { ...a, ...no }],
    ['an object of which nothing is said', { type: 'object' }],
    ['what is no object', { type: 'array', items: { type: 'string' } }],
  ])('leaves %s as it is', (_name, json) => {
    expect(close(json)).toEqual(json);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['several parts', { allOf: [{ properties: { x: a } }, { properties: { x: b } }] }, none],
    ['a name and a pattern', { properties: { xy: a }, patternProperties: { '^x': b } }, no],
    [
      'a name and a pattern that nobody can run',
      { properties: { xy: a }, patternProperties: { '(': b } },
      no,
    ],
    [
      'a map and an object together',
      { allOf: [{ additionalProperties: a }, { properties: { x: b } }] },
      none,
    ],
    [
      'an object and a map together',
      { allOf: [{ properties: { x: b } }, { patternProperties: { x: a } }] },
      none,
    ],
    ['two patterns', { patternProperties: { x: a, y: b } }, no],
    ['a condition', { properties: { x: { const: 1 } }, if: { properties: { x: a } } }, no],
    ['a negation', { properties: { x: { not: a } } }, no],
    ['a count', { properties: { x: { contains: a, maxContains: 1 } } }, no],
  ])('leaves open inside what %s describe', (_name, json, added) => {
    expect(close(json)).toEqual({ ...json, ...added });
  });

  test('refuses to close what dependencies of draft-07 describe too', () => {
    const json = { ...a, dependencies: { a: b, b: ['a'] } };
    expect(() => close(json, { alternatives: 'overlapping', dialect: 'draft-07' })).toThrow(
      expect.objectContaining({ code: 'schema/input-unsupported' }),
    );
    expect(
      close({ ...a, dependencies: { a: ['b'] } }, { alternatives: 'overlapping', dialect: 'draft-07' }),
    ).toEqual({ ...a, ...no, dependencies: { a: ['b'] } });
  });

  test('leaves branches of oneOf as they are where they may overlap', () => {
    expect(close({ oneOf: [a, b] }, { alternatives: 'overlapping' })).toEqual({ oneOf: [a, b], ...none });
  });

  test.each<[string, JsonObject, CloseObjectsOptions]>([
    ['a reference by name', { properties: { x: { $ref: '#x' } } }, { alternatives: 'exclusive' }],
    ['a dynamic reference', { properties: { x: { $dynamicRef: '#x' } } }, { alternatives: 'exclusive' }],
    ['an $id inside', { properties: { x: { $id: 'urn:x' } } }, { alternatives: 'exclusive' }],
    [
      'a root that is a part of itself',
      { ...a, properties: { x: { allOf: [{ $ref: '#' }, b] } } },
      { alternatives: 'exclusive' },
    ],
    ['a pointer to nothing', { properties: { x: { $ref: '#/$defs/x' } } }, { alternatives: 'exclusive' }],
    ['a pointer to a boolean', { $ref: '#/$defs/x', $defs: { x: true } }, { alternatives: 'exclusive' }],
    ['an intersection in draft-07', { allOf: [a, b] }, { alternatives: 'overlapping', dialect: 'draft-07' }],
  ])('refuses %s and names the way out', (_name, json, options) => {
    expect(() => close(json, options)).toThrow(
      expect.objectContaining({
        code: 'schema/input-unsupported',
        message: expect.stringContaining("unknownMembers: 'allow'"),
      }),
    );
  });
});

describe('for any composition', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const { schema, value } = fc.letrec<{ schema: JsonObject; value: JsonValue }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<JsonObject>({ type: 'number' }, {}, { $ref: '#/$defs/d' }, { $ref: '#/$defs/e' }),
      fc
        .dictionary(name, tie('schema'), { maxKeys: 2, noNullPrototype: true })
        .map((properties): JsonObject => ({ type: 'object', properties })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf): JsonObject => ({ allOf })),
      fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((anyOf): JsonObject => ({ anyOf })),
      fc
        .tuple(fc.dictionary(name, tie('schema'), { maxKeys: 1, noNullPrototype: true }), tie('schema'))
        .map(([properties, part]): JsonObject => ({ properties, allOf: [part] })),
      tie('schema').map((items): JsonObject => ({ type: 'array', items })),
    ),
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(1),
      fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      fc.array(tie('value'), { maxLength: 2 }),
    ),
  }));
  const definitions = fc.record({
    d: fc.constantFrom<JsonObject>(a, { properties: { c: a } }, { allOf: [a, b] }, { anyOf: [a, b] }),
    e: fc.constantFrom<JsonObject>(b, { $ref: '#/$defs/d' }, { items: { $ref: '#/$defs/d' } }),
  });
  const whole = fc.tuple(schema, definitions).map(([root, $defs]): JsonObject => ({ ...root, $defs }));

  function inPlaceOf(part: JsonObject, root: JsonObject): readonly JsonObject[] {
    const reference = part['$ref'];
    const target =
      typeof reference === 'string'
        ? (root['$defs'] as Record<string, JsonObject>)[reference.slice('#/$defs/'.length)]
        : undefined;
    return [...((part['allOf'] ?? []) as readonly JsonObject[]), ...(target === undefined ? [] : [target])];
  }

  /** Everything that applies to one value together: the lists of subschemas for each member. */
  function described(parts: readonly JsonObject[], root: JsonObject): Map<string, JsonObject[]> {
    const members = new Map<string, JsonObject[]>();
    for (const part of parts) {
      for (const [key, below] of described(inPlaceOf(part, root), root))
        members.set(key, [...(members.get(key) ?? []), ...below]);
      for (const [key, below] of Object.entries((part['properties'] ?? {}) as Record<string, JsonObject>))
        members.set(key, [...(members.get(key) ?? []), below]);
    }
    return members;
  }

  function isDescribed(parts: readonly JsonObject[], root: JsonObject): boolean {
    return parts.some((part) => {
      if (Object.hasOwn(part, 'properties')) return true;
      return isDescribed(inPlaceOf(part, root), root);
    });
  }

  /** Whether no object in the value has a member that nothing describes; objects of which nothing is said may. */
  function isKnown(item: JsonValue, parts: readonly JsonObject[], root: JsonObject): boolean {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return !Array.isArray(item);
    const members = described(parts, root);
    return Object.entries(item).every(([key, below]) => {
      const describing = members.get(key);
      return describing === undefined ? !isDescribed(parts, root) : isKnown(below, describing, root);
    });
  }

  const hasUnion = (json: JsonObject): boolean => JSON.stringify(json).includes('"anyOf"');

  test('closing never lets through more', () => {
    fc.assert(
      fc.property(whole, fc.array(value, { minLength: 1, maxLength: 6 }), (json, values) => {
        const open = compileSchema(json);
        const closed = compileSchema(close(json));
        for (const item of values)
          expect([item, closed.check(item) && !open.check(item)]).toEqual([item, false]);
      }),
      { numRuns: 300 },
    );
  });

  test('closing refuses no value whose members are all described', () => {
    let accepted = 0;
    fc.assert(
      fc.property(whole, fc.array(value, { minLength: 1, maxLength: 8 }), (json, values) => {
        fc.pre(!hasUnion(json));
        const open = compileSchema(json);
        const closed = compileSchema(close(json));
        for (const item of values) {
          if (!open.check(item) || !isKnown(item, [json], json)) continue;
          accepted += 1;
          expect([item, closed.check(item)]).toEqual([item, true]);
        }
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  test('closing twice changes nothing more', () => {
    fc.assert(
      fc.property(whole, (json) => {
        const once = close(json);
        expect(close(once)).toEqual(once);
      }),
    );
  });
});
