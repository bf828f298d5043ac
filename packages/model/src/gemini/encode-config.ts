import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ModelCall } from '../call/model-call.ts';
import { fitStops } from '../codec/fit-stops.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { memberOf } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { jsonKey } from '../projection/json-key.ts';
import { fromClassicSchema } from './classic-schema.ts';
import { encodeThinking } from './encode-thinking.ts';
import { GEMINI, generationOf } from './gemini-protocol.ts';
import type { GeminiGenerationConfig } from './gemini-wire.ts';

/** The `generationConfig` member; `kept` is what of it has no neutral form. */
export function encodeConfig(call: ModelCall, kept: JsonObject, losses: LossLog): JsonObject | undefined {
  const { responseSchema, ...rest } = kept;
  const config: JsonObject = {
    ...rest,
    ...encodeNumbers(call, losses),
    ...encodeStop(call, losses),
    ...(takesFormat(call, losses) ? encodeFormat(call, responseSchema, losses) : {}),
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

/** More are refused, and so is a list of none. */
const MOST_STOPS = 5;

function encodeStop({ sampling }: ModelCall, losses: LossLog): GeminiGenerationConfig {
  const stop = sampling?.stop;
  if (stop === null)
    losses.add('approximated', '/sampling/stop', 'info', 'null and absent are the same here');
  if (stop?.length === 0)
    losses.add('approximated', '/sampling/stop', 'info', 'an empty list and none are the same here');
  const stopSequences = stop ? fitStops(stop, MOST_STOPS, losses) : [];
  return stopSequences.length === 0 ? {} : { stopSequences };
}

/** Models before generation 3 refuse tools beside an answer in JSON. */
function takesFormat({ model, responseFormat, tools }: ModelCall, losses: LossLog): boolean {
  if (!responseFormat || responseFormat.kind === 'text' || !tools || tools.length === 0) return true;
  if ((generationOf(model) ?? Number.POSITIVE_INFINITY) >= 3) return true;
  losses.add('dropped', '/responseFormat', 'warning', 'the model takes tools or a format, and not both');
  return false;
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

/** A member of the call's extensions that is an object, or an empty one. */
export function objectIn(members: JsonObject, name: string): JsonObject {
  const value = memberOf(members, name);
  return isJsonObject(value) ? value : {};
}
