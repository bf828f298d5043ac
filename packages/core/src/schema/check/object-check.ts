import { isJsonObject } from '../../json/is-json-object.ts';
import { entriesMember, isJsonArray, numberMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { every } from './combine.ts';
import { membersCheck } from './members-check.ts';
import { has } from './required-check.ts';
import { type Check, type ObjectCheck, spend } from './run.ts';

/**
 * The keywords of a node about objects as one check, or undefined when there are none.
 *
 * @param others - The answer for values that are no objects.
 */
export function objectCheck(node: SchemaNode, builder: CheckBuilder, others: boolean): Check | undefined {
  const { json } = node;
  const members = membersCheck(node, builder, others);
  const more: ObjectCheck[] = [];
  const size = sizeCheck(
    numberMember(json, 'minProperties') ?? 0,
    numberMember(json, 'maxProperties') ?? Infinity,
  );
  if (size !== undefined) more.push(size);
  const dependencies = node.resource.dialect === 'draft-07' ? 'dependencies' : 'dependentRequired';
  for (const [name, needed] of entriesMember(json, dependencies)) {
    if (!isJsonArray(needed)) continue;
    const names = needed.filter((other) => typeof other === 'string');
    more.push((value, run) => {
      spend(run, 1);
      return !has(value, name) || names.every((other) => has(value, other));
    });
  }
  const extra = every(more);
  if (extra === undefined) return members;
  return every<Parameters<Check>[0], Parameters<Check>[1]>([
    (value, run) => (isJsonObject(value) ? extra(value, run) : others),
    ...(members === undefined ? [] : [members]),
  ]);
}

function sizeCheck(minimum: number, maximum: number): ObjectCheck | undefined {
  if (minimum === 0 && maximum === Infinity) return undefined;
  return (value, run) => {
    const { length } = Object.keys(value);
    spend(run, length >> 3);
    return length >= minimum && length <= maximum;
  };
}
