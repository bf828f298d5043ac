import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ModelTool, ToolChoice } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { keepUnreadNested } from '../codec/extensions.ts';
import { decodePlainChoice } from '../codec/plain-choice.ts';
import { isJsonArray, memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import { CHAT } from './chat-protocol.ts';

const READ_TOOL = new Set(['type', 'function']);
const READ_FUNCTION = new Set(['name', 'description', 'parameters', 'strict']);

/** The `tools` member. What is no function is foreign: a custom tool has no neutral form. */
export function decodeTools(reader: WireReader, value: JsonValue, pointer: string): readonly ModelTool[] {
  return Object.freeze(
    reader.array(value, pointer).map((tool, index) => decodeTool(reader, tool, `${pointer}/${index}`)),
  );
}

function decodeTool(reader: WireReader, value: JsonValue, pointer: string): ModelTool {
  const tool = reader.object(value, pointer);
  const type = reader.string(memberOf(tool, 'type'), `${pointer}/type`);
  if (type === 'function')
    return decodeFunction(reader, tool, memberOf(tool, 'function'), `${pointer}/function`);
  const inner = memberOf(tool, type);
  const name = (isJsonObject(inner) ? textOf(inner, 'name') : undefined) ?? textOf(tool, 'name') ?? type;
  return Object.freeze({ kind: 'foreign', protocol: CHAT, name, value: freezeJson(tool) });
}

/** One function; `around` is the object that holds it. */
export function decodeFunction(
  reader: WireReader,
  around: JsonObject,
  value: JsonValue | undefined,
  pointer: string,
): ModelTool {
  const declared = reader.object(value, pointer);
  const parameters = reader.optional('object', memberOf(declared, 'parameters'), `${pointer}/parameters`);
  return compact<ModelTool & { readonly kind: 'function' }>({
    kind: 'function',
    name: reader.string(memberOf(declared, 'name'), `${pointer}/name`),
    description:
      reader.optional('string', memberOf(declared, 'description'), `${pointer}/description`) ?? undefined,
    parameters: parameters === undefined || parameters === null ? parameters : freezeJson(parameters),
    strict: reader.optional('boolean', memberOf(declared, 'strict'), `${pointer}/strict`),
    extensions: keepUnreadNested(CHAT, around === declared ? {} : around, READ_TOOL, {
      name: 'function',
      object: declared,
      read: READ_FUNCTION,
    }),
  });
}

const MODES = { auto: 'auto', none: 'none', required: 'any', any: 'any' } as const;

/** The `tool_choice` member; a choice of something that is no function stays foreign, so that it is never widened. */
export function decodeToolChoice(reader: WireReader, value: JsonValue, pointer: string): ToolChoice {
  if (typeof value === 'string') {
    // `any` is the word of Mistral, which knows it beside the other one.
    if (value === 'auto' || value === 'none' || value === 'required' || value === 'any')
      return Object.freeze({ mode: MODES[value] });
    return reader.fail(pointer, 'must be auto, none, required or an object');
  }
  const choice = reader.object(value, pointer);
  const named = memberOf(choice, 'function');
  if (memberOf(choice, 'type') === 'function' && isJsonObject(named)) {
    return Object.freeze({
      mode: 'named',
      name: reader.string(memberOf(named, 'name'), `${pointer}/function/name`),
    });
  }
  return (
    decodeAllowed(choice) ??
    decodePlainChoice(choice) ??
    Object.freeze({ mode: 'foreign', protocol: CHAT, value: freezeJson(choice) })
  );
}

function decodeAllowed(choice: JsonObject): ToolChoice | undefined {
  const allowed = memberOf(choice, 'allowed_tools');
  if (memberOf(choice, 'type') !== 'allowed_tools' || !isJsonObject(allowed)) return undefined;
  const tools = memberOf(allowed, 'tools');
  const mode = memberOf(allowed, 'mode');
  if (!isJsonArray(tools) || (mode !== 'auto' && mode !== 'required')) return undefined;
  const names: string[] = [];
  for (const tool of tools) {
    const named =
      isJsonObject(tool) && memberOf(tool, 'type') === 'function' ? memberOf(tool, 'function') : undefined;
    const name = isJsonObject(named) ? textOf(named, 'name') : undefined;
    if (name === undefined) return undefined;
    names.push(name);
  }
  return Object.freeze({ mode: MODES[mode], allowed: Object.freeze(names) });
}
