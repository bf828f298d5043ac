import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Instruction, ModelCall, ResponseFormat } from '../call/model-call.ts';
import { withoutBillingLine } from '../codec/billing-line.ts';
import type { Coded, WireRequest } from '../codec/codec.ts';
import { fitEndUser } from '../codec/end-user.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { fitEffort } from '../codec/openai-effort.ts';
import { encodeOpenaiFormat, type OpenaiSchemaFormat } from '../codec/openai-members.ts';
import { openaiSampling } from '../codec/openai-sampling.ts';
import { SHARED_WITH_CHAT, verbosityToResponses } from '../codec/shared-members.ts';
import { withoutVoidTools } from '../codec/void-tools.ts';
import { encodeItems } from './encode-items.ts';
import { encodeToolChoice, encodeTools } from './encode-tools.ts';
import { RESPONSES } from './responses-protocol.ts';
import type { ResponsesFormat } from './responses-wire.ts';

/**
 * @see Codec.encodeRequest. A call that does not come from this protocol is sent with `store: false`: its caller never
 * agreed to storing, which is the default here. Encrypted reasoning is then asked for, so that it can be replayed.
 */
export function encodeRequest(given: ModelCall): Coded<WireRequest> {
  const losses = createLossLog();
  const extensions = verbosityToResponses(given.extensions);
  const members = takeExtensions(RESPONSES, extensions, '', losses, { shared: SHARED_WITH_CHAT });
  const fitting = withoutBillingLine(fitEffort(given, losses), losses);
  // A stored prompt brings tools of its own.
  const call = Object.hasOwn(members, 'prompt') ? fitting : withoutVoidTools(fitting, losses);
  const { field, leading } = placeInstructions(call, losses);
  const endUser = fitEndUser(call, 64, losses);
  const body: JsonObject = {
    ...encodeStorage(call, members, losses),
    ...members,
    model: call.model,
    ...field,
    input: encodeItems(call, leading, losses),
    ...encodeToolMembers(call, losses),
    ...encodeText(call.responseFormat, members, losses),
    ...encodeSampling(call, losses),
    ...encodeReasoning(call.reasoning, members, losses),
    ...(call.previousResponseId === undefined ? {} : { previous_response_id: call.previousResponseId }),
    ...(call.stream === undefined ? {} : { stream: call.stream }),
    ...(endUser === undefined ? {} : { user: endUser }),
  };
  if (call.endUser === null)
    losses.add('approximated', '/endUser', 'info', 'null and absent are the same here');
  if (call.streamUsage !== undefined)
    losses.add('dropped', '/streamUsage', 'info', 'a stream always has usage here');
  return Object.freeze({
    value: Object.freeze({ body: Object.freeze(body), path: 'responses' }),
    losses: losses.losses,
  });
}

interface PlacedInstructions {
  readonly field: JsonObject;
  readonly leading: readonly Instruction[];
}

/** The first system text goes into the dedicated member, unless it was a leading item; all others lead the input. */
function placeInstructions({ instructions }: ModelCall, losses: LossLog): PlacedInstructions {
  if (instructions === undefined) return { field: {}, leading: [] };
  if (instructions === null) return { field: { instructions: null }, leading: [] };
  const [first, ...rest] = instructions;
  if (first === undefined) {
    losses.add('approximated', '/instructions', 'info', 'an empty list of instructions is none here');
    return { field: {}, leading: [] };
  }
  const fits = first.role === 'system' && first.origin !== 'item' && first.extensions === undefined;
  return fits ? { field: { instructions: first.text }, leading: rest } : { field: {}, leading: instructions };
}

