import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { FunctionTool, ModelTool, ResponseFormat, ToolChoice } from '../call/model-call.ts';
import type { Protocol } from '../call/protocol.ts';
import { ModelError } from '../model-error.ts';
import type { LossLog } from './loss-log.ts';

// What a request says in the same way on the two protocols of OpenAI, but for how deep a name stands.

/** The `tools` member. A tool that only another provider can run is left out with an `error` loss. */
export function encodeOpenaiTools(
  tools: readonly ModelTool[],
  protocol: Protocol,
  encodeTool: (tool: FunctionTool, path: string) => JsonObject,
  losses: LossLog,
): readonly JsonObject[] {
  return tools.flatMap((tool, index) => {
    const path = `/tools/${index}`;
    if (tool.kind === 'function') return [encodeTool(tool, path)];
    if (tool.protocol === protocol && isJsonObject(tool.value)) return [tool.value];
    losses.add('refused', path, 'error', 'a tool that only its own provider can run');
    return [];
  });
}

/** How a protocol points at tools by their names. */
export interface OpenaiChoiceForm<Named extends JsonObject, Allowed extends JsonObject> {
  readonly protocol: Protocol;
  readonly named: (name: string) => Named;
  readonly allowed: (mode: 'auto' | 'required', tools: readonly Named[]) => Allowed;
}

/**
 * The `tool_choice` member.
 *
 * @throws ModelError `model/not-encodable` for a choice of another protocol: leaving it out would widen it.
 */
export function encodeOpenaiChoice<Named extends JsonObject, Allowed extends JsonObject>(
  choice: ToolChoice,
  { protocol, named, allowed }: OpenaiChoiceForm<Named, Allowed>,
  losses: LossLog,
): 'auto' | 'none' | 'required' | Named | Allowed | JsonObject {
  if (choice.mode === 'foreign') return ownValue(choice, protocol, 'tool choice', '/toolChoice');
  if (choice.mode === 'named') return named(choice.name);
  const word = choice.mode === 'any' ? 'required' : choice.mode;
  if (choice.allowed === undefined) return word;
  if (word !== 'none') return allowed(word, choice.allowed.map(named));
  losses.add('dropped', '/toolChoice/allowed', 'info', 'none of no tools is none');
  return word;
}

/** A format with a schema, as both protocols name its parts. */
export type OpenaiSchemaFormat = {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonObject;
  readonly strict?: boolean | null;
};

/**
 * The form of the answer.
 *
 * @param toSchemaFormat - Where the parts of a format with a schema stand.
 * @throws ModelError `model/not-encodable` for a format of another protocol.
 */
export function encodeOpenaiFormat<SchemaFormat extends JsonObject>(
  format: ResponseFormat,
  protocol: Protocol,
  toSchemaFormat: (parts: OpenaiSchemaFormat) => SchemaFormat,
  losses: LossLog,
): { readonly type: 'text' } | { readonly type: 'json_object' } | SchemaFormat | JsonObject {
  switch (format.kind) {
    case 'text':
      return { type: 'text' };
    case 'json-object':
      return { type: 'json_object' };
    case 'foreign':
      return ownValue(format, protocol, 'response format', '/responseFormat');
    case 'json-schema': {
      const { name, description, schema, strict } = format;
      if (name === undefined) {
        const detail = 'the schema of an answer needs a name here';
        losses.add('synthesised', '/responseFormat/name', 'info', detail);
      }
      return toSchemaFormat({
        name: name ?? 'response',
        ...(description === undefined ? {} : { description }),
        schema,
        ...(strict === undefined ? {} : { strict }),
      });
    }
  }
}

function ownValue(
  { protocol, value }: { readonly protocol: Protocol; readonly value: JsonObject[string] },
  own: Protocol,
  what: string,
  pointer: string,
): JsonObject {
  if (protocol === own && isJsonObject(value)) return value;
  throw new ModelError('model/not-encodable', `The ${what} belongs to another protocol.`, { pointer });
}
