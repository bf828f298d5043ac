import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonArray, JsonObject } from '../../json/json-value.ts';
import { entriesMember, isJsonArray, member } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import { prefixOf, restOf } from './array-check.ts';
import type { CheckBuilder } from './check-builder.ts';
import type { Mark, Marks } from './marks.ts';
import { type Check, type Run, spend } from './run.ts';

/** What a node's own keywords look at, and its `unevaluated…` keywords, which come after everything else. */
export function ownMarks(node: SchemaNode, builder: CheckBuilder): Mark {
  const looked = lookedAt(node, builder);
  const { json, resource } = node;
  const check = (keyword: string): Check | undefined => {
    const below = resource.dialect === '2020-12' ? member(json, keyword) : undefined;
    return below === undefined ? undefined : builder.below(below, node);
  };
  const items = check('unevaluatedItems');
  const members = check('unevaluatedProperties');
  return (value, run, marks) => {
    looked(value, run, marks);
    if (isJsonArray(value)) return items === undefined || unlookedItems(value, run, marks, items);
    return members === undefined || !isJsonObject(value) || unlookedMembers(value, run, marks, members);
  };
}

/** What a node's own keywords look at: `properties`, `items` and their kin. Answers true for every value. */
export function lookedAt(node: SchemaNode, builder: CheckBuilder): Mark {
  const items = itemMarks(node, builder);
  const members = memberMarks(node, builder);
  return (value, run, marks) => {
    if (isJsonArray(value)) items(value, run, marks);
    else if (isJsonObject(value)) members(value, run, marks);
    return true;
  };
}

function unlookedItems(value: JsonArray, run: Run, marks: Marks, check: Check): boolean {
  spend(run, value.length);
  for (let index = marks.upTo; index < value.length; index += 1) {
    const item = value[index];
    if (item === undefined || (!marks.indexes.has(index) && !check(item, run))) return false;
  }
  marks.upTo = value.length;
  return true;
}

function unlookedMembers(value: JsonObject, run: Run, marks: Marks, check: Check): boolean {
  for (const name of Object.keys(value)) {
    spend(run, 1);
    const item = value[name];
    if (item === undefined || marks.names.has(name)) continue;
    if (!check(item, run)) return false;
    marks.names.add(name);
  }
  return true;
}

function itemMarks(
  node: SchemaNode,
  builder: CheckBuilder,
): (value: JsonArray, run: Run, marks: Marks) => void {
  const { json, resource } = node;
  const prefix = prefixOf(json, resource.dialect).length;
  const all = restOf(json, resource.dialect) !== undefined;
  const below = resource.dialect === '2020-12' ? member(json, 'contains') : undefined;
  const contains = below === undefined ? undefined : builder.below(below, node);
  return (value, run, marks) => {
    marks.upTo = Math.max(marks.upTo, all ? value.length : Math.min(prefix, value.length));
    if (contains === undefined) return;
    spend(run, value.length);
    for (const [index, item] of value.entries()) if (contains(item, run)) marks.indexes.add(index);
  };
}

function memberMarks(
  node: SchemaNode,
  builder: CheckBuilder,
): (value: JsonObject, run: Run, marks: Marks) => void {
  const { json } = node;
  const declared = new Set(entriesMember(json, 'properties').map(([name]) => name));
  const patterns = entriesMember(json, 'patternProperties').flatMap(
    ([source]) => builder.patterns.get(source) ?? [],
  );
  const all = member(json, 'additionalProperties') !== undefined;
  const price = 1 + 4 * patterns.length;
  return (value, run, marks) => {
    for (const name of Object.keys(value)) {
      spend(run, price);
      if (all || declared.has(name) || patterns.some((pattern) => pattern.test(name))) marks.names.add(name);
    }
  };
}
