import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { spend } from '../check/run.ts';
import { anyType, typeOf, typesOf } from '../check/type-set.ts';
import { isScalar } from '../check/value-check.ts';
import { entriesMember, isJsonArray, member, namesMember } from '../member.ts';
import { targetAt } from '../reference/schema-index.ts';
import { schemaLayers } from '../reference/schema-layers.ts';
import type { SchemaNode, SchemaTarget } from '../reference/schema-node.ts';
import type { Explanation } from './explanation.ts';

// What can be told about a branch without trying it out. Looking costs steps, as trying out does.

/** The types that a branch may match, as bits. */
export function branchTypes(explanation: Explanation, target: SchemaTarget): number {
  if (typeof target === 'boolean') return target ? anyType : 0;
  let types = anyType;
  for (const { json } of layersOf(explanation, target)) {
    types &= typesOf(json);
    const values = valuesOf(json);
    if (values !== undefined) types &= values.reduce<number>((bits, value) => bits | typeOf(value), 0);
  }
  return types;
}

/** The values that a branch is limited to by `const` or `enum`. */
export function branchValues(
  explanation: Explanation,
  target: SchemaTarget,
): readonly JsonValue[] | undefined {
  for (const { json } of layersOf(explanation, target)) {
    const values = valuesOf(json);
    if (values !== undefined) return values;
  }
  return undefined;
}

/** The members of an object branch that are limited to certain scalars: the candidates for a tag. */
export function branchTags(
  explanation: Explanation,
  target: SchemaTarget,
): ReadonlyMap<string, readonly JsonValue[]> {
  const { builder } = explanation;
  const tags = new Map<string, readonly JsonValue[]>();
  for (const { json } of layersOf(explanation, target)) {
    for (const [name, below] of entriesMember(json, 'properties')) {
      const values = branchValues(explanation, targetAt(builder.index, below));
      if (values?.every(isScalar) === true) tags.set(name, values);
    }
  }
  return tags;
}

/** Whether a branch requires the member `name`. */
export function branchRequires(explanation: Explanation, target: SchemaTarget, name: string): boolean {
  return layersOf(explanation, target).some(({ json }) => namesMember(json, 'required').includes(name));
}

function layersOf(explanation: Explanation, target: SchemaTarget): readonly SchemaNode[] {
  const layers = schemaLayers(explanation.builder, target);
  spend(explanation.run, 1 + layers.length);
  return layers;
}

function valuesOf(json: JsonObject): readonly JsonValue[] | undefined {
  const options = member(json, 'enum');
  if (isJsonArray(options)) return options;
  const constant = member(json, 'const');
  return constant === undefined ? undefined : [constant];
}
