import { expect, test } from 'vitest';
import { DEFAULT_ARGUMENT_LIMITS, toArgumentLimits } from './argument-limits.ts';

test('what is not given has its default', () => {
  expect(toArgumentLimits(undefined, undefined)).toBe(DEFAULT_ARGUMENT_LIMITS);
  expect(toArgumentLimits(10, undefined)).toEqual({ maxBytes: 10, maxDepth: 64 });
  expect(toArgumentLimits('none', 3)).toEqual({ maxBytes: 'none', maxDepth: 3 });
});

test.each<[unknown, unknown]>([
  [0, undefined],
  [1, undefined],
  [-1, undefined],
  [2.5, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ['10', undefined],
  [null, undefined],
  [undefined, 0],
  [undefined, 1_001],
  [undefined, 'none'],
  [undefined, Number.NaN],
])('%s bytes and %s levels are refused', (bytes, depth) => {
  expect(() => toArgumentLimits(bytes as number, depth as number)).toThrow(
    expect.objectContaining({ code: 'tool/options-invalid' }),
  );
});
