import { entriesMember, isJsonArray, numberMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { every } from './combine.ts';
import { membersCheck } from './members-check.ts';
import { has } from './required-check.ts';
import { type ObjectCheck, spend } from './run.ts';

/** The keywords of a node about objects as one check, or undefined when there are none. */
export function objectCheck(node: SchemaNode, builder: CheckBuilder): ObjectCheck | undefined {
  const { json } = node;
  const checks: ObjectCheck[] = [];
  const members = membersCheck(node, builder);
  if (members !== undefined) checks.push(members);
  const size = sizeCheck(
    numberMember(json, 'minProperties') ?? 0,
    numberMember(json, 'maxProperties') ?? Infinity,
  );
  if (size !== undefined) checks.push(size);
  const dependencies = node.resource.dialect === 'draft-07' ? 'dependencies' : 'dependentRequired';
  for (const [name, needed] of entriesMember(json, dependencies)) {
    if (!isJsonArray(needed)) continue;
    const others = needed.filter((other) => typeof other === 'string');
    checks.push((value, run) => {
      spend(run, 1);
      return !has(value, name) || others.every((other) => has(value, other));
    });
  }
  return every(checks);
}

function sizeCheck(minimum: number, maximum: number): ObjectCheck | undefined {
  if (minimum === 0 && maximum === Infinity) return undefined;
  return (value, run) => {
    const { length } = Object.keys(value);
    spend(run, length >> 3);
    return length >= minimum && length <= maximum;
  };
}
