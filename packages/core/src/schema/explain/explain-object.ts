import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { has } from '../check/required-check.ts';
import { admittedValues } from '../check/value-check.ts';
import { entriesMember, isJsonArray, member, namesMember, numberMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { ExplainPart } from './explain-part.ts';
import { type Explanation, isFull, partPointer, report } from './explanation.ts';
import { reportUnknown } from './report-unknown.ts';
import { saySchema } from './say-schema.ts';
import { count, quote } from './show-value.ts';

/** Reports which keywords about objects refuse `value`, and what is wrong inside of it. */
export function explainObject(
  node: SchemaNode,
  value: JsonObject,
  pointer: string,
  explanation: Explanation,
  explainPart: ExplainPart,
): void {
  const { json } = node;
  for (const name of namesMember(json, 'required')) {
    if (!has(value, name)) reportMissing(explanation, pointer, 'required', name, '');
  }
  explainMembers(node, value, pointer, explanation, explainPart);
  explainSize(json, value, pointer, explanation);
  const dependencies = node.resource.dialect === 'draft-07' ? 'dependencies' : 'dependentRequired';
  for (const [name, needed] of entriesMember(json, dependencies)) {
    if (!has(value, name) || !isJsonArray(needed)) continue;
    for (const other of needed) {
      if (typeof other !== 'string' || has(value, other)) continue;
      reportMissing(explanation, pointer, dependencies, other, ` beside ${quote(name)}`);
    }
  }
}

function explainMembers(
  node: SchemaNode,
  value: JsonObject,
  pointer: string,
  explanation: Explanation,
  explainPart: ExplainPart,
): void {
  const { json } = node;
  const properties = new Map(entriesMember(json, 'properties'));
  const patterns = entriesMember(json, 'patternProperties');
  const additional = member(json, 'additionalProperties') ?? true;
  const names = member(json, 'propertyNames');
  for (const name of Object.keys(value)) {
    const item = value[name];
    if (isFull(explanation)) return;
    if (item === undefined) continue;
    const at = partPointer(pointer, name);
    const declared = properties.get(name);
    let known = declared !== undefined;
    const before = explanation.issues.length;
    if (declared !== undefined) explainPart(node, declared, item, at, explanation);
    for (const [source, below] of patterns) {
      if (explanation.builder.patterns.get(source)?.test(name) !== true) continue;
      known = true;
      explainPart(node, below, item, at, explanation);
    }
    if (!known && additional === false) {
      const sources = patterns.map(([source]) => source);
      reportUnknown(explanation, pointer, 'additionalProperties', name, [...properties.keys()], sources);
    } else if (!known) {
      explainPart(node, additional, item, at, explanation);
    }
    if (item === null && explanation.issues.length > before)
      offerAbsence(json, name, at, explanation, before);
    if (names !== undefined && !explanation.builder.below(names, node)(name, explanation.run)) {
      reportName(names, name, pointer, explanation);
    }
  }
}

/** Many models write null for what they want to leave out: says that they can. */
function offerAbsence(
  json: JsonObject,
  name: string,
  at: string,
  { issues }: Explanation,
  from: number,
): void {
  if (namesMember(json, 'required').includes(name)) return;
  for (const [offset, issue] of issues.slice(from).entries()) {
    if (issue.pointer !== at || issue.actual !== 'null') continue;
    const expected = `${issue.expected} or left out`;
    issues[from + offset] = Object.freeze({
      ...issue,
      expected,
      message: `must be ${expected}, but is null`,
    });
  }
}

function reportName(names: JsonValue, name: string, pointer: string, explanation: Explanation): void {
  const values = isJsonObject(names)
    ? admittedValues(names)?.filter((value) => typeof value === 'string')
    : undefined;
  if (values !== undefined) {
    reportUnknown(explanation, pointer, 'propertyNames', name, values);
    return;
  }
  report(explanation, pointer, {
    keyword: 'propertyNames',
    verb: 'have',
    expected: `only member names ${nameRule(names)}`,
    actual: quote(name),
  });
}

/** The rule for names, where it is short enough to say. */
function nameRule(names: JsonValue): string {
  const pattern = isJsonObject(names) ? member(names, 'pattern') : undefined;
  if (typeof pattern === 'string' && pattern.length <= 120) return `that match ${pattern}`;
  const words = saySchema(names);
  return words === undefined ? 'that match "propertyNames"' : `that are ${words}`;
}

function explainSize(json: JsonObject, value: JsonObject, pointer: string, explanation: Explanation): void {
  const size = Object.keys(value).length;
  const minimum = numberMember(json, 'minProperties') ?? 0;
  const maximum = numberMember(json, 'maxProperties') ?? Infinity;
  const actual = String(size);
  if (size < minimum) {
    report(explanation, pointer, {
      keyword: 'minProperties',
      verb: 'have',
      expected: `at least ${count(minimum, 'member')}`,
      actual,
    });
  }
  if (size > maximum) {
    report(explanation, pointer, {
      keyword: 'maxProperties',
      verb: 'have',
      expected: `at most ${count(maximum, 'member')}`,
      actual,
    });
  }
}

function reportMissing(
  explanation: Explanation,
  pointer: string,
  keyword: string,
  name: string,
  reason: string,
): void {
  report(explanation, pointer, {
    keyword,
    verb: 'have',
    expected: `the member ${quote(name)}${reason}`,
    actual: 'none',
  });
}
