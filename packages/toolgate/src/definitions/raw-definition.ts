import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';

/** The form in which a tool was found. `hosted`: a tool that the provider executes, which has no contract. */
export type DefinitionForm = 'mcp' | 'openai-chat' | 'openai-responses' | 'anthropic' | 'hosted' | 'unknown';

/** One entry of a list of tools, told apart but not judged. */
export interface RawDefinition {
  readonly form: DefinitionForm;
  /** As written; `undefined` where there is none, or where it is no string. */
  readonly name: string | undefined;
  /** The members of a `ToolDefinition`, as written; without meaning for `hosted` and `unknown`. */
  readonly definition: Readonly<Record<string, JsonValue | undefined>>;
}

/** OpenAI: "Omitting parameters defines a function with an empty parameter list" (API reference, tools). */
const NO_PARAMETERS: JsonObject = { type: 'object', properties: {} };

/** Tells the form of one entry and takes what a definition is made of out of it. Never throws. */
export function toRawDefinition(entry: JsonValue): RawDefinition {
  if (!isJsonObject(entry)) return { form: 'unknown', name: undefined, definition: {} };
  const type = member(entry, 'type');
  const nested = member(entry, 'function');
  if (isJsonObject(nested)) return raw('openai-chat', nested, member(nested, 'parameters') ?? NO_PARAMETERS);
  const mcpSchema = member(entry, 'inputSchema');
  if (mcpSchema !== undefined) return raw('mcp', entry, mcpSchema);
  const anthropicSchema = member(entry, 'input_schema');
  if (anthropicSchema !== undefined) return raw('anthropic', entry, anthropicSchema);
  const parameters = member(entry, 'parameters');
  if (type === 'function' || (type === undefined && parameters !== undefined)) {
    return raw('openai-responses', entry, parameters ?? NO_PARAMETERS);
  }
  if (typeof type === 'string')
    return { form: 'hosted', name: textOf(entry, 'name') ?? type, definition: {} };
  return { form: 'unknown', name: textOf(entry, 'name'), definition: {} };
}

function raw(form: DefinitionForm, entry: JsonObject, inputSchema: JsonValue): RawDefinition {
  return {
    form,
    name: textOf(entry, 'name'),
    definition: {
      name: member(entry, 'name'),
      // OpenAI writes null for what is absent.
      description: member(entry, 'description') ?? '',
      inputSchema,
      ...(form === 'mcp'
        ? {
            title: member(entry, 'title'),
            outputSchema: member(entry, 'outputSchema'),
            annotations: member(entry, 'annotations'),
          }
        : {}),
    },
  };
}

/** An own member; names of a prototype are none. */
export function member(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

function textOf(value: JsonObject, name: string): string | undefined {
  const text = member(value, name);
  return typeof text === 'string' ? text : undefined;
}
