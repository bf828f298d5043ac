import type { JsonArray } from '../../json/json-value.ts';
import { prefixOf, restOf } from '../check/array-check.ts';
import { containsCounts } from '../check/contains-check.ts';
import { structuralKey } from '../check/structural-key.ts';
import { member, numberMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { ExplainPart } from './explain-part.ts';
import { type Explanation, isFull, partPointer, report } from './explanation.ts';
import { saySchema } from './say-schema.ts';
import { count } from './show-value.ts';

/** Reports which keywords about arrays refuse `value`, and what is wrong inside of it. */
export function explainArray(
  node: SchemaNode,
  value: JsonArray,
  pointer: string,
  explanation: Explanation,
  explainPart: ExplainPart,
): void {
  const { json, resource } = node;
  const minimum = numberMember(json, 'minItems') ?? 0;
  const maximum = numberMember(json, 'maxItems') ?? Infinity;
  const actual = String(value.length);
  if (value.length < minimum) {
    report(explanation, pointer, {
      keyword: 'minItems',
      verb: 'have',
      expected: `at least ${count(minimum, 'item')}`,
      actual,
    });
  }
  if (value.length > maximum) {
    report(explanation, pointer, {
      keyword: 'maxItems',
      verb: 'have',
      expected: `at most ${count(maximum, 'item')}`,
      actual,
    });
  }
  const prefix = prefixOf(json, resource.dialect);
  const rest = restOf(json, resource.dialect) ?? true;
  for (const [index, item] of value.entries()) {
    if (isFull(explanation)) return;
    explainPart(node, prefix[index] ?? rest, item, partPointer(pointer, index), explanation);
  }
  explainContains(node, value, pointer, explanation);
  if (member(json, 'uniqueItems') === true) explainUnique(value, pointer, explanation);
}

function explainContains(
  node: SchemaNode,
  value: JsonArray,
  pointer: string,
  explanation: Explanation,
): void {
  const contains = member(node.json, 'contains');
  if (contains === undefined) return;
  const check = explanation.builder.below(contains, node);
  const found = value.filter((item) => check(item, explanation.run)).length;
  const { minimum, maximum } = containsCounts(node);
  if (found >= minimum && found <= maximum) return;
  const [bound, limit] = found < minimum ? ['at least', minimum] : ['at most', maximum];
  const words = saySchema(contains);
  const which =
    words === undefined ? 'matching "contains"' : `${limit === 1 ? 'that is' : 'that are'} ${words}`;
  const expected = `${bound} ${count(limit, 'item')} ${which}`;
  report(explanation, pointer, { keyword: 'contains', verb: 'have', expected, actual: String(found) });
}

function explainUnique(value: JsonArray, pointer: string, explanation: Explanation): void {
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const key = structuralKey(item);
    const earlier = seen.get(key);
    if (earlier === undefined) {
      seen.set(key, index);
      continue;
    }
    report(explanation, pointer, {
      keyword: 'uniqueItems',
      verb: 'have',
      expected: 'no two equal items',
      actual: `equal items at ${earlier} and ${index}`,
    });
    return;
  }
}
