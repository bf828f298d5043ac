import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSamples, createSums } from './tally.ts';

const actions = fc.array(
  fc.oneof(fc.constant('flush' as const), fc.record({ key: fc.constantFrom('a', 'b'), amount: fc.nat(9) })),
);

test('sums that are handed on add up to what was added, and none is of nothing', () => {
  fc.assert(
    fc.property(actions, (given) => {
      const expected = { a: 0, b: 0 };
      const counted = { a: 0, b: 0 };
      const sums = createSums<{ readonly key: 'a' | 'b' }>(({ key }, sum) => {
        expect(sum).toBeGreaterThan(0);
        counted[key] += sum;
      });
      for (const action of given) {
        if (action === 'flush') sums.flush();
        else {
          const key = action.key as 'a' | 'b';
          expected[key] += action.amount;
          sums.add(key, { key }, action.amount);
        }
      }
      sums.flush();
      expect(counted).toEqual(expected);
    }),
  );
});

test('every sample is handed on once, in its order, and never are more than 512 held back', () => {
  const seen: number[] = [];
  const samples = createSamples<{ readonly key: string }>(({ key }, sample) => {
    expect(key).toBe('a');
    seen.push(sample);
  });
  const all = Array.from({ length: 1_300 }, (_, index) => index);
  for (const index of all) {
    samples.add('a', { key: 'a' }, index);
    expect(index + 1 - seen.length).toBeLessThan(512);
  }
  samples.flush();
  samples.flush();
  expect(seen).toEqual(all);
});

test('a sum stays a number, however much others claim', () => {
  const counted: number[] = [];
  const sums = createSums((_labels, sum) => counted.push(sum));
  for (let claim = 0; claim < 3; claim += 1) sums.add('a', {}, Number.MAX_VALUE);
  sums.flush();
  expect(counted).toEqual([Number.MAX_VALUE]);
});
