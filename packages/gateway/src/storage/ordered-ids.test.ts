import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createOrderedIds } from './ordered-ids.ts';

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('an id is a UUID of version 7 whose time can be read', () => {
  const newId = createOrderedIds({ now: () => 0x0123_4567_89ab });
  expect(newId()).toMatch(UUID_7);
  expect(newId()).toMatch(/^01234567-89ab-7/);
});

test('ids of one moment differ', () => {
  const newId = createOrderedIds({ now: () => 5 });
  expect(new Set(Array.from({ length: 1_000 }, newId)).size).toBe(1_000);
});

test('every digit that is random is each one at times, and the others never change', () => {
  const newId = createOrderedIds({ now: () => 5 });
  const ids = Array.from({ length: 1_000 }, newId);
  const seen = Array.from({ length: 36 }, (_, at) => new Set(ids.map((id) => id[at])).size);
  const random = (count: number): readonly number[] => Array.from({ length: count }, () => 16);
  const fixed = Array.from({ length: 15 }, () => 1);
  expect(seen).toEqual([...fixed, ...random(3), 1, 4, ...random(3), 1, ...random(12)]);
});

test('an id that was made later sorts behind', () => {
  let at = 0;
  const newId = createOrderedIds({ now: () => at });
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (one, other) => {
      const [early, late] = [one % 2 ** 48, other % 2 ** 48].sort((left, right) => left - right);
      fc.pre(early !== late);
      at = early ?? 0;
      const first = newId();
      at = late ?? 0;
      expect(first < newId()).toBe(true);
    }),
  );
});

test.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 60])(
  'a clock that says %s makes ids',
  (at) => {
    expect(createOrderedIds({ now: () => at })()).toMatch(UUID_7);
  },
);
