import type { JsonObject } from '@toolgate/core';
import type { FunctionTool, ModelCall, ModelTool } from '../call/model-call.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { isJsonObject } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { RESPONSES } from './responses-protocol.ts';
import type { ResponsesTool, ResponsesToolChoice } from './responses-wire.ts';

/** The `tools` member. A tool that only another provider can run is left out with an `error` loss. */
export function encodeTools(tools: readonly ModelTool[], losses: LossLog): readonly JsonObject[] {
  return tools.flatMap((tool, index) => {
    const path = `/tools/${index}`;
    if (tool.kind === 'function') return [encodeTool(tool, path, losses)];
    if (tool.protocol === RESPONSES && isJsonObject(tool.value)) return [tool.value];
    losses.add('refused', path, 'error', 'a tool that only its own provider can run');
    return [];
  });
}

/** One function tool; its schema is written as it is. Without a word on strictness it is not strict. */
export function encodeTool(tool: FunctionTool, path: string, losses: LossLog): JsonObject {
  const { name, description, parameters, strict } = tool;
  if (parameters === undefined)
    losses.add('approximated', `${path}/parameters`, 'info', 'no schema is written as null');
  if (strict === undefined) {
    losses.add('synthesised', `${path}/strict`, 'info', 'without a word this protocol would prefer strict');
  }
  const wire: ResponsesTool = {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters ?? null,
    strict: strict === undefined ? false : strict,
  };
  return { ...takeExtensions(RESPONSES, tool.extensions, path, losses), ...wire };
}

/**
 * The `tool_choice` member.
 *
 * @throws ModelError `model/not-encodable` for a choice of another protocol: leaving it out would widen it.
 */
export function encodeToolChoice(
  choice: NonNullable<ModelCall['toolChoice']>,
  losses: LossLog,
): ResponsesToolChoice | JsonObject {
  if (choice.mode === 'foreign') {
    if (choice.protocol === RESPONSES && isJsonObject(choice.value)) return choice.value;
    throw new ModelError('model/not-encodable', 'The tool choice belongs to another protocol.', {
      pointer: '/toolChoice',
    });
  }
  if (choice.mode === 'named') return { type: 'function', name: choice.name };
  if (choice.mode === 'none' || choice.allowed === undefined) {
    if (choice.allowed !== undefined)
      losses.add('dropped', '/toolChoice/allowed', 'info', 'none of no tools is none');
    return choice.mode === 'any' ? 'required' : choice.mode;
  }
  return {
    type: 'allowed_tools',
    mode: choice.mode === 'any' ? 'required' : 'auto',
    tools: choice.allowed.map((name) => ({ type: 'function', name })),
  };
}
