import { member, numberMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { type ArrayCheck, spend } from './run.ts';

/** `contains` with its counts, or undefined without it. Draft-07 knows no counts. */
export function containsCheck(node: SchemaNode, builder: CheckBuilder): ArrayCheck | undefined {
  const contains = member(node.json, 'contains');
  if (contains === undefined) return undefined;
  const check = builder.below(contains, node);
  const { minimum, maximum } = containsCounts(node);
  return (value, run) => {
    spend(run, value.length);
    let found = 0;
    for (const item of value) {
      if (!check(item, run)) continue;
      found += 1;
      if (found > maximum) return false;
      if (found >= minimum && maximum === Infinity) return true;
    }
    return found >= minimum;
  };
}

/** How many items may and must match `contains`. */
export function containsCounts(node: SchemaNode): { readonly minimum: number; readonly maximum: number } {
  const counted = node.resource.dialect !== 'draft-07';
  return {
    minimum: (counted ? numberMember(node.json, 'minContains') : undefined) ?? 1,
    maximum: (counted ? numberMember(node.json, 'maxContains') : undefined) ?? Infinity,
  };
}