function encodeStorage(
  { extensions, reasoning, items }: ModelCall,
  members: JsonObject,
  losses: LossLog,
): JsonObject {
  if (extensions?.protocol === RESPONSES || 'store' in members) return {};
  losses.add(
    'synthesised',
    '/extensions',
    'info',
    'the response is not stored, and its reasoning comes encrypted',
  );
  const thinks =
    (reasoning !== undefined && reasoning !== null) ||
    items.some((item) => {
      return item.kind === 'reasoning' && item.opaque?.protocol === RESPONSES;
    });
  return { store: false, ...(thinks ? { include: ['reasoning.encrypted_content'] } : {}) };
}

function encodeToolMembers(call: ModelCall, losses: LossLog): JsonObject {
  const { tools, toolChoice, parallelToolCalls } = call;
  if (tools === null) losses.add('approximated', '/tools', 'info', 'null and absent are the same here');
  if (toolChoice === null)
    losses.add('approximated', '/toolChoice', 'info', 'null and absent are the same here');
  return {
    ...(tools === undefined || tools === null ? {} : { tools: encodeTools(tools, losses) }),
    ...(toolChoice === undefined || toolChoice === null
      ? {}
      : { tool_choice: encodeToolChoice(toolChoice, losses) }),
    ...(parallelToolCalls === undefined ? {} : { parallel_tool_calls: parallelToolCalls }),
  };
}

function encodeSampling(call: ModelCall, losses: LossLog): JsonObject {
  const { limits } = call;
  const { temperature, topP, topK, seed, frequencyPenalty, presencePenalty, stop, candidates } =
    openaiSampling(call, losses);
  const absent = { topK, seed, frequencyPenalty, presencePenalty, stop };
  for (const [name, value] of Object.entries(absent)) {
    const severity = value === null ? 'info' : 'warning';
    if (value !== undefined)
      losses.add('dropped', `/sampling/${name}`, severity, 'this protocol has no such setting');
  }
  if (candidates !== undefined) {
    const many = candidates !== null && candidates !== 1;
    losses.add(
      many ? 'refused' : 'dropped',
      '/sampling/candidates',
      many ? 'error' : 'info',
      'one answer a request here',
    );
  }
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(limits?.maxOutputTokens === undefined ? {} : { max_output_tokens: limits.maxOutputTokens }),
  };
}

function encodeText(format: ModelCall['responseFormat'], members: JsonObject, losses: LossLog): JsonObject {
  if (format === undefined) return {};
  if (format === null) {
    losses.add('approximated', '/responseFormat', 'info', 'null and absent are the same here');
    return {};
  }
  const kept = members['text'];
  return { text: { ...(isJsonObject(kept) ? kept : {}), format: toWireFormat(format, losses) } };
}

function toWireFormat(format: ResponseFormat, losses: LossLog): ResponsesFormat | JsonObject {
  const toSchemaFormat = (parts: OpenaiSchemaFormat) => ({ type: 'json_schema', ...parts }) as const;
  return encodeOpenaiFormat(format, RESPONSES, toSchemaFormat, losses);
}

function encodeReasoning(
  reasoning: ModelCall['reasoning'],
  members: JsonObject,
  losses: LossLog,
): JsonObject {
  if (reasoning === undefined || reasoning === null) return reasoning === null ? { reasoning } : {};
  const { effort, budgetTokens, summary } = reasoning;
  if (budgetTokens !== undefined) {
    losses.add('dropped', '/reasoning/budgetTokens', 'warning', 'this protocol has an effort and no budget');
  }
  const kept = members['reasoning'];
  return {
    reasoning: {
      ...(isJsonObject(kept) ? kept : {}),
      ...(effort === undefined ? {} : { effort }),
      ...encodeSummary(summary, losses),
    },
  };
}

/** Other protocols have words for it that are refused here. */
function encodeSummary(summary: string | null | undefined, losses: LossLog): JsonObject {
  if (summary === undefined) return {};
  if (summary !== 'omitted' && summary !== 'summarized') return { summary };
  losses.add('approximated', '/reasoning/summary', 'info', 'thoughts are shown where that is asked for here');
  return summary === 'omitted' ? {} : { summary: 'auto' };
}
