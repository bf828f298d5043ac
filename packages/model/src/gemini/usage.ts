import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Usage } from '../call/model-response.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { readCount } from '../codec/read-count.ts';
import { unreadMembers } from '../codec/wire-reader.ts';
import type { GeminiUsage } from './gemini-wire.ts';

const READ = new Set([
  'promptTokenCount',
  'cachedContentTokenCount',
  'candidatesTokenCount',
  'thoughtsTokenCount',
  'totalTokenCount',
]);

/**
 * The counts of a `usageMetadata` member, or `null` where there are none. Input includes what was cached and what tools
 * brought in; output counts thoughts, which the candidates leave out. The wire leaves out counts of 0: the total tells
 * them from unknown ones.
 */
export function decodeUsage(value: JsonValue | undefined): Usage | null {
  if (!isJsonObject(value)) return null;
  const prompt = readCount(value, 'promptTokenCount');
  const tools = readCount(value, 'toolUsePromptTokenCount') ?? 0;
  const thoughts = readCount(value, 'thoughtsTokenCount');
  const usage: Usage = {
    inputTotal: prompt === null ? null : prompt + tools,
    cacheRead: readCount(value, 'cachedContentTokenCount'),
    cacheWrite: null,
    outputTotal: outputOf(value, prompt === null ? null : prompt + tools, thoughts ?? 0),
    reasoning: thoughts,
  };
  return Object.values(usage).every((count) => count === null) ? null : Object.freeze(usage);
}

function outputOf(value: JsonObject, input: number | null, thoughts: number): number | null {
  const candidates = readCount(value, 'candidatesTokenCount');
  if (candidates !== null) return candidates + thoughts;
  const total = readCount(value, 'totalTokenCount');
  return total === null || input === null || total < input ? null : total - input;
}

/** The members of `usageMetadata` that have no neutral form. */
export function restOfUsage(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? unreadMembers(value, READ) : undefined;
}

/** The `usageMetadata` member; unknown counts are left out. `kept` is what of it has no neutral form. */
export function encodeUsage(usage: Usage | null, kept: JsonObject, losses: LossLog): GeminiUsage | undefined {
  if (usage === null) return undefined;
  const { inputTotal, cacheRead, cacheWrite, outputTotal, reasoning } = usage;
  if (cacheWrite !== null)
    losses.add('dropped', '/usage/cacheWrite', 'info', 'writes to the cache are not counted here');
  const tools = readCount(kept, 'toolUsePromptTokenCount') ?? 0;
  const thoughts = reasoning ?? 0;
  if (outputTotal !== null && outputTotal < thoughts) {
    losses.add('approximated', '/usage/outputTotal', 'warning', 'the output holds less than its thoughts');
  }
  const candidates = outputTotal === null ? null : Math.max(outputTotal - thoughts, 0);
  const known = inputTotal !== null && outputTotal !== null;
  return {
    ...kept,
    ...(inputTotal === null ? {} : { promptTokenCount: Math.max(inputTotal - tools, 0) }),
    ...(cacheRead === null ? {} : { cachedContentTokenCount: cacheRead }),
    ...(candidates === null ? {} : { candidatesTokenCount: candidates }),
    ...(reasoning === null ? {} : { thoughtsTokenCount: reasoning }),
    ...(known ? { totalTokenCount: inputTotal + Math.max(outputTotal, thoughts) } : {}),
  };
}
