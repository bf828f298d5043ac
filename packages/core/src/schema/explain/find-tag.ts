import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import type { SchemaTarget } from '../reference/schema-node.ts';
import { branchRequires, branchTags } from './branch-facts.ts';
import type { Explanation } from './explanation.ts';

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
  explanation: Explanation,
  branches: readonly SchemaTarget[],
  value: JsonObject,
): Tag | undefined {
  const all = branches.map((branch) => ({ branch, tags: branchTags(explanation, branch) }));
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
    // An absent member is to blame only where every branch asks for it.
    const blames =
      sent !== undefined || branches.every((branch) => branchRequires(explanation, branch, name));
    if (meant.length === 0 && blames) found ??= tag;
  }
  return found;
}
