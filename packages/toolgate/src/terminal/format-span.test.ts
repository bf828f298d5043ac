import { expect, test } from 'vitest';
import { formatSpan } from './format-span.ts';

test.each([
  [-5_000, '0s'],
  [0, '0s'],
  [59_999, '59s'],
  [60_000, '1m'],
  [3_599_999, '59m'],
  [3_600_000, '1h'],
  [172_800_000, '2d'],
])('%d ms is %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});
