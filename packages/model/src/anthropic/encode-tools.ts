import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { FunctionTool, ModelCall, ModelTool, ToolChoice } from '../call/model-call.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { CACHE_MARKS_OF_CHAT } from '../codec/shared-members.ts';
import { ModelError } from '../model-error.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import type { AnthropicTool, AnthropicToolChoice } from './anthropic-wire.ts';

type AllowedChoice = Extract<ToolChoice, { readonly mode: 'auto' | 'none' | 'any' }>;

/** The members that say which tools there are and which may be called. */
export function encodeToolMembers(call: ModelCall, losses: LossLog): JsonObject {
  const { tools, toolChoice } = call;
  const offered = tools ? offeredTools(tools, toolChoice, losses) : undefined;
  const choice = encodeChoice(call, losses);
  if (toolChoice?.mode === 'any' && toolChoice.allowed !== undefined && !offered?.length)
    throw notEncodable('The tool choice demands a call and allows no tool that is offered.');
  return {
    ...(offered === undefined ? {} : { tools: offered }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
  };
}

/** The tools, without those that the choice does not allow: there is no other way to say so here. */
function offeredTools(
  tools: readonly ModelTool[],
  choice: ModelCall['toolChoice'],
  losses: LossLog,
): readonly JsonObject[] {
  const allowed = allowedNames(choice);
  if (allowed !== undefined) {
    losses.add(
      'approximated',
      '/toolChoice/allowed',
      'warning',
      'a choice among some tools offers only those',
    );
    losses.add('dropped', '/tools', 'warning', 'tools that may not be called are not offered');
  }
  return tools.flatMap((tool, index) => {
    if (allowed !== undefined && !allowed.has(tool.name)) return [];
    const path = `/tools/${index}`;
    if (tool.kind === 'function') return [encodeTool(tool, path, losses)];
    if (tool.protocol === ANTHROPIC && isJsonObject(tool.value)) return [tool.value];
    losses.add('refused', path, 'error', 'a tool that only its own provider can run');
    return [];
  });
}

function allowedNames(choice: ModelCall['toolChoice']): ReadonlySet<string> | undefined {
  if (!choice || choice.mode === 'named' || choice.mode === 'foreign' || choice.mode === 'none')
    return undefined;
  return choice.allowed === undefined ? undefined : new Set(choice.allowed);
}

function encodeTool(tool: FunctionTool, path: string, losses: LossLog): JsonObject {
  const { name, description, parameters, strict } = tool;
  if (!parameters) {
    losses.add('synthesised', `${path}/parameters`, 'info', 'a tool without a schema takes an object here');
  } else if (parameters['type'] !== 'object') {
    losses.add(
      'approximated',
      `${path}/parameters/type`,
      'info',
      'a schema of arguments names its type here',
    );
  }
  if (strict === null)
    losses.add('approximated', `${path}/strict`, 'info', 'null and absent are the same here');
  const wire: AnthropicTool = {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: { ...parameters, type: 'object' },
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
  const members = takeExtensions(ANTHROPIC, tool.extensions, path, losses, { shared: CACHE_MARKS_OF_CHAT });
  return { ...members, ...wire };
}

/**
 * The `tool_choice` member.
 *
 * @throws ModelError `model/not-encodable` for a choice of another protocol or of a tool that is not offered.
 */
function encodeChoice(call: ModelCall, losses: LossLog): AnthropicToolChoice | JsonObject | undefined {
  const { toolChoice, parallelToolCalls } = call;
  const single =
    typeof parallelToolCalls === 'boolean' ? { disable_parallel_tool_use: !parallelToolCalls } : {};
  if (toolChoice === undefined || toolChoice === null) return withoutChoice(call, losses);
  if (toolChoice.mode === 'foreign') {
    if (toolChoice.protocol === ANTHROPIC && isJsonObject(toolChoice.value)) {
      return { ...toolChoice.value, ...single };
    }
    throw notEncodable('The tool choice belongs to another protocol.');
  }
  if (toolChoice.mode === 'named') {
    if (call.tools?.some(({ name }) => name === toolChoice.name) !== true) {
      throw notEncodable('The tool choice names a tool that is not offered.');
    }
    return { type: 'tool', name: toolChoice.name, ...single };
  }
  noteNone(toolChoice, parallelToolCalls, losses);
  return toolChoice.mode === 'none' ? { type: 'none' } : { type: toolChoice.mode, ...single };
}

/** One call at a time can only be said beside a choice, and only where there are tools. */
function withoutChoice(
  { tools, parallelToolCalls }: ModelCall,
  losses: LossLog,
): AnthropicToolChoice | undefined {
  if (typeof parallelToolCalls !== 'boolean') return undefined;
  if (parallelToolCalls || !tools || tools.length === 0) {
    losses.add(
      'dropped',
      '/parallelToolCalls',
      'info',
      'nothing to say without a choice: it is the default here',
    );
    return undefined;
  }
  losses.add('synthesised', '/toolChoice', 'info', 'one call at a time needs a choice here');
  return { type: 'auto', disable_parallel_tool_use: true };
}

function noteNone(choice: AllowedChoice, parallel: ModelCall['parallelToolCalls'], losses: LossLog): void {
  if (choice.mode !== 'none') return;
  if (choice.allowed !== undefined) {
    losses.add('dropped', '/toolChoice/allowed', 'info', 'none of some tools is none');
  }
  if (typeof parallel === 'boolean') {
    losses.add('dropped', '/parallelToolCalls', 'info', 'without calls there are none at once');
  }
}

function notEncodable(message: string): ModelError {
  return new ModelError('model/not-encodable', message, { pointer: '/toolChoice' });
}
