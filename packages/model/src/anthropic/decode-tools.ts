import { freezeJson, type JsonObject, type JsonValue } from '@toolgate/core';
import type { FunctionTool, ModelTool, ToolChoice } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { keepUnread } from '../codec/extensions.ts';
import { memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';

const READ_TOOL = new Set(['type', 'name', 'description', 'input_schema', 'strict']);

/** The `tools` member. What the provider runs itself, or defines itself, is foreign. */
export function decodeTools(reader: WireReader, value: JsonValue): readonly ModelTool[] {
  return Object.freeze(
    reader.array(value, '/tools').map((entry, index) => {
      const pointer = `/tools/${index}`;
      return decodeTool(reader, reader.object(entry, pointer), pointer);
    }),
  );
}

function decodeTool(reader: WireReader, tool: JsonObject, pointer: string): ModelTool {
  const type = memberOf(tool, 'type') ?? 'custom';
  if (type !== 'custom') {
    const name = textOf(tool, 'name') ?? (typeof type === 'string' ? type : 'unknown');
    return Object.freeze({ kind: 'foreign', protocol: ANTHROPIC, name, value: freezeJson(tool) });
  }
  return compact<FunctionTool>({
    kind: 'function',
    name: reader.string(memberOf(tool, 'name'), `${pointer}/name`),
    description:
      reader.optional('string', memberOf(tool, 'description'), `${pointer}/description`) ?? undefined,
    parameters: freezeJson(reader.object(memberOf(tool, 'input_schema'), `${pointer}/input_schema`)),
    strict: reader.optional('boolean', memberOf(tool, 'strict'), `${pointer}/strict`),
    extensions: keepUnread(ANTHROPIC, tool, READ_TOOL),
  });
}

/** What a `tool_choice` says: which tools, and whether several at once. */
export interface DecodedChoice {
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
}

/** The `tool_choice` member; a choice of an unknown kind stays foreign, so that it is never widened. */
export function decodeToolChoice(reader: WireReader, value: JsonValue): DecodedChoice {
  const choice = reader.object(value, '/tool_choice');
  const place = '/tool_choice/disable_parallel_tool_use';
  const single = reader.optional('boolean', memberOf(choice, 'disable_parallel_tool_use'), place);
  return {
    toolChoice: toChoice(reader, choice),
    ...(typeof single === 'boolean' ? { parallelToolCalls: !single } : {}),
  };
}

function toChoice(reader: WireReader, choice: JsonObject): ToolChoice {
  const type = memberOf(choice, 'type');
  if (type === 'auto' || type === 'any' || type === 'none') return Object.freeze({ mode: type });
  if (type === 'tool') {
    return Object.freeze({
      mode: 'named',
      name: reader.string(memberOf(choice, 'name'), '/tool_choice/name'),
    });
  }
  return Object.freeze({ mode: 'foreign', protocol: ANTHROPIC, value: freezeJson(choice) });
}
