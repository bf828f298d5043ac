import type { FunctionTool } from '@toolgate/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contractName, createContractCache } from './contract-cache.ts';

const tool = (members: Partial<FunctionTool> = {}): FunctionTool => ({
  kind: 'function',
  name: 'find',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
  ...members,
});

describe('a contract cache', () => {
  test('compiles equal definitions once, and others anew', () => {
    const cache = createContractCache();
    const first = cache.contractOf(tool());
    expect(cache.contractOf(tool())).toBe(first);
    expect(cache.contractOf(tool({ description: 'other' }))).not.toBe(first);
    expect(cache.contractOf(tool({ parameters: { type: 'object' } }))).not.toBe(first);
    expect(cache.size).toBe(3);
  });

  test('forgets what was not used for the longest time, by number and by length', () => {
    const few = createContractCache({ maxEntries: 2 });
    const kept = few.contractOf(tool());
    few.contractOf(tool({ name: 'b' }));
    expect(few.contractOf(tool())).toBe(kept);
    few.contractOf(tool({ name: 'c' }));
    expect(few.size).toBe(2);
    expect(few.contractOf(tool())).toBe(kept);
    const short = createContractCache({ maxLength: 200 });
    for (const name of ['a', 'b', 'c', 'd']) short.contractOf(tool({ name }));
    expect(short.size).toBeLessThan(4);
  });

  test('finds the contract of an object again while it is kept, and makes it anew afterwards', () => {
    const cache = createContractCache({ maxEntries: 2 });
    const [one, other, third] = ['a', 'b', 'c'].map((name) => tool({ name }));
    if (one === undefined || other === undefined || third === undefined) throw new Error('there are three');
    const first = cache.contractOf(one);
    const second = cache.contractOf(other);
    expect(cache.contractOf(one)).toBe(first);
    cache.contractOf(third);
    expect(cache.contractOf(one)).toBe(first);
    expect(cache.contractOf(other)).not.toBe(second);
    expect(cache.contractOf(other)).toBe(cache.contractOf(tool({ name: 'b' })));
    expect(cache.size).toBe(2);
  });

  test('always keeps what was used last, however the uses are mixed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.boolean()), { maxLength: 40 }), (uses) => {
        const cache = createContractCache({ maxEntries: 3 });
        const same = Array.from({ length: 6 }, (_, at) => tool({ name: `t${at}` }));
        let kept: readonly (readonly [number, unknown])[] = [];
        for (const [at, anew] of uses) {
          const asked = anew ? tool({ name: `t${at}` }) : same[at];
          if (asked === undefined) throw new Error('there are six');
          const found = cache.contractOf(asked);
          const before = kept.find(([other]) => other === at);
          if (before !== undefined) expect(found).toBe(before[1]);
          kept = [...kept.filter(([other]) => other !== at), [at, found] as const].slice(-3);
          expect(cache.size).toBe(kept.length);
        }
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['a pattern that may take for ever', { type: 'object', properties: { a: { pattern: '^(a+)+$' } } }],
    ['a reference to elsewhere', { type: 'object', properties: { a: { $ref: 'https://x.example/y' } } }],
    ['no object', { type: 'string' }],
  ])('cannot use a definition with %s', (_, parameters) => {
    expect(createContractCache().contractOf(tool({ parameters }))).toMatchObject({ kind: 'unusable' });
  });

  test('takes tools without parameters, and schemas without a type, as objects', () => {
    for (const parameters of [undefined, null, {}]) {
      const given = parameters === undefined ? tool() : tool({ parameters });
      expect(createContractCache().contractOf(given)).toMatchObject({ kind: 'contract' });
    }
  });

  test('gives names that a contract does not take another one, each its own', () => {
    const names = ['a.b', 'a:b', 'ü', 'x'.repeat(65), 'fine'].map(contractName);
    expect(new Set(names).size).toBe(5);
    expect(names.every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(names[4]).toBe('fine');
  });
});
