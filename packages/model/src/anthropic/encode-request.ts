import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ModelCall, Sampling } from '../call/model-call.ts';
import type { Coded, WireRequest } from '../codec/codec.ts';
import { fitEndUser } from '../codec/end-user.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { readBudget } from '../codec/read-budget.ts';
import { withoutSameTools } from '../codec/same-tools.ts';
import { withoutVoidTools } from '../codec/void-tools.ts';
import { ModelError } from '../model-error.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { fitCacheMarks } from './cache-marks.ts';
import { isSelfSteered } from './claude-generation.ts';
import { encodeMessages, encodeSystem } from './encode-messages.ts';
import { encodeThinking } from './encode-thinking.ts';
import { encodeToolMembers } from './encode-tools.ts';

/** @see Codec.encodeRequest. */
export function encodeRequest(given: ModelCall): Coded<WireRequest> {
  const losses = createLossLog();
  const call = withoutSameTools(withoutVoidTools(readBudget(given, losses), losses), losses);
  const members = takeExtensions(ANTHROPIC, call.extensions, '', losses);
  const { maxTokens, thinking, effort } = encodeThinking(call, members, losses);
  const system = call.instructions ? encodeSystem(call.instructions, losses) : undefined;
  const config = {
    ...nested(members, 'output_config'),
    ...(effort === undefined ? {} : { effort }),
    ...encodeFormat(call, losses),
  };
  const metadata = { ...nested(members, 'metadata'), ...encodeUser(call, losses) };
  const body: JsonObject = {
    ...members,
    model: call.model,
    max_tokens: maxTokens,
    ...(system === undefined ? {} : { system }),
    messages: encodeMessages(call, losses),
    ...encodeToolMembers(call, losses),
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(config).length === 0 ? {} : { output_config: config }),
    ...encodeSampling(call, thinks(thinking ?? members['thinking']), losses),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(typeof call.stream === 'boolean' ? { stream: call.stream } : {}),
  };
  noteAbsent(call, losses);
  return Object.freeze({
    value: Object.freeze({ body: Object.freeze(fitCacheMarks(body, losses)), path: 'messages' }),
    losses: losses.losses,
  });
}

function nested(members: JsonObject, name: string): JsonObject {
  const value = members[name];
  return isJsonObject(value) ? value : {};
}

function encodeUser(call: ModelCall, losses: LossLog): JsonObject {
  const endUser = fitEndUser(call, 256, losses);
  return call.endUser === null ? { user_id: null } : endUser === undefined ? {} : { user_id: endUser };
}

/** The form of the answer. There is no mode without a schema, and free text is what there is without one. */
function encodeFormat({ responseFormat: format }: ModelCall, losses: LossLog): JsonObject {
  if (format === undefined || format === null) return {};
  switch (format.kind) {
    case 'text':
      losses.add('approximated', '/responseFormat', 'info', 'text is what there is without a format here');
      return {};
    case 'json-object':
      losses.add('dropped', '/responseFormat', 'warning', 'this protocol has no JSON without a schema');
      return {};
    case 'foreign':
      if (format.protocol === ANTHROPIC) return { format: format.value };
      throw new ModelError('model/not-encodable', 'The response format belongs to another protocol.', {
        pointer: '/responseFormat',
      });
    case 'json-schema': {
      const { name, description, strict, schema } = format;
      for (const [member, value] of Object.entries({ name, description, strict })) {
        if (value === undefined) continue;
        losses.add('dropped', `/responseFormat/${member}`, 'info', 'a format is its schema here');
      }
      return { format: { type: 'json_schema', schema } };
    }
  }
}

/** Whether a mode of thinking lets the model think. */
function thinks(thinking: JsonValue | undefined): boolean {
  return isJsonObject(thinking) && thinking['type'] !== 'disabled';
}

