import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { FunctionTool, ModelCall, ModelTool, ToolChoice } from '../call/model-call.ts';
import { takeExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { memberOf } from '../codec/wire-reader.ts';
import { ModelError } from '../model-error.ts';
import { jsonKey } from '../projection/json-key.ts';
import { projectSchema } from '../projection/project-schema.ts';
import { fromClassicSchema } from './classic-schema.ts';
import { VALIDATED } from './decode-tools.ts';
import { GEMINI } from './gemini-protocol.ts';
import type { GeminiDeclaration, GeminiMode } from './gemini-wire.ts';

/** In which member a schema is sent. */
export type GeminiSchemaMember = 'parametersJsonSchema' | 'parameters';

/** The `tools` member: one entry with all functions, and one for each tool that only this provider can run. */
export function encodeTools(
  tools: readonly ModelTool[],
  member: GeminiSchemaMember,
  losses: LossLog,
): readonly JsonObject[] {
  const functionDeclarations: JsonObject[] = [];
  const others: JsonObject[] = [];
  tools.forEach((tool, index) => {
    const path = `/tools/${index}`;
    if (tool.kind === 'function') {
      if (others.length > 0) losses.add('relocated', path, 'info', 'all functions stand together here');
      functionDeclarations.push(encodeFunction(tool, member, path, losses));
    } else if (tool.protocol === GEMINI && isJsonObject(tool.value)) others.push(tool.value);
    else losses.add('refused', path, 'error', 'a tool that only its own provider can run');
  });
  return [...(functionDeclarations.length === 0 ? [] : [{ functionDeclarations }]), ...others];
}

function encodeFunction(
  tool: FunctionTool,
  member: GeminiSchemaMember,
  path: string,
  losses: LossLog,
): JsonObject {
  const { name, description, parameters, strict } = tool;
  const { parameters: classic, ...members } = takeExtensions(GEMINI, tool.extensions, path, losses);
  if (strict !== undefined) {
    const severity = strict === true ? 'warning' : 'info';
    losses.add('dropped', `${path}/strict`, severity, 'strictness is a mode of the choice here');
  }
  if (parameters === null)
    losses.add('approximated', `${path}/parameters`, 'info', 'null and absent are the same here');
  const declaration: GeminiDeclaration = {
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters ? encodeSchema(parameters, classic, member, path, losses) : {}),
  };
  return { ...members, ...declaration };
}

/** The schema: as the client gave it in the classic form, while it still means the same; else in the member asked for. */
function encodeSchema(
  parameters: JsonObject,
  kept: unknown,
  member: GeminiSchemaMember,
  path: string,
  losses: LossLog,
): Pick<GeminiDeclaration, GeminiSchemaMember> {
  const classic = typeof kept === 'object' && kept !== null ? (kept as JsonObject) : undefined;
  if (classic !== undefined && jsonKey(fromClassicSchema(classic)) === jsonKey(parameters))
    return { parameters: classic };
  if (member === 'parametersJsonSchema') return { parametersJsonSchema: parameters };
  const projection = projectSchema(parameters, 'gemini');
  for (const loss of projection.losses) {
    losses.add(loss.code, `${path}/parameters${loss.path}`, loss.severity, loss.detail);
  }
  losses.add('approximated', `${path}/parameters`, 'info', 'the schema is written in its classic form');
  const members = projection.schema['properties'];
  // A function without parameters leaves the member out; an object without members would be refused.
  return isJsonObject(members) ? { parameters: projection.schema } : {};
}

/**
 * The `toolConfig` member; `kept` is what of it has no neutral form.
 *
 * @throws ModelError `model/not-encodable` for a choice of another protocol or of a tool that is not offered.
 */
export function encodeToolConfig(call: ModelCall, kept: JsonObject, losses: LossLog): JsonObject | undefined {
  const { toolChoice, parallelToolCalls } = call;
  if (parallelToolCalls === false) {
    losses.add(
      'dropped',
      '/parallelToolCalls',
      'warning',
      'several calls at once cannot be switched off here',
    );
  } else if (parallelToolCalls === true) {
    losses.add('dropped', '/parallelToolCalls', 'info', 'several calls at once are the default here');
  }
  const inner = memberOf(kept, 'functionCallingConfig');
  const calling = toolChoice ? encodeChoice(toolChoice, call, losses) : undefined;
  const strict = isJsonObject(inner) && inner['mode'] === VALIDATED && calling?.['mode'] === 'AUTO';
  const members = {
    ...(isJsonObject(inner) ? inner : {}),
    ...calling,
    ...(strict ? { mode: VALIDATED } : {}),
  };
  const config = Object.keys(members).length === 0 ? kept : { ...kept, functionCallingConfig: members };
  return Object.keys(config).length === 0 ? undefined : config;
}

function encodeChoice(choice: ToolChoice, { tools }: ModelCall, losses: LossLog): JsonObject {
  switch (choice.mode) {
    case 'foreign':
      if (choice.protocol === GEMINI && isJsonObject(choice.value)) return choice.value;
      throw notEncodable('The tool choice belongs to another protocol.');
    case 'named':
      if (tools?.some(({ name }) => name === choice.name) !== true) {
        throw notEncodable('The tool choice names a tool that is not offered.');
      }
      return calling('ANY', [choice.name]);
    case 'none':
      if (choice.allowed !== undefined)
        losses.add('dropped', '/toolChoice/allowed', 'info', 'none of some tools is none');
      return calling('NONE');
    case 'any':
      if (choice.allowed?.length === 1) {
        losses.add('approximated', '/toolChoice', 'info', 'a choice among one tool names that tool here');
      }
      if (choice.allowed?.length === 0) throw notEncodable('The tool choice allows no tool and demands one.');
      return calling('ANY', choice.allowed);
    case 'auto':
      if (choice.allowed === undefined) return calling('AUTO');
      if (choice.allowed.length === 0) {
        losses.add('approximated', '/toolChoice', 'info', 'a choice among no tools is none');
        return calling('NONE');
      }
      losses.add(
        'approximated',
        '/toolChoice/allowed',
        'info',
        'some tools may be called in the strict mode only here',
      );
      return calling(VALIDATED, choice.allowed);
  }
}

function calling(mode: GeminiMode, allowed?: readonly string[]): JsonObject {
  return { mode, ...(allowed === undefined ? {} : { allowedFunctionNames: allowed }) };
}

function notEncodable(message: string): ModelError {
  return new ModelError('model/not-encodable', message, { pointer: '/toolChoice' });
}
