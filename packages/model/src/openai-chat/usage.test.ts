import { expect, test } from 'vitest';
import { decodeUsage } from './usage.ts';

test.each([
  ['DeepSeek', { prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 4 }, 6],
  ['Kimi', { cached_tokens: 6 }, 6],
  ['both', { cached_tokens: 0, prompt_tokens_details: { cached_tokens: 6 } }, 6],
  ['nobody', { prompt_tokens_details: {} }, null],
  ['something odd', { cached_tokens: '6', prompt_cache_hit_tokens: -1 }, null],
])(
  'counts from a cache are read where %s writes them, and are part of the total',
  (_, members, cacheRead) => {
    expect(decodeUsage({ prompt_tokens: 10, completion_tokens: 2, ...members })).toEqual({
      inputTotal: 10,
      cacheRead,
      cacheWrite: null,
      outputTotal: 2,
      reasoning: null,
    });
  },
);
