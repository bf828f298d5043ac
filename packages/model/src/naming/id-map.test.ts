import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIdMap, ID_RULES } from './id-map.ts';

const LEGAL: Readonly<Record<keyof typeof ID_RULES, RegExp>> = {
  'openai-chat': /^[!-~]{1,40}$/,
  'openai-responses': /^[!-~]{1,64}$/,
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[!-~]{1,128}$/,
  mistral: /^[a-zA-Z0-9]{9}$/,
};
const RULES = Object.keys(ID_RULES) as (keyof typeof ID_RULES)[];

describe('an id map', () => {
  test.each([
    ['functions.write_todos:0', 'anthropic'],
    ['2968-LWy3uasib', 'mistral'],
    ['call-3898\nfc_d9dc', 'openai-chat'],
    ['call-3898\nfc_d9dc', 'anthropic'],
    [`call_${'x'.repeat(60)}`, 'openai-chat'],
    ['', 'openai-responses'],
  ] as const)('replaces %j for %s and knows it again', (id, rule) => {
    const map = createIdMap([id], ID_RULES[rule]);
    expect(map.toWire(id)).not.toBe(id);
    expect(map.toWire(id)).toMatch(LEGAL[rule]);
    expect(map.fromWire(map.toWire(id))).toBe(id);
  });

  test.each([
    ['functions.write_todos:0', 'openai-chat'],
    ['toolu_01D7FLrfh4GYq7yT1ULFeyMV', 'anthropic'],
    ['aB3dE5gH9', 'mistral'],
  ] as const)('leaves %j as it is for %s', (id, rule) => {
    expect(createIdMap([id], ID_RULES[rule]).toWire(id)).toBe(id);
  });

  test('two ids that differ only in characters the wire does not accept stay two ids', () => {
    const ids = ['a.b', 'a:b', 'a b', 'a_b', 'a\nb'];
    const map = createIdMap(ids, ID_RULES.anthropic);
    expect(new Set(ids.map((id) => map.toWire(id))).size).toBe(ids.length);
  });

  test.each(RULES)('%s: distinct ids never share a wire id, and every wire id is accepted', (rule) => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 80 }), { maxLength: 20 }), (ids) => {
        const map = createIdMap([], ID_RULES[rule]);
        const distinct = [...new Set(ids)];
        const wireIds = distinct.map((id) => map.toWire(id));
        expect(new Set(wireIds).size).toBe(distinct.length);
        for (const wireId of wireIds) expect(wireId).toMatch(LEGAL[rule]);
        expect(wireIds.map((wireId) => map.fromWire(wireId))).toEqual(distinct);
      }),
    );
  });

  test('the same id has the same wire id whatever else is in the map', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (others) => {
        const id = 'functions.search:12';
        expect(createIdMap([...others, id], ID_RULES.anthropic).toWire(id)).toBe(
          createIdMap([id], ID_RULES.anthropic).toWire(id),
        );
      }),
    );
  });
});
