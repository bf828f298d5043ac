import {
  type Contract,
  defineContract,
  type JsonObject,
  type JsonValue,
  type PatternEngine,
  type ToolDefinition,
} from '@toolgate/core';
import type { LockedDefinition } from '../lock/lock-file.ts';
import { isEmptyList, isObject } from '../value-shape.ts';
import { withoutEmptyLists } from './empty-lists.ts';
import { linearPatterns } from './linear-patterns.ts';

/** How every foreign definition is compiled; also what `bind` is told, so that it is compiled once. */
export const FOREIGN: { readonly trust: 'foreign'; readonly patternEngine: PatternEngine } = Object.freeze({
  trust: 'foreign',
  patternEngine: linearPatterns,
});

/** A definition that was taken in. */
export interface TakenDefinition {
  /** Compiled and frozen, under the name that it is offered by. */
  readonly contract: Contract;
  /** Whether the input schema said nothing about its root, or more than an object, and was read as one. */
  readonly rootMended: boolean;
}

/** How a definition is taken in. */
export interface TakeOptions {
  /** Whether the contract checks results. Without, the output schema is not part of it. */
  readonly withOutput: boolean;
  /** Whether an input schema that leaves open what else may come is closed. */
  readonly close: boolean;
}

/**
 * Compiles the definition of a server as one of ours. Annotations that are none are left out; everything else that
 * cannot be taken is refused, at the cost of this tool alone.
 *
 * @throws {@link ContractError} `tool/definition-invalid`, `tool/schema-invalid`
 */
export function takeDefinition(
  raw: LockedDefinition,
  name: string,
  { withOutput, close }: TakeOptions,
): TakenDefinition {
  const { description } = raw;
  const inputSchema = withoutEmptyLists(raw['inputSchema']);
  // Some servers write null for what they do not say.
  const title = raw['title'] ?? undefined;
  const outputSchema = outputSchemaOf(raw);
  const rootMended = lacksType(inputSchema);
  const annotations = knownHints(raw['annotations']);
  const definition = {
    name,
    ...(title === undefined ? {} : { title }),
    description: description ?? '',
    inputSchema: rootMended ? { ...(inputSchema as JsonObject), type: 'object' } : inputSchema,
    ...(outputSchema === undefined || !withOutput ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  const contract = defineContract(definition as unknown as ToolDefinition, FOREIGN);
  if (!close || contract.intake.open !== true) return { contract, rootMended };
  const closed = { ...contract.definition, inputSchema: closedRoot(contract.definition.inputSchema) };
  return { contract: defineContract(closed, FOREIGN), rootMended };
}

/** The output schema of a definition; `undefined` also where a server wrote `null` or an empty list for none. */
export function outputSchemaOf(raw: LockedDefinition): JsonValue | undefined {
  const schema = raw['outputSchema'] ?? undefined;
  return isEmptyList(schema) ? undefined : withoutEmptyLists(schema);
}

function closedRoot(schema: JsonObject): JsonObject {
  return { ...schema, additionalProperties: false };
}

/** Arguments are always an object, so that saying it changes no verdict. */
function lacksType(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false;
  const type = Object.hasOwn(schema, 'type') ? (schema['type'] ?? undefined) : undefined;
  return type === undefined || (Array.isArray(type) && type.includes('object'));
}

const HINTS: readonly string[] = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];

function knownHints(annotations: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(annotations)) return undefined;
  const known: Record<string, JsonValue> = {};
  for (const hint of HINTS) {
    const value = Object.hasOwn(annotations, hint) ? annotations[hint] : undefined;
    if (typeof value === 'boolean') known[hint] = value;
  }
  const title = Object.hasOwn(annotations, 'title') ? annotations['title'] : undefined;
  if (typeof title === 'string') known['title'] = title;
  return Object.keys(known).length === 0 ? undefined : known;
}
