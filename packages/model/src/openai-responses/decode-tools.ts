import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { FunctionTool, ModelTool, ToolChoice } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { keepUnread } from '../codec/extensions.ts';
import { decodePlainChoice } from '../codec/plain-choice.ts';
import { isJsonArray, memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import { RESPONSES } from './responses-protocol.ts';

const READ = new Set(['type', 'name', 'description', 'parameters', 'strict']);

/** The `tools` member. Hosted and custom tools are foreign. */
export function decodeTools(reader: WireReader, value: JsonValue, pointer: string): readonly ModelTool[] {
  return Object.freeze(
    reader.array(value, pointer).map((entry, index) => {
      const place = `${pointer}/${index}`;
      const tool = reader.object(entry, place);
      const type = reader.string(memberOf(tool, 'type'), `${place}/type`);
      if (type === 'function') return decodeFunction(reader, tool, place);
      const name = textOf(tool, 'name') ?? textOf(tool, 'server_label') ?? type;
      return Object.freeze({ kind: 'foreign' as const, protocol: RESPONSES, name, value: freezeJson(tool) });
    }),
  );
}

/** One function tool, wherever it stands. */
export function decodeFunction(reader: WireReader, tool: JsonObject, pointer: string): FunctionTool {
  const parameters = reader.optional('object', memberOf(tool, 'parameters'), `${pointer}/parameters`);
  return compact<FunctionTool>({
    kind: 'function',
    name: reader.string(memberOf(tool, 'name'), `${pointer}/name`),
    description:
      reader.optional('string', memberOf(tool, 'description'), `${pointer}/description`) ?? undefined,
    parameters: parameters === undefined || parameters === null ? parameters : freezeJson(parameters),
    // Absent means here that the provider decides, and it prefers strict; elsewhere absent means not strict.
    strict: reader.optional('boolean', memberOf(tool, 'strict'), `${pointer}/strict`) ?? null,
    extensions: keepUnread(RESPONSES, tool, READ),
  });
}

const MODES = { auto: 'auto', none: 'none', required: 'any' } as const;

/** The `tool_choice` member; a choice of something that is no function stays foreign, so that it is never widened. */
export function decodeToolChoice(reader: WireReader, value: JsonValue, pointer: string): ToolChoice {
  if (typeof value === 'string') {
    if (value === 'auto' || value === 'none' || value === 'required')
      return Object.freeze({ mode: MODES[value] });
    return reader.fail(pointer, 'must be auto, none, required or an object');
  }
  const choice = reader.object(value, pointer);
  const name = memberOf(choice, 'type') === 'function' ? textOf(choice, 'name') : undefined;
  if (name !== undefined) return Object.freeze({ mode: 'named', name });
  return (
    decodeAllowed(choice) ??
    decodePlainChoice(choice) ??
    Object.freeze({ mode: 'foreign', protocol: RESPONSES, value: freezeJson(choice) })
  );
}

function decodeAllowed(choice: JsonObject): ToolChoice | undefined {
  const tools = memberOf(choice, 'tools');
  const mode = memberOf(choice, 'mode');
  if (memberOf(choice, 'type') !== 'allowed_tools' || !isJsonArray(tools)) return undefined;
  if (mode !== 'auto' && mode !== 'required') return undefined;
  const names: string[] = [];
  for (const tool of tools) {
    const name =
      isJsonObject(tool) && memberOf(tool, 'type') === 'function' ? textOf(tool, 'name') : undefined;
    if (name === undefined) return undefined;
    names.push(name);
  }
  return Object.freeze({ mode: MODES[mode], allowed: Object.freeze(names) });
}
