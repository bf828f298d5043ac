import type { JsonValue } from '../../json/json-value.ts';
import type { CheckBuilder } from '../check/check-builder.ts';
import { anyType, typeOf, typesOf } from '../check/type-set.ts';
import { isJsonArray, isJsonObject, member } from '../member.ts';
import { schemaLayers, targetOf } from '../reference/schema-layers.ts';
import type { SchemaNode, SchemaTarget } from '../reference/schema-node.ts';

/** The types that a branch may match, as bits. */
export function branchTypes(builder: CheckBuilder, target: SchemaTarget): number {
  if (typeof target === 'boolean') return target ? anyType : 0;
  let types = anyType;
  for (const { json } of schemaLayers(builder, target)) {
    types &= typesOf(json);
    const values = valuesOf(json);
    if (values !== undefined) types &= values.reduce<number>((bits, value) => bits | typeOf(value), 0);
  }
  return types;
}

/** The values that a branch is limited to by `const` or `enum`. */
export function branchValues(builder: CheckBuilder, target: SchemaTarget): readonly JsonValue[] | undefined {
  for (const { json } of schemaLayers(builder, target)) {
    const values = valuesOf(json);
    if (values !== undefined) return values;
  }
  return undefined;
}

/** The members of an object branch that are limited to certain scalars: the candidates for a tag. */
export function branchTags(
  builder: CheckBuilder,
  target: SchemaTarget,
): ReadonlyMap<string, readonly JsonValue[]> {
  const tags = new Map<string, readonly JsonValue[]>();
  for (const { json } of schemaLayers(builder, target)) {
    const properties = member(json, 'properties');
    if (!isJsonObject(properties)) continue;
    for (const [name, below] of Object.entries(properties)) {
      const values = branchValues(builder, targetOf(builder, below));
      const scalars = values?.every((value) => typeof value !== 'object' || value === null) ?? false;
      if (values !== undefined && scalars) tags.set(name, values);
    }
  }
  return tags;
}

function valuesOf(json: SchemaNode['json']): readonly JsonValue[] | undefined {
  const options = member(json, 'enum');
  if (isJsonArray(options)) return options;
  const constant = member(json, 'const');
  return constant === undefined ? undefined : [constant];
}
