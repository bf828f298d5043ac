import type { JsonObject } from '@toolgate/core';
import type { FunctionTool, ModelTool, ToolChoice } from '../call/model-call.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { encodeOpenaiChoice, encodeOpenaiTools } from '../codec/openai-members.ts';
import { RESPONSES } from './responses-protocol.ts';
import type { ResponsesTool, ResponsesToolChoice } from './responses-wire.ts';

/** The `tools` member. A tool that only another provider can run is left out with an `error` loss. */
export function encodeTools(tools: readonly ModelTool[], losses: LossLog): readonly JsonObject[] {
  return encodeOpenaiTools(tools, RESPONSES, (tool, path) => encodeTool(tool, path, losses), losses);
}

/** One function tool; its schema is written as it is. Without a word on strictness it is not strict. */
function encodeTool(tool: FunctionTool, path: string, losses: LossLog): JsonObject {
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
export function encodeToolChoice(choice: ToolChoice, losses: LossLog): ResponsesToolChoice | JsonObject {
  return encodeOpenaiChoice(choice, CHOICE, losses);
}

const CHOICE = {
  protocol: RESPONSES,
  named: (name: string) => ({ type: 'function', name }) as const,
  allowed: (mode: 'auto' | 'required', tools: readonly NamedTool[]) =>
    ({ type: 'allowed_tools', mode, tools }) as const,
};

type NamedTool = { readonly type: 'function'; readonly name: string };
