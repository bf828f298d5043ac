import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ModelCall, ResponseFormat, Sampling } from '../call/model-call.ts';
import { withoutBillingLine } from '../codec/billing-line.ts';
import type { Coded, WireRequest } from '../codec/codec.ts';
import { fitEndUser } from '../codec/end-user.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { fitStops } from '../codec/fit-stops.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { fitEffort } from '../codec/openai-effort.ts';
import { gptGeneration, isOSeries } from '../codec/openai-generation.ts';
import { encodeOpenaiFormat, type OpenaiSchemaFormat } from '../codec/openai-members.ts';
import { openaiSampling } from '../codec/openai-sampling.ts';
import { SHARED_WITH_RESPONSES, verbosityToChat } from '../codec/shared-members.ts';
import { withoutVoidTools } from '../codec/void-tools.ts';
import { ModelError } from '../model-error.ts';
import { CHAT } from './chat-protocol.ts';
import type { ChatResponseFormat } from './chat-wire.ts';
import { encodeMessages } from './encode-messages.ts';
import { encodeToolChoice, encodeTools } from './encode-tools.ts';

/** @see Codec.encodeRequest. */
export function encodeRequest(given: ModelCall): Coded<WireRequest> {
  const losses = createLossLog();
  const call = withoutBillingLine(withoutVoidTools(fitEffort(given, losses), losses), losses);
  const extensions = verbosityToChat(call.extensions);
  const members = takeExtensions(CHAT, extensions, '', losses, { shared: SHARED_WITH_RESPONSES });
  const endUser = fitEndUser(call, 64, losses);
  const body: JsonObject = {
    ...members,
    model: call.model,
    messages: encodeMessages(call, losses),
    ...encodeToolMembers(call, losses),
    ...encodeLimits(call),
    ...encodeSampling(call, losses),
    ...encodeFormat(call.responseFormat, losses),
    ...encodeReasoning(call.reasoning, losses),
    ...encodeStreaming(call, members, losses),
    ...(endUser === undefined ? {} : { user: endUser }),
  };
  noteAbsent(call, losses);
  return Object.freeze({
    value: Object.freeze({ body: Object.freeze(body), path: 'chat/completions' }),
    losses: losses.losses,
  });
}

function encodeToolMembers(call: ModelCall, losses: LossLog): JsonObject {
  const { tools, toolChoice, parallelToolCalls } = call;
  const encoded = tools === undefined || tools === null ? undefined : encodeTools(tools, losses);
  return {
    ...(encoded === undefined ? {} : { tools: encoded }),
    ...(toolChoice === undefined || toolChoice === null
      ? {}
      : { tool_choice: encodeToolChoice(toolChoice, losses) }),
    ...(typeof parallelToolCalls === 'boolean' ? { parallel_tool_calls: parallelToolCalls } : {}),
  };
}

function encodeLimits({ limits }: ModelCall): JsonObject {
  if (limits?.maxOutputTokens === undefined) return {};
  return { [limits.spelling ?? 'max_completion_tokens']: limits.maxOutputTokens };
}

function encodeSampling(call: ModelCall, losses: LossLog): JsonObject {
  const { temperature, topP, topK, seed, frequencyPenalty, presencePenalty, stop, candidates } =
    openaiSampling(call, losses);
  if (topK !== undefined) losses.add('dropped', '/sampling/topK', 'warning', 'this protocol has no top_k');
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...encodeStop(call.model, stop, losses),
    ...(candidates === undefined ? {} : { n: candidates }),
  };
}

/** Models of OpenAI take four; what other servers take is theirs to say. */
function encodeStop(model: string, stop: Sampling['stop'], losses: LossLog): JsonObject {
  if (stop === undefined) return {};
  if (stop === null || !(isOSeries(model) || gptGeneration(model) !== undefined)) return { stop };
  return { stop: fitStops(stop, 4, losses) };
}

function encodeFormat(format: ModelCall['responseFormat'], losses: LossLog): JsonObject {
  if (format === undefined) return {};
  if (format === null) {
    losses.add('dropped', '/responseFormat', 'info', 'no format is written as none');
    return {};
  }
  return { response_format: toWireFormat(format, losses) };
}

function toWireFormat(format: ResponseFormat, losses: LossLog): ChatResponseFormat | JsonObject {
  const toSchemaFormat = (parts: OpenaiSchemaFormat) =>
    ({ type: 'json_schema', json_schema: parts }) as const;
  return encodeOpenaiFormat(format, CHAT, toSchemaFormat, losses);
}

function encodeReasoning(reasoning: ModelCall['reasoning'], losses: LossLog): JsonObject {
  if (reasoning === undefined || reasoning === null) return {};
  const { effort, budgetTokens, summary } = reasoning;
  if (budgetTokens !== undefined) {
    losses.add('dropped', '/reasoning/budgetTokens', 'warning', 'this protocol has an effort and no budget');
  }
  if (summary !== undefined)
    losses.add('dropped', '/reasoning/summary', 'info', 'thoughts cannot be asked for here');
  return effort === undefined ? {} : { reasoning_effort: effort };
}

/** Usage is always asked for in a stream; the encoder of the client's stream hides it where the client did not ask. */
function encodeStreaming(
  { stream, streamUsage }: ModelCall,
  members: JsonObject,
  losses: LossLog,
): JsonObject {
  if (stream === undefined) return {};
  if (stream !== true) {
    if (streamUsage !== undefined) losses.add('dropped', '/streamUsage', 'info', 'there is no stream');
    return { stream };
  }
  if (streamUsage !== true) losses.add('synthesised', '/streamUsage', 'info', 'usage is always asked for');
  const options = members['stream_options'];
  return { stream, stream_options: { ...(isJsonObject(options) ? options : {}), include_usage: true } };
}

/** What is neither written nor absent: states that this wire does not tell apart, and what it has no member for. */
function noteAbsent(call: ModelCall, losses: LossLog): void {
  const { instructions, tools, toolChoice, parallelToolCalls, reasoning, endUser, previousResponseId } = call;
  if (instructions === null || instructions?.length === 0) {
    losses.add('approximated', '/instructions', 'info', 'no instructions and none given are the same here');
  }
  const nulls = { tools, toolChoice, parallelToolCalls, reasoning, endUser, previousResponseId };
  for (const [name, value] of Object.entries(nulls)) {
    if (value === null) losses.add('approximated', `/${name}`, 'info', 'null and absent are the same here');
  }
  if (reasoning !== undefined && reasoning !== null && Object.keys(reasoning).length === 0) {
    losses.add('approximated', '/reasoning', 'info', 'settings without a setting are none');
  }
  if (typeof previousResponseId === 'string') {
    throw new ModelError('model/not-encodable', 'This protocol cannot continue a stored response.', {
      pointer: '/previousResponseId',
    });
  }
}
