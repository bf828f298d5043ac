import type { JsonObject } from '@toolgate/core';
import type { FunctionTool, ModelTool, ToolChoice } from '../call/model-call.ts';
import { takeExtensions, withNested } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { encodeOpenaiChoice, encodeOpenaiTools } from '../codec/openai-members.ts';
import { CHAT } from './chat-protocol.ts';
import type { ChatTool, ChatToolChoice } from './chat-wire.ts';

/** The `tools` member. A tool that only another provider can run is left out with an `error` loss. */
export function encodeTools(tools: readonly ModelTool[], losses: LossLog): readonly JsonObject[] {
  return encodeOpenaiTools(tools, CHAT, (tool, path) => encodeTool(tool, path, losses), losses);
}

/** One function tool; its schema is written as it is. */
function encodeTool(tool: FunctionTool, path: string, losses: LossLog): JsonObject {
  const members = takeExtensions(CHAT, tool.extensions, path, losses);
  const { name, description, parameters, strict } = tool;
  if (parameters === null)
    losses.add('dropped', `${path}/parameters`, 'info', 'no schema is written as none');
  const wire: ChatTool = {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined || parameters === null ? {} : { parameters }),
      ...(strict === undefined ? {} : { strict }),
    },
  };
  return withNested(members, 'function', wire);
}

/**
 * The `tool_choice` member.
 *
 * @throws ModelError `model/not-encodable` for a choice of another protocol: leaving it out would widen it.
 */
export function encodeToolChoice(choice: ToolChoice, losses: LossLog): ChatToolChoice | JsonObject {
  return encodeOpenaiChoice(choice, CHOICE, losses);
}

const CHOICE = {
  protocol: CHAT,
  named: (name: string) => ({ type: 'function', function: { name } }) as const,
  allowed: (mode: 'auto' | 'required', tools: readonly NamedTool[]) =>
    ({ type: 'allowed_tools', allowed_tools: { mode, tools } }) as const,
};

type NamedTool = { readonly type: 'function'; readonly function: { readonly name: string } };
