import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { CheckBuilder } from '../check/check-builder.ts';
import type { SchemaTarget } from '../reference/schema-node.ts';
import { branchTags } from './branch-facts.ts';

/** A member whose value decides which branch of a union is meant. */
export interface Tag {
  readonly name: string;
  /** All values that some branch has. */
  readonly values: readonly JsonValue[];
  /** The branches that have the value that was sent; empty when it is absent or nobody has it. */
  readonly branches: readonly SchemaTarget[];
}

/**
 * Finds the member that every branch limits to its own values, as in `{ "kind": { "const": "circle" }, … }`. Where
 * there are several, the one that the value fits.
 */
export function findTag(
  builder: CheckBuilder,
  branches: readonly SchemaTarget[],
  value: JsonObject,
): Tag | undefined {
  const all = branches.map((branch) => ({ branch, tags: branchTags(builder, branch) }));
  const [first] = all;
  if (first === undefined || all.length < 2) return undefined;
  let found: Tag | undefined;
  for (const name of first.tags.keys()) {
    if (!all.every(({ tags }) => tags.has(name))) continue;
    const values = [...new Set(all.flatMap(({ tags }) => tags.get(name) ?? []))];
    // One value for all of them decides nothing.
    if (values.length < 2) continue;
    const sent = Object.hasOwn(value, name) ? value[name] : undefined;
    const meant = all.filter(({ tags }) => sent !== undefined && tags.get(name)?.includes(sent) === true);
    const tag: Tag = { name, values, branches: meant.map(({ branch }) => branch) };
    if (meant.length > 0 && meant.length < all.length) return tag;
    if (meant.length === 0) found ??= tag;
  }
  return found;
}
