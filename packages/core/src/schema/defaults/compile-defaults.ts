import { cloneJson } from '../../json/clone-json.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { CheckBuilder } from '../check/check-builder.ts';
import { countParts, exhaustionOf, openRun, type Run } from '../check/run.ts';
import { entriesMember, member } from '../member.ts';
import { targetAt } from '../reference/schema-index.ts';
import { schemaLayers } from '../reference/schema-layers.ts';
import { pointerOf, type SchemaNode, type SchemaTarget } from '../reference/schema-node.ts';
import type { IntakeNote } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';
import { createFillers, type FreshDefault } from './create-fillers.ts';
import { claim, type Filler, openFilling } from './filler.ts';

/** The defaults of a schema, all of them checked. */
export interface Defaults {
  /** Fills a value; undefined when no `default` can be reached. */
  readonly filler: Filler | undefined;
  /** One note for each default that is not applied, because it does not match its own schema. */
  readonly notes: readonly IntakeNote[];
}

/** Defaults of a schema that has none. */
export const noDefaults: Defaults = Object.freeze({ filler: undefined, notes: [] });

/** One attempt to complete and check every default of a schema. */
interface Completion {
  readonly builder: CheckBuilder;
  readonly fillerOf: (target: SchemaTarget) => Filler | undefined;
  /** Refuse an unusable default instead of leaving it out. */
  readonly refuse: boolean;
  /** One account for all defaults together. */
  readonly run: Run;
  readonly values: Map<SchemaNode, JsonValue | undefined>;
  readonly open: Set<SchemaNode>;
  readonly unusable: Set<string>;
}

/**
 * Checks every `default` against its own schema and prepares the filling. A default is completed first: where it is
 * an object, the defaults of its own members are filled in. A member without a `default` of its own has that of the
 * schema its `$ref` or `allOf` leads to.
 *
 * @throws {@link SchemaError} `schema/default-invalid`, where `refuse` says so.
 */
export function compileDefaults(builder: CheckBuilder, root: SchemaTarget, refuse: boolean): Defaults {
  const freshDefault: FreshDefault = (target) => {
    if (typeof target === 'boolean' || writtenDefault(builder, target) === undefined) return undefined;
    // Looked up until it is there: a default may be asked for while it is being completed.
    let value: JsonValue | undefined;
    let parts: number | undefined;
    return (filling) => {
      value ??= complete(completion, target);
      if (value === undefined) return undefined;
      parts ??= countParts(value);
      claim(filling, parts);
      return cloneJson(value);
    };
  };
  const completion: Completion = {
    builder,
    fillerOf: createFillers(builder, freshDefault),
    refuse,
    run: openRun(null, builder.stepsPerPart),
    values: new Map(),
    open: new Set(),
    unusable: new Set(),
  };
  const filler = completion.fillerOf(root);
  for (const node of builder.index.filling) complete(completion, node);
  for (const node of builder.index.nodes.values()) {
    for (const [, property] of entriesMember(node.json, 'properties')) {
      const target = targetAt(builder.index, property);
      if (typeof target !== 'boolean') complete(completion, target);
    }
  }
  return { filler, notes: [...completion.unusable].map(noteFor) };
}

function noteFor(pointer: string): IntakeNote {
  return { kind: 'normalised', pointer, detail: 'default does not match its own schema and is not applied' };
}

/** The default of a node as written: its own, or that of what it leads to. */
function writtenDefault(builder: CheckBuilder, node: SchemaNode): JsonValue | undefined {
  for (const { json } of schemaLayers(builder, node)) {
    const value = member(json, 'default');
    if (value !== undefined) return value;
  }
  return undefined;
}

function complete(completion: Completion, node: SchemaNode): JsonValue | undefined {
  const { builder, values, open, run } = completion;
  if (values.has(node)) return values.get(node);
  const written = writtenDefault(builder, node);
  if (written === undefined) return undefined;
  if (open.has(node)) return giveUp(completion, node, 'The default leads back to itself');
  open.add(node);
  const value = cloneJson(written);
  const usable = holds(() => {
    completion.fillerOf(node)?.(value, '', openFilling(run));
    return builder.check(node, undefined)(value, run);
  });
  open.delete(node);
  const result = usable ? value : giveUp(completion, node, 'The default does not match its own schema');
  values.set(node, result);
  return result;
}

function giveUp({ refuse, unusable }: Completion, node: SchemaNode, message: string): undefined {
  const pointer = pointerOf(node);
  const at = Object.hasOwn(node.json, 'default') ? appendPointer(pointer, 'default') : pointer;
  if (refuse) throw new SchemaError('schema/default-invalid', message, { pointer: at });
  unusable.add(at);
  return undefined;
}

/** A default that is too costly to check does not hold. */
function holds(test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    if (exhaustionOf(error) === undefined) throw error;
    return false;
  }
}
