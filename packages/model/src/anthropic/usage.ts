import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Usage } from '../call/model-response.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { readCount } from '../codec/read-count.ts';
import { memberOf, unreadMembers } from '../codec/wire-reader.ts';
import type { AnthropicUsage } from './anthropic-wire.ts';

/** Members of `usage` that have a neutral form. */
const READ = new Set([
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
  'output_tokens_details',
]);

/** The counts of a `usage` member, or `null` where there are none. Input leaves out what the cache gave or took. */
export function decodeUsage(value: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value)) return null;
  const fresh = readCount(value, 'input_tokens');
  const cacheRead = readCount(value, 'cache_read_input_tokens');
  const cacheWrite = readCount(value, 'cache_creation_input_tokens');
  const details = memberOf(value, 'output_tokens_details');
  const usage: Usage = {
    inputTotal: fresh === null ? null : fresh + (cacheRead ?? 0) + (cacheWrite ?? 0),
    cacheRead,
    cacheWrite,
    outputTotal: readCount(value, 'output_tokens'),
    reasoning: isJsonObject(details) ? readCount(details, 'thinking_tokens') : null,
  };
  return Object.values(usage).every((count) => count === null) ? null : Object.freeze(usage);
}

/** The members of `usage` that have no neutral form and say something. */
export function restOfUsage(value: JsonValue | undefined): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const rest = Object.entries(unreadMembers(value, READ) ?? {}).filter(([, each]) => each !== null);
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** The `usage` member. The wire has no way to say that a total is unknown; 0 is written then, with a loss. */
export function encodeUsage(usage: Usage | null, losses: LossLog): AnthropicUsage {
  const {
    inputTotal = null,
    outputTotal = null,
    cacheRead = null,
    cacheWrite = null,
    reasoning = null,
  } = usage ?? {};
  if (inputTotal === null || outputTotal === null) {
    losses.add('synthesised', '/usage', 'warning', 'an unknown count is written as 0 here');
  }
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0);
  if (inputTotal !== null && inputTotal < cached) {
    losses.add('approximated', '/usage/inputTotal', 'warning', 'the input holds less than its cached part');
  }
  return {
    input_tokens: inputTotal === null ? 0 : Math.max(inputTotal - cached, 0),
    output_tokens: outputTotal ?? 0,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    output_tokens_details: reasoning === null ? null : { thinking_tokens: reasoning },
  };
}
