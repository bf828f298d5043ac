import { isJsonObject, type JsonValue } from '@toolgate/core';
import type { Usage } from '../call/model-response.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { readCount } from '../codec/read-count.ts';
import { memberOf } from '../codec/wire-reader.ts';
import type { ResponsesUsage } from './responses-wire.ts';

/** The counts of a `usage` member, or `null` where there are none. Input totals include cached tokens. */
export function decodeUsage(value: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value)) return null;
  const input = memberOf(value, 'input_tokens_details');
  const output = memberOf(value, 'output_tokens_details');
  const usage: Usage = {
    inputTotal: readCount(value, 'input_tokens'),
    cacheRead: isJsonObject(input) ? readCount(input, 'cached_tokens') : null,
    cacheWrite: isJsonObject(input) ? readCount(input, 'cache_write_tokens') : null,
    outputTotal: readCount(value, 'output_tokens'),
    reasoning: isJsonObject(output) ? readCount(output, 'reasoning_tokens') : null,
  };
  return Object.values(usage).every((count) => count === null) ? null : Object.freeze(usage);
}

/**
 * The `usage` member, or `undefined` where a total is unknown. The wire demands every detail, so an unknown one is
 * written as 0, with a loss.
 */
export function encodeUsage(usage: Usage | null, losses: LossLog): ResponsesUsage | undefined {
  if (usage === null) return undefined;
  const { inputTotal, outputTotal } = usage;
  if (inputTotal === null || outputTotal === null) {
    losses.add('dropped', '/usage', 'warning', 'usage without both totals has no form here');
    return undefined;
  }
  const detail = (name: 'cacheRead' | 'cacheWrite' | 'reasoning'): number => {
    const count = usage[name];
    if (count === null)
      losses.add('synthesised', `/usage/${name}`, 'info', 'an unknown detail is 0 on this wire');
    return count ?? 0;
  };
  return {
    input_tokens: inputTotal,
    input_tokens_details: { cached_tokens: detail('cacheRead'), cache_write_tokens: detail('cacheWrite') },
    output_tokens: outputTotal,
    output_tokens_details: { reasoning_tokens: detail('reasoning') },
    total_tokens: inputTotal + outputTotal,
  };
}