function encodeSampling({ model, sampling = {} }: ModelCall, thinking: boolean, losses: LossLog): JsonObject {
  const { stop, seed, frequencyPenalty, presencePenalty, candidates } = sampling;
  for (const [name, value] of Object.entries({ seed, frequencyPenalty, presencePenalty })) {
    if (value === undefined) continue;
    losses.add(
      'dropped',
      `/sampling/${name}`,
      value === null ? 'info' : 'warning',
      'this protocol has no such setting',
    );
  }
  if (candidates !== undefined) {
    const several = typeof candidates === 'number' && candidates > 1;
    losses.add(
      several ? 'refused' : 'dropped',
      '/sampling/candidates',
      several ? 'error' : 'info',
      'there is one answer here',
    );
  }
  return {
    ...(isSelfSteered(model) || thinking ? noDrawing(sampling, losses) : encodeDrawing(sampling, losses)),
    ...encodeStop(stop, losses),
  };
}

function encodeDrawing(sampling: Sampling, losses: LossLog): JsonObject {
  return {
    ...encodeTemperature(sampling.temperature, losses),
    ...encodeTopP(sampling, losses),
    ...numeric('top_k', sampling.topK, '/sampling/topK', losses),
  };
}

/** A model that steers itself, or that is to think, refuses every setting but those that it has anyway. */
function noDrawing({ temperature, topP, topK }: Sampling, losses: LossLog): JsonObject {
  for (const [name, value] of Object.entries({ temperature, topP, topK })) {
    if (value === undefined) continue;
    const isPlain = value === null || (value === 1 && name !== 'topK');
    losses.add(
      'dropped',
      `/sampling/${name}`,
      isPlain ? 'info' : 'warning',
      'the model takes no such setting',
    );
  }
  return {};
}

function numeric(name: string, value: number | null | undefined, path: string, losses: LossLog): JsonObject {
  if (value === null) losses.add('approximated', path, 'info', 'null and absent are the same here');
  return typeof value === 'number' ? { [name]: value } : {};
}

/** Temperatures end at 1 here and at 2 elsewhere. */
function encodeTemperature(value: number | null | undefined, losses: LossLog): JsonObject {
  if (typeof value !== 'number' || value <= 1) {
    return numeric('temperature', value, '/sampling/temperature', losses);
  }
  losses.add('approximated', '/sampling/temperature', 'warning', 'the temperature ends at 1 here');
  return { temperature: 1 };
}

/** The API refuses a request with both settings. A temperature is what clients set; 1 takes no words away. */
function encodeTopP({ temperature, topP }: Sampling, losses: LossLog): JsonObject {
  if (typeof temperature !== 'number' || typeof topP !== 'number') {
    return numeric('top_p', topP, '/sampling/topP', losses);
  }
  const severity = topP === 1 ? 'info' : 'warning';
  losses.add('dropped', '/sampling/topP', severity, 'the API takes a temperature or this, and not both');
  return {};
}

function encodeStop(stop: readonly string[] | null | undefined, losses: LossLog): JsonObject {
  if (stop === undefined) return {};
  if (stop === null) {
    losses.add('approximated', '/sampling/stop', 'info', 'null and absent are the same here');
    return {};
  }
  const said = stop.filter((text) => text.trim() !== '');
  if (said.length < stop.length) {
    losses.add('dropped', '/sampling/stop', 'warning', 'the API refuses blank stop sequences');
  }
  return { stop_sequences: said };
}

/** What is neither written nor absent: states that this wire does not tell apart, and what it has no member for. */
function noteAbsent(call: ModelCall, losses: LossLog): void {
  const {
    instructions,
    tools,
    toolChoice,
    parallelToolCalls,
    responseFormat,
    reasoning,
    stream,
    previousResponseId,
  } = call;
  const nulls = { instructions, tools, toolChoice, parallelToolCalls, responseFormat, reasoning, stream };
  for (const [name, value] of Object.entries(nulls)) {
    if (value === null) losses.add('approximated', `/${name}`, 'info', 'null and absent are the same here');
  }
  if (call.limits?.maxOutputTokens === null) {
    losses.add('approximated', '/limits/maxOutputTokens', 'info', 'no limit cannot be said here');
  }
  if (call.streamUsage !== undefined) {
    losses.add('dropped', '/streamUsage', 'info', 'usage always comes with the stream here');
  }
  if (previousResponseId === undefined) return;
  const kept = previousResponseId !== null;
  losses.add(
    kept ? 'refused' : 'dropped',
    '/previousResponseId',
    kept ? 'error' : 'info',
    'this protocol keeps no responses',
  );
}
