import { expect, test } from 'vitest';
import { DEFAULT_BACKOFF, delayAfter } from './backoff.ts';

test('the first restart is immediate, then delays double up to the longest', () => {
  const delays = [0, 1, 2, 3, 4, 8, 9, 1_000_000].map((failures) => delayAfter(failures, DEFAULT_BACKOFF));
  expect(delays).toEqual([0, 0, 500, 1_000, 2_000, 30_000, 30_000, 30_000]);
});
