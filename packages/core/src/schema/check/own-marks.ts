import type { JsonArray, JsonObject, JsonValue } from '../../json/json-value.ts';
import { entriesMember, isJsonArray, isJsonObject, member } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import { prefixOf, restOf } from './array-check.ts';
import type { CheckBuilder } from './check-builder.ts';
import type { Mark, Marks } from './marks.ts';
import { type Run, spend } from './run.ts';

/** What a node's own keywords look at, and its `unevaluated…` keywords, which come after everything else. */
export function ownMarks(node: SchemaNode, builder: CheckBuilder): Mark {
  const items = itemMarks(node, builder);
  const members = memberMarks(node, builder);
  return (value, run, marks) => {
    if (isJsonArray(value)) return items(value, run, marks);
    return !isJsonObject(value) || members(value, run, marks);
  };
}

function itemMarks(
  node: SchemaNode,
  builder: CheckBuilder,
): (value: JsonArray, run: Run, marks: Marks) => boolean {
  const { json, resource } = node;
  const prefix = prefixOf(json, resource.dialect).length;
  const all = restOf(json, resource.dialect) !== undefined;
  const check = (keyword: string): ((item: JsonValue, run: Run) => boolean) | undefined => {
    const below = member(json, keyword);
    return below === undefined || resource.dialect !== '2020-12' ? undefined : builder.below(below, node);
  };
  const contains = check('contains');
  const unevaluated = check('unevaluatedItems');
  return (value, run, marks) => {
    marks.upTo = Math.max(marks.upTo, all ? value.length : Math.min(prefix, value.length));
    if (contains !== undefined) {
      spend(run, value.length);
      for (const [index, item] of value.entries()) if (contains(item, run)) marks.indexes.add(index);
    }
    if (unevaluated === undefined) return true;
    spend(run, value.length);
    for (const [index, item] of value.entries()) {
      if (index >= marks.upTo && !marks.indexes.has(index) && !unevaluated(item, run)) return false;
    }
    marks.upTo = value.length;
    return true;
  };
}

function memberMarks(
  node: SchemaNode,
  builder: CheckBuilder,
): (value: JsonObject, run: Run, marks: Marks) => boolean {
  const { json, resource } = node;
  const declared = new Set(entriesMember(json, 'properties').map(([name]) => name));
  const patterns = entriesMember(json, 'patternProperties').flatMap(
    ([source]) => builder.patterns.get(source) ?? [],
  );
  const all = member(json, 'additionalProperties') !== undefined;
  const below = resource.dialect === '2020-12' ? member(json, 'unevaluatedProperties') : undefined;
  const unevaluated = below === undefined ? undefined : builder.below(below, node);
  const looksAt = (name: string): boolean =>
    all || declared.has(name) || patterns.some((pattern) => pattern.test(name));
  return (value, run, marks) => {
    for (const name of Object.keys(value)) {
      spend(run, 1 + patterns.length);
      const part = value[name];
      if (part === undefined || marks.names.has(name)) continue;
      if (!looksAt(name)) {
        if (unevaluated === undefined) continue;
        if (!unevaluated(part, run)) return false;
      }
      marks.names.add(name);
    }
    return true;
  };
}
