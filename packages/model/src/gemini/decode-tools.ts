import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { FunctionTool, ModelTool, ToolChoice } from '../call/model-call.ts';
import { compact } from '../codec/compact.ts';
import { toExtensions } from '../codec/extensions.ts';
import { memberOf, textOf, unreadMembers, type WireReader } from '../codec/wire-reader.ts';
import { fromClassicSchema } from './classic-schema.ts';
import { GEMINI } from './gemini-protocol.ts';

const READ_DECLARATION = new Set(['name', 'description', 'parameters', 'parametersJsonSchema']);

/** The `tools` member: all functions, and everything else as tools that only this provider can run. */
export function decodeTools(reader: WireReader, value: JsonValue): readonly ModelTool[] {
  return Object.freeze(
    reader.array(value, '/tools').flatMap((entry, index) => {
      const pointer = `/tools/${index}`;
      const tool = reader.object(entry, pointer);
      return Object.entries(tool).flatMap(([name, member]): readonly ModelTool[] => {
        if (name !== 'functionDeclarations') {
          const only = freezeJson({ [name]: member });
          return [Object.freeze({ kind: 'foreign', protocol: GEMINI, name, value: only })];
        }
        const place = `${pointer}/functionDeclarations`;
        return reader
          .array(member, place)
          .map((each, at) => decodeFunction(reader, reader.object(each, `${place}/${at}`), `${place}/${at}`));
      });
    }),
  );
}

function decodeFunction(reader: WireReader, declared: JsonObject, pointer: string): FunctionTool {
  const schema = reader.optional(
    'object',
    memberOf(declared, 'parametersJsonSchema'),
    `${pointer}/parametersJsonSchema`,
  );
  const classic = reader.optional('object', memberOf(declared, 'parameters'), `${pointer}/parameters`);
  const rest = unreadMembers(declared, READ_DECLARATION);
  const kept: JsonObject | undefined = classic && !schema ? { ...rest, parameters: classic } : rest;
  return compact<FunctionTool>({
    kind: 'function',
    name: reader.string(memberOf(declared, 'name'), `${pointer}/name`),
    description:
      reader.optional('string', memberOf(declared, 'description'), `${pointer}/description`) ?? undefined,
    parameters: schema ? freezeJson(schema) : classic ? freezeJson(fromClassicSchema(classic)) : undefined,
    extensions: kept && toExtensions(GEMINI, kept),
  });
}

/** The mode in which the model may call, and then only as the schemas say. */
export const VALIDATED = 'VALIDATED';

/** What a `toolConfig` says, and what of it has no neutral form. */
export interface DecodedToolConfig {
  readonly toolChoice?: ToolChoice;
  readonly rest?: JsonObject;
}

const READ_CONFIG = new Set(['functionCallingConfig']);
const READ_CALLING = new Set(['mode', 'allowedFunctionNames']);

/** The `toolConfig` member. */
export function decodeToolConfig(reader: WireReader, config: JsonObject): DecodedToolConfig {
  const calling = memberOf(config, 'functionCallingConfig');
  const outer = unreadMembers(config, READ_CONFIG);
  if (!isJsonObject(calling)) return outer === undefined ? {} : { rest: outer };
  if (saysNoMode(calling)) return { rest: { ...outer, functionCallingConfig: freezeJson(calling) } };
  const toolChoice = decodeChoice(reader, calling);
  // The neutral choice is the same as for AUTO; the stricter mode is kept beside it for this protocol.
  const strict =
    toolChoice.mode === 'auto' && toolChoice.allowed === undefined && calling['mode'] === VALIDATED;
  const inner = { ...unreadMembers(calling, READ_CALLING), ...(strict ? { mode: VALIDATED } : {}) };
  const rest = Object.keys(inner).length === 0 ? outer : { ...outer, functionCallingConfig: inner };
  return { toolChoice, ...(rest === undefined ? {} : { rest }) };
}

/** Without a mode, and with the one that stands for none, the provider decides; names without a mode are no choice of ours. */
function saysNoMode(calling: JsonObject): boolean {
  const { mode, ...rest } = calling;
  const isNone = mode === undefined || mode === null || mode === 'MODE_UNSPECIFIED';
  return isNone && Object.keys(rest).length === 0;
}

function decodeChoice(reader: WireReader, calling: JsonObject): ToolChoice {
  const place = '/toolConfig/functionCallingConfig';
  const mode = textOf(calling, 'mode');
  const listed = reader.optional(
    'array',
    memberOf(calling, 'allowedFunctionNames'),
    `${place}/allowedFunctionNames`,
  );
  const names = (listed ?? []).map((name, index) =>
    reader.string(name, `${place}/allowedFunctionNames/${index}`),
  );
  const allowed = names.length === 0 ? {} : { allowed: Object.freeze(names) };
  const [only] = names;
  if (mode === 'ANY' && only !== undefined && names.length === 1)
    return Object.freeze({ mode: 'named', name: only });
  if (mode === 'ANY') return Object.freeze({ mode: 'any', ...allowed });
  if (mode === 'NONE') return Object.freeze({ mode: 'none', ...allowed });
  if (mode === 'AUTO' || mode === VALIDATED) return Object.freeze({ mode: 'auto', ...allowed });
  return Object.freeze({ mode: 'foreign', protocol: GEMINI, value: freezeJson(calling) });
}
