import type { SchemaNode } from '../reference/schema-node.ts';
import { arrayCheck } from './array-check.ts';
import type { CheckBuilder } from './check-builder.ts';
import { numberCheck } from './number-check.ts';
import { objectCheck } from './object-check.ts';
import type { Check } from './run.ts';
import { stringCheck } from './string-check.ts';
import { typeCheck } from './type-check.ts';
import { numberTypes, typeBit, typesOf } from './type-set.ts';
import { admittedValues, valueCheck } from './value-check.ts';

/**
 * What a node's own keywords ask for, without those that apply other subschemas to the same value. A schema of a
 * single type, which nearly every one is, gets one closure that looks at the type and at everything else.
 */
export function assertionChecks(node: SchemaNode, builder: CheckBuilder): readonly Check[] {
  const types = typesOf(node.json);
  const values = admittedValues(node.json);
  // Listed values have their types already.
  if (values !== undefined) return [valueCheck(values), ...partChecks(node, builder, types)];
  const whole = wholeCheck(node, builder, types);
  if (whole !== undefined) return [whole];
  const type = typeCheck(types);
  return [...(type === undefined ? [] : [type]), ...partChecks(node, builder, types)];
}

/** The keywords about each admitted type; each passes values of the other types. */
function partChecks(node: SchemaNode, builder: CheckBuilder, types: number): readonly Check[] {
  const admits = (bits: number): boolean => (types & bits) !== 0;
  const checks = [
    admits(numberTypes) ? numberCheck(node.json, true) : undefined,
    admits(typeBit.string) ? stringCheck(node.json, builder, true) : undefined,
    admits(typeBit.array) ? arrayCheck(node, builder, true) : undefined,
    admits(typeBit.object) ? objectCheck(node, builder, true) : undefined,
  ];
  return checks.filter((check) => check !== undefined);
}

/** The check of a single type, where it needs no other beside it. */
function wholeCheck(node: SchemaNode, builder: CheckBuilder, types: number): Check | undefined {
  if (types === typeBit.object) return objectCheck(node, builder, false);
  if (types === typeBit.array) return arrayCheck(node, builder, false);
  if (types === typeBit.string) return stringCheck(node.json, builder, false);
  if (types === numberTypes) return numberCheck(node.json, false);
  return undefined;
}
