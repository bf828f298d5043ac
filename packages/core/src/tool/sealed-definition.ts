import { ignoreThrown } from '../internal/ignore-thrown.ts';
import { compileSchema } from '../schema/compile-schema.ts';
import type { PatternEngine, Schema, SchemaTrust } from '../schema/schema.ts';
import { ContractError } from './contract-error.ts';
import { takeAnnotations } from './definition-annotations.ts';
import { checkDefinitionText } from './definition-text.ts';
import { schemaFault } from './schema-fault.ts';
import type { ToolAnnotations, ToolDefinition } from './tool-definition.ts';
import { checkToolName } from './tool-name.ts';

/** UTF-8 bytes that a description may have. */
export const MAX_DESCRIPTION_BYTES = 32_768;
const MAX_TITLE_BYTES = 1_024;

/** How the schemas of a definition are compiled. */
export interface SealOptions {
  /** Who wrote the schemas. Default `own`. */
  readonly trust?: SchemaTrust;
  /** A linear engine for patterns of foreign schemas. */
  readonly patternEngine?: PatternEngine;
  /** Refuse what would only be noted in the intake report. Default `false`. */
  readonly strict?: boolean;
}

/** A definition that was read once: frozen, and the compiled schemas whose `json` it shows. */
export interface SealedDefinition {
  readonly definition: ToolDefinition;
  readonly input: Schema;
  readonly output: Schema | undefined;
  readonly options: SealOptions;
}

// A brand, not a cache: a definition in here was made below and cannot have changed, so that what `defineTool` sealed
// and a guard passes on keeps its identity and is not compiled again.
const sealed = new WeakMap<object, SealedDefinition>();

/**
 * Reads a definition once, checks it, compiles its schemas and freezes what was read.
 *
 * @throws {@link ContractError} `tool/definition-invalid`, `tool/name-invalid`, `tool/schema-invalid`
 */
export function sealDefinition(raw: unknown, options: SealOptions = {}): SealedDefinition {
  if (typeof raw !== 'object' || raw === null) {
    throw new ContractError('tool/definition-invalid', 'The definition of a tool has to be an object.');
  }
  // Of an async function, by a slip; it has no name.
  ignoreThrown(raw);
  const known = sealed.get(raw);
  if (known !== undefined && hasOptions(known.options, options)) return known;
  const fields = readFields(raw);
  const name = checkToolName(fields.name);
  const input = compile('inputSchema', fields.inputSchema, options);
  if (typeof input.json === 'boolean' || input.json['type'] !== 'object') {
    throw new ContractError(
      'tool/schema-invalid',
      `The inputSchema of "${name}" has to describe an object: set type to "object" at its root.`,
    );
  }
  const output =
    fields.outputSchema === undefined ? undefined : compile('outputSchema', fields.outputSchema, options);
  if (output !== undefined && typeof output.json === 'boolean') {
    throw new ContractError('tool/schema-invalid', `The outputSchema of "${name}" has to be an object.`);
  }
  const definition: ToolDefinition = Object.freeze({
    name,
    ...(fields.title === undefined
      ? {}
      : { title: checkDefinitionText('title', fields.title, MAX_TITLE_BYTES) }),
    description: checkDefinitionText('description', fields.description, MAX_DESCRIPTION_BYTES),
    inputSchema: input.json,
    ...(typeof output?.json === 'object' ? { outputSchema: output.json } : {}),
    ...(fields.annotations === undefined ? {} : { annotations: readAnnotations(fields.annotations) }),
  });
  const result = Object.freeze({ definition, input, output, options });
  if (known === undefined) sealed.set(definition, result);
  return result;
}

function readFields(raw: object): Record<keyof ToolDefinition, unknown> {
  const read = (field: keyof ToolDefinition): unknown => Reflect.get(raw, field);
  try {
    return {
      name: read('name'),
      title: read('title'),
      description: read('description'),
      inputSchema: read('inputSchema'),
      outputSchema: read('outputSchema'),
      annotations: read('annotations'),
    };
  } catch (cause) {
    throw new ContractError('tool/definition-invalid', 'Reading the definition of a tool failed.', { cause });
  }
}

function readAnnotations(raw: unknown): ToolAnnotations {
  try {
    return takeAnnotations(raw);
  } catch (cause) {
    if (ContractError.is(cause)) throw cause;
    throw new ContractError('tool/definition-invalid', 'Reading the annotations of a tool failed.', {
      cause,
    });
  }
}

function compile(field: string, schema: unknown, options: SealOptions): Schema {
  try {
    const { trust, patternEngine, strict } = options;
    return compileSchema(schema, {
      ...(trust === undefined ? {} : { trust }),
      ...(patternEngine === undefined ? {} : { patternEngine }),
      ...(strict === undefined ? {} : { strict }),
    });
  } catch (cause) {
    throw schemaFault(field, cause);
  }
}

/** Whether it was sealed as is asked for now. Who asks for nothing gets it as it is: foreign stays foreign. */
function hasOptions(known: SealOptions, asked: SealOptions): boolean {
  return (
    (asked.trust === undefined || (known.trust ?? 'own') === asked.trust) &&
    (asked.strict === undefined || (known.strict ?? false) === asked.strict) &&
    (asked.patternEngine === undefined || known.patternEngine === asked.patternEngine)
  );
}
