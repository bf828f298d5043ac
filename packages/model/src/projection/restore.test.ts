import type { JsonObject, JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projectSchema } from './project-schema.ts';

function object(properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, ...more };
}

describe('arguments on the way in', () => {
  test('null for an optional member becomes absence, null that the original allows stays', () => {
    const { schema, restore } = projectSchema(
      object(
        {
          query: { type: 'string' },
          limit: { type: 'number' },
          reason: { type: ['string', 'null'] },
          note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          flag: { enum: [true, null] },
        },
        { required: ['query'] },
      ),
      'openai-strict',
    );
    expect(schema['required']).toEqual(['query', 'limit', 'reason', 'note', 'flag']);
    expect(restore({ query: 'cats', limit: null, reason: null, note: null, flag: null })).toEqual({
      query: 'cats',
      reason: null,
      note: null,
      flag: null,
    });
  });

  test('a required member keeps its null, so that the contract can refuse it', () => {
    const { restore } = projectSchema(
      object({ a: { type: 'string' } }, { required: ['a'] }),
      'openai-strict',
    );
    expect(restore({ a: null })).toEqual({ a: null });
  });

  test('members are restored at every depth: in arrays, in definitions, through recursion', () => {
    const { restore } = projectSchema(
      object(
        { list: { type: 'array', items: object({ x: { type: 'string' } }) }, tree: { $ref: '#/$defs/Tree' } },
        { $defs: { Tree: object({ left: { $ref: '#/$defs/Tree' }, value: { type: 'integer' } }) } },
      ),
      'openai-strict',
    );
    expect(
      restore({
        list: [{ x: null }, { x: 'y' }],
        tree: { left: { left: null, value: 1 }, value: null },
      }),
    ).toEqual({ list: [{}, { x: 'y' }], tree: { left: { value: 1 } } });
  });

  test('in a union the branch that the value has decides what its null means', () => {
    const schema = object({
      step: {
        anyOf: [
          object({ kind: { const: 'wait' }, note: { type: ['string', 'null'] } }, { required: ['kind'] }),
          object({ kind: { const: 'run' }, note: { type: 'string' } }, { required: ['kind'] }),
        ],
      },
    });
    const { restore } = projectSchema(schema, 'openai-strict');
    expect(restore({ step: { kind: 'wait', note: null } })).toEqual({ step: { kind: 'wait', note: null } });
    expect(restore({ step: { kind: 'run', note: null } })).toEqual({ step: { kind: 'run' } });
    expect(restore({ step: { kind: 'other', note: null } })).toEqual({ step: { kind: 'other', note: null } });
  });

  test('a union of many branches inside each other is restored without looking at everything again and again', () => {
    const branch = (kind: string): JsonObject =>
      object({ next: { $ref: '#/$defs/Node' }, kind: { const: kind } }, { required: ['kind'] });
    const schema = object(
      { root: { $ref: '#/$defs/Node' } },
      { $defs: { Node: { anyOf: ['a', 'b', 'c', 'd'].map(branch) } } },
    );
    const { restore } = projectSchema(schema, 'openai-strict');
    let value: JsonValue = { next: null, kind: 'd' };
    let expected: JsonValue = { kind: 'd' };
    for (let level = 0; level < 60; level += 1) {
      value = { next: value, kind: 'd' };
      expected = { next: expected, kind: 'd' };
    }
    expect(restore({ root: value })).toEqual({ root: expected });
  });

  test('aliases of member names become the names again, also deep down', () => {
    const { schema, restore, losses } = projectSchema(
      object(
        {
          'filter[bundleId]': { type: 'string' },
          deep: object({ $top: { type: 'integer' } }, { required: ['$top'] }),
        },
        { required: ['filter[bundleId]'] },
      ),
      'anthropic',
    );
    const [alias] = schema['required'] as string[];
    expect(alias).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    const deep = (schema['properties'] as Record<string, JsonObject>)['deep'];
    const [inner] = (deep?.['required'] ?? []) as string[];
    expect(
      restore({ [alias ?? '']: 'x', deep: { [inner ?? '']: 3 }, other: [{ [inner ?? '']: 4 }] }),
    ).toEqual({
      'filter[bundleId]': 'x',
      deep: { $top: 3 },
      other: [{ $top: 4 }],
    });
    expect((schema['properties'] as Record<string, JsonObject>)[alias ?? '']?.['description']).toBe(
      '(stands for "filter[bundleId]")',
    );
    expect(losses.map(({ code, path }) => [code, path])).toEqual([
      ['approximated', '/properties/filter[bundleId]'],
      ['approximated', '/properties/deep/properties/$top'],
    ]);
  });

  test('an alias beside its own name is left for the contract to refuse', () => {
    const { schema, restore } = projectSchema(object({ 'a b': {} }), 'anthropic');
    const [alias] = Object.keys(schema['properties'] as JsonObject);
    expect(restore({ [alias ?? '']: 1, 'a b': 2 })).toEqual({ [alias ?? '']: 1, 'a b': 2 });
  });

  test('nothing is changed in place, and what needs no change comes back as it is', () => {
    const { restore } = projectSchema(object({ a: object({ b: { type: 'string' } }) }), 'openai-strict');
    const value = Object.freeze({ a: Object.freeze({ b: null }) });
    expect(restore(value)).toEqual({ a: {} });
    expect(value).toEqual({ a: { b: null } });
    const full = { a: { b: 'x' } };
    expect(restore(full)).toBe(full);
  });

  test('any value whatever is taken, and untyped values pass unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { restore } = projectSchema(object({ value: {} }), 'anthropic');
        expect(restore(value as JsonValue)).toBe(value);
        const strict = projectSchema(object({ value: { type: 'string' } }), 'openai-strict');
        expect(() => strict.restore(value as JsonValue)).not.toThrow();
      }),
    );
  });
});
