import type { JsonObject } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonObject, memberOf } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { jsonKey } from '../projection/json-key.ts';
import { fromClassicSchema } from './classic-schema.ts';
import { GEMINI } from './gemini-protocol.ts';
import type { GeminiGenerationConfig } from './gemini-wire.ts';

/** The `generationConfig` member; `kept` is what of it has no neutral form. */
export function encodeConfig(call: ModelCall, kept: JsonObject, losses: LossLog): JsonObject | undefined {
  const { responseSchema, ...rest } = kept;
  const config: JsonObject = {
    ...rest,
    ...encodeNumbers(call, losses),
    ...encodeStop(call, losses),
    ...encodeFormat(call, responseSchema, losses),
    ...encodeThinking(call, losses),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function encodeNumbers({ limits, sampling = {} }: ModelCall, losses: LossLog): GeminiGenerationConfig {
  const { temperature, topP, topK, seed, frequencyPenalty, presencePenalty, candidates } = sampling;
  const numbers = {
    maxOutputTokens: [limits?.maxOutputTokens, '/limits/maxOutputTokens'],
    temperature: [temperature, '/sampling/temperature'],
    topP: [topP, '/sampling/topP'],
    topK: [topK, '/sampling/topK'],
    seed: [seed, '/sampling/seed'],
    frequencyPenalty: [frequencyPenalty, '/sampling/frequencyPenalty'],
    presencePenalty: [presencePenalty, '/sampling/presencePenalty'],
    candidateCount: [candidates, '/sampling/candidates'],
  } as const;
  const written: Record<string, number> = {};
  for (const [name, [value, path]] of Object.entries(numbers)) {
    if (value === null) losses.add('approximated', path, 'info', 'null and absent are the same here');
    if (typeof value === 'number') written[name] = value;
  }
  return written;
}

function encodeStop({ sampling }: ModelCall, losses: LossLog): GeminiGenerationConfig {
  const stop = sampling?.stop;
  if (stop === null)
    losses.add('approximated', '/sampling/stop', 'info', 'null and absent are the same here');
  return stop ? { stopSequences: stop } : {};
}

function encodeFormat(
  { responseFormat: format }: ModelCall,
  classic: JsonObject[string] | undefined,
  losses: LossLog,
): JsonObject {
  if (format === undefined || format === null)
    return classic === undefined ? {} : { responseSchema: classic };
  switch (format.kind) {
    case 'text':
      return { responseMimeType: 'text/plain' };
    case 'json-object':
      return { responseMimeType: 'application/json' };
    case 'foreign':
      if (format.protocol === GEMINI && isJsonObject(format.value)) return format.value;
      throw new ModelError('model/not-encodable', 'The response format belongs to another protocol.', {
        pointer: '/responseFormat',
      });
    case 'json-schema': {
      const { name, description, strict, schema } = format;
      for (const [member, value] of Object.entries({ name, description, strict })) {
        if (value === undefined) continue;
        losses.add('dropped', `/responseFormat/${member}`, 'info', 'a format is its schema here');
      }
      const same = isJsonObject(classic) && jsonKey(fromClassicSchema(classic)) === jsonKey(schema);
      return {
        responseMimeType: 'application/json',
        ...(same ? { responseSchema: classic } : { responseJsonSchema: schema }),
      };
    }
  }
}

const LEVELS: ReadonlyMap<string, string> = new Map([
  ['minimal', 'MINIMAL'],
  ['low', 'LOW'],
  ['medium', 'MEDIUM'],
  ['high', 'HIGH'],
]);

function encodeThinking({ reasoning }: ModelCall, losses: LossLog): JsonObject {
  if (!reasoning) return {};
  const { effort, budgetTokens, summary } = reasoning;
  const thinking: Record<string, number | string | boolean> = {};
  if (budgetTokens === null)
    losses.add('approximated', '/reasoning/budgetTokens', 'info', 'null and absent are the same here');
  if (typeof budgetTokens === 'number') thinking['thinkingBudget'] = budgetTokens;
  if (effort === null)
    losses.add('approximated', '/reasoning/effort', 'info', 'null and absent are the same here');
  if (typeof effort === 'string') Object.assign(thinking, encodeEffort(effort, budgetTokens, losses));
  if (summary === null)
    losses.add('approximated', '/reasoning/summary', 'info', 'null and absent are the same here');
  if (typeof summary === 'string') {
    if (summary !== 'auto')
      losses.add('approximated', '/reasoning/summary', 'info', 'thoughts are shown in one way here');
    thinking['includeThoughts'] = summary !== 'omitted';
  }
  return Object.keys(thinking).length === 0 ? {} : { thinkingConfig: thinking };
}

/** The level for an effort. No thinking is a budget of nothing; efforts above the highest level are that level. */
function encodeEffort(
  effort: string,
  budget: number | null | undefined,
  losses: LossLog,
): { readonly thinkingLevel?: string; readonly thinkingBudget?: number } {
  const path = '/reasoning/effort';
  const level = LEVELS.get(effort);
  if (level !== undefined) return { thinkingLevel: level };
  if (effort === 'none') {
    losses.add('approximated', '/reasoning', 'info', 'no thinking is a budget of nothing here');
    return typeof budget === 'number' ? {} : { thinkingBudget: 0 };
  }
  if (effort === 'xhigh' || effort === 'max') {
    losses.add('approximated', path, 'info', 'the highest level is high here');
    return { thinkingLevel: 'HIGH' };
  }
  if (/^[a-z]+(?:_[a-z]+)*$/.test(effort)) return { thinkingLevel: effort.toUpperCase() };
  losses.add('dropped', path, 'warning', 'an effort that is not known here');
  return {};
}

/** A member of the call's extensions that is an object, or an empty one. */
export function objectIn(members: JsonObject, name: string): JsonObject {
  const value = memberOf(members, name);
  return isJsonObject(value) ? value : {};
}
