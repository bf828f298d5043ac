import { defineContract } from '@toolgate/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { argumentsDigest } from './arguments-digest.ts';

const contract = defineContract({ name: 'any', description: '', inputSchema: { type: 'object' } });

test('the digest of admitted arguments is the one that their invocation has', () => {
  const value = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }));
  let admitted = 0;
  fc.assert(
    fc.property(value, (given) => {
      const prepared = contract.prepare({ id: 'c1', name: 'any', arguments: JSON.stringify(given) });
      if (!prepared.ok) return;
      admitted += 1;
      expect(argumentsDigest(prepared.invocation)).toBe(prepared.invocation.digest);
    }),
  );
  expect(admitted).toBeGreaterThan(0);
});
