import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Usage } from '../call/model-response.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { readCount } from '../codec/read-count.ts';
import { memberOf } from '../codec/wire-reader.ts';
import type { ChatUsage } from './chat-wire.ts';

/** The counts of a `usage` member, or `null` where there are none. Prompt totals include cached tokens. */
export function decodeUsage(value: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value)) return null;
  const input = memberOf(value, 'prompt_tokens_details');
  const output = memberOf(value, 'completion_tokens_details');
  const usage: Usage = {
    inputTotal: readCount(value, 'prompt_tokens'),
    cacheRead: (isJsonObject(input) ? readCount(input, 'cached_tokens') : null) ?? readOwnCacheCount(value),
    cacheWrite: isJsonObject(input) ? readCount(input, 'cache_write_tokens') : null,
    outputTotal: readCount(value, 'completion_tokens'),
    reasoning: isJsonObject(output) ? readCount(output, 'reasoning_tokens') : null,
  };
  return saysNothing(usage) ? null : Object.freeze(usage);
}

/** DeepSeek and Kimi count what came from their caches outside of the details, and it is in the total as well. */
function readOwnCacheCount(usage: JsonObject): number | null {
  return readCount(usage, 'prompt_cache_hit_tokens') ?? readCount(usage, 'cached_tokens');
}

function saysNothing({ cacheRead, cacheWrite, inputTotal, outputTotal, reasoning }: Usage): boolean {
  return (inputTotal ?? outputTotal ?? cacheRead ?? cacheWrite ?? reasoning) === null;
}

/** The `usage` member, or `undefined` where a total is unknown: an invented 0 would be billed as a fact. */
export function encodeUsage(usage: Usage | null, losses: LossLog): ChatUsage | undefined {
  if (usage === null) return undefined;
  const { inputTotal, outputTotal, cacheRead, cacheWrite, reasoning } = usage;
  if (inputTotal === null || outputTotal === null) {
    losses.add('dropped', '/usage', 'warning', 'usage without both totals has no form here');
    return undefined;
  }
  return {
    prompt_tokens: inputTotal,
    completion_tokens: outputTotal,
    total_tokens: inputTotal + outputTotal,
    ...(cacheRead === null && cacheWrite === null
      ? {}
      : {
          prompt_tokens_details: {
            ...(cacheRead === null ? {} : { cached_tokens: cacheRead }),
            ...(cacheWrite === null ? {} : { cache_write_tokens: cacheWrite }),
          },
        }),
    ...(reasoning === null ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
