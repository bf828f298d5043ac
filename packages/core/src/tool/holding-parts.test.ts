import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangedPart } from './changed-parts.ts';
import { byMember, holding } from './holding-parts.ts';

const parts = (values: readonly boolean[]): readonly ChangedPart[] =>
  values.map((value, index) => ({ path: [`m${index % 3}`, index], value, sameKind: true }));
const allGood = (some: readonly ChangedPart[]): boolean => some.every(({ value }) => value === true);

test('each part that holds is found, whatever stands beside it', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 60 }), (values) => {
      const found = holding(byMember(parts(values)), allGood, true) ?? [];
      const order = (some: readonly ChangedPart[]) =>
        some.map(({ path }) => String(path[1])).toSorted((a, b) => (a < b ? -1 : 1));
      expect(order(found)).toEqual(order(parts(values).filter(({ value }) => value === true)));
    }),
  );
});

test('one bad part of very many takes few looks', () => {
  let looks = 0;
  const many = parts(Array.from({ length: 10_000 }, (_, index) => index !== 7_777));
  const found = holding([many], (some) => ++looks > 0 && allGood(some), true);
  expect([found?.length, looks < 40]).toEqual([9_999, true]);
});

test('a group of which not all is looked at stands or falls as a whole', () => {
  const groups = byMember(parts([true, true, true, false, true, true]));
  expect(holding(groups, allGood, false)).toHaveLength(4);
});

test('what is too much work has no answer', () => {
  expect(holding([parts([true])], () => undefined, true)).toBeUndefined();
  expect(holding([], () => undefined, true)).toEqual([]);
});
