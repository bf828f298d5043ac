import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { applicatorMarks } from '../check/applicator-marks.ts';
import { noMarks } from '../check/marks.ts';
import { lookedAt } from '../check/own-marks.ts';
import { spend } from '../check/run.ts';
import { entriesMember, isJsonArray, listMember, member } from '../member.ts';
import { targetAt } from '../reference/schema-index.ts';
import type { SchemaNode, SchemaTarget } from '../reference/schema-node.ts';
import type { ExplainPart } from './explain-part.ts';
import { type Explanation, partPointer } from './explanation.ts';
import { reportUnknown } from './report-unknown.ts';

/** Reports the members and items that only `unevaluated…` keywords look at, and that they refuse. */
export function explainUnevaluated(
  node: SchemaNode,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
  explainPart: ExplainPart,
): void {
  const { builder, run } = explanation;
  const members = member(node.json, 'unevaluatedProperties');
  const items = member(node.json, 'unevaluatedItems');
  if (node.resource.dialect !== '2020-12' || (members === undefined && items === undefined)) return;
  const seen = noMarks();
  for (const mark of applicatorMarks(node, builder)) mark(value, run, seen);
  lookedAt(node, builder)(value, run, seen);
  if (isJsonArray(value) && items !== undefined) {
    for (const [index, item] of value.entries()) {
      if (index >= seen.upTo && !seen.indexes.has(index))
        explainPart(node, items, item, partPointer(pointer, index), explanation);
    }
  }
  if (!isJsonObject(value) || members === undefined) return;
  for (const [name, item] of Object.entries(value)) {
    if (seen.names.has(name)) continue;
    if (members === false)
      reportUnknown(explanation, pointer, 'unevaluatedProperties', name, [...knownNames(node, explanation)]);
    else explainPart(node, members, item, partPointer(pointer, name), explanation);
  }
}

/** The names that a node and what it applies to the same value declare; some 50 are enough to say. */
function knownNames(node: SchemaNode, { builder, run }: Explanation): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<SchemaTarget>();
  const waiting: SchemaTarget[] = [node];
  for (let next = waiting.shift(); next !== undefined && names.size < 50; next = waiting.shift()) {
    if (typeof next === 'boolean' || seen.has(next)) continue;
    seen.add(next);
    spend(run, 4);
    for (const [name] of entriesMember(next.json, 'properties')) names.add(name);
    const reference = builder.references.static.get(next);
    if (reference !== undefined) waiting.push(reference);
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      waiting.push(...listMember(next.json, keyword).map((json) => targetAt(builder.index, json)));
    }
  }
  return names;
}
