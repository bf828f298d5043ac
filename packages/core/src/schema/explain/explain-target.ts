import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { dependentSchemas } from '../check/applicator-checks.ts';
import { pickDynamic } from '../check/dynamic-scope.ts';
import { has } from '../check/required-check.ts';
import { descend } from '../check/run.ts';
import { typeOf, typesOf } from '../check/type-set.ts';
import { admittedValues, valueCheck } from '../check/value-check.ts';
import { isJsonArray, listMember, member } from '../member.ts';
import { targetAt } from '../reference/schema-index.ts';
import type { SchemaNode, SchemaTarget } from '../reference/schema-node.ts';
import { explainArray } from './explain-array.ts';
import { explainNot } from './explain-not.ts';
import { explainObject } from './explain-object.ts';
import type { ExplainPart } from './explain-part.ts';
import { explainNumber, explainString } from './explain-scalar.ts';
import { explainUnevaluated } from './explain-unevaluated.ts';
import { explainUnion } from './explain-union.ts';
import { type Explanation, isFull, report, shown, shownKind } from './explanation.ts';
import { demandedNames } from './say-schema.ts';
import { showAll, showChoices, showNames } from './show-value.ts';
import { typeWords } from './type-words.ts';

/** Reports why `value` does not match `target`; nothing when it does. `from` is where the subschema is applied. */
export function explainTarget(
  target: SchemaTarget,
  from: SchemaNode | undefined,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
): void {
  const { builder, run } = explanation;
  if (isFull(explanation)) return;
  if (typeof target === 'boolean') {
    if (!target) report(explanation, pointer, { keyword: '(false)', expected: 'absent', actual: 'present' });
    return;
  }
  if (builder.check(target, from)(value, run)) return;
  descend(run);
  run.scope ??= [];
  const { scope } = run;
  const enters = target.resource !== from?.resource;
  if (enters) scope.push(target.resource);
  const inner = isSecret(target) ? { ...explanation, secret: true } : explanation;
  const { tally } = explanation;
  const before = tally.reports;
  explainNode(target, value, pointer, inner);
  if (tally.reports === before) explainUnevaluated(target, value, pointer, inner, explainPart);
  if (tally.reports === before) reportWhole(target, value, pointer, inner);
  if (enters) scope.pop();
  run.depth -= 1;
}

function isSecret({ json }: SchemaNode): boolean {
  return member(json, 'writeOnly') === true || member(json, 'format') === 'password';
}

function explainNode(node: SchemaNode, value: JsonValue, pointer: string, explanation: Explanation): void {
  const { builder } = explanation;
  const { json } = node;
  const explain = (target: SchemaTarget): void => explainTarget(target, node, value, pointer, explanation);
  const reference = builder.references.static.get(node);
  if (reference !== undefined && node.resource.dialect === 'draft-07') {
    explain(reference);
    return;
  }
  if ((typesOf(json) & typeOf(value)) === 0) {
    report(explanation, pointer, {
      keyword: 'type',
      expected: typeWords(typesOf(json)),
      actual: shownKind(explanation, value),
    });
    return;
  }
  explainValues(node, value, pointer, explanation);
  explainByType(node, value, pointer, explanation);
  if (reference !== undefined) explain(reference);
  const dynamic = builder.references.dynamic.get(node);
  if (dynamic !== undefined) {
    const { anchor, target } = dynamic;
    explain(anchor === undefined ? target : pickDynamic(explanation.run, anchor, target));
  }
  for (const part of listMember(json, 'allOf')) explain(targetAt(builder.index, part));
  explainUnions(node, value, pointer, explanation);
  const condition = member(json, 'if');
  if (condition !== undefined) {
    const chosen = member(json, builder.below(condition, node)(value, explanation.run) ? 'then' : 'else');
    if (chosen !== undefined) explain(targetAt(builder.index, chosen));
  }
  for (const [name, dependent] of dependentSchemas(node)) {
    if (isJsonObject(value) && has(value, name)) explain(targetAt(builder.index, dependent));
  }
}

function explainValues(node: SchemaNode, value: JsonValue, pointer: string, explanation: Explanation): void {
  const values = admittedValues(node.json);
  if (values === undefined || valueCheck(values)(value, explanation.run)) return;
  const keyword = Object.hasOwn(node.json, 'enum') ? 'enum' : 'const';
  const expected = values.length === 0 ? 'nothing at all' : showChoices(values);
  report(explanation, pointer, { keyword, expected, actual: shown(explanation, value) });
}

function explainByType(node: SchemaNode, value: JsonValue, pointer: string, explanation: Explanation): void {
  if (typeof value === 'number') explainNumber(node.json, value, pointer, explanation);
  else if (typeof value === 'string') explainString(node.json, value, pointer, explanation);
  else if (isJsonArray(value)) explainArray(node, value, pointer, explanation, explainPart);
  else if (isJsonObject(value)) explainObject(node, value, pointer, explanation, explainPart);
}

function explainUnions(node: SchemaNode, value: JsonValue, pointer: string, explanation: Explanation): void {
  const { builder, run } = explanation;
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = listMember(node.json, keyword).map((json) => targetAt(builder.index, json));
    if (branches.length === 0) continue;
    const matching = branches.flatMap((branch, index) =>
      builder.check(branch, node)(value, run) ? [index + 1] : [],
    );
    if (matching.length === 0)
      explainUnion({ keyword, node, branches }, value, pointer, explanation, explainTarget);
    if (keyword === 'anyOf' || matching.length < 2) continue;
    reportSeveral(listMember(node.json, keyword), matching, pointer, explanation);
  }
  const not = member(node.json, 'not');
  if (not !== undefined && builder.below(not, node)(value, run)) explainNot(not, value, pointer, explanation);
}

/** Reports that a value is of several of the alternatives of `oneOf`; where each is there for its members, by these. */
function reportSeveral(
  branches: readonly JsonValue[],
  matching: readonly number[],
  pointer: string,
  explanation: Explanation,
): void {
  const keyword = 'oneOf';
  const names = matching.map((number) => demandedNames(branches[number - 1] ?? true));
  if (names.every((list) => list?.length === 1)) {
    const expected = `only one of the members ${showNames(branches.flatMap((json) => demandedNames(json) ?? []))}`;
    report(explanation, pointer, {
      keyword,
      verb: 'have',
      expected,
      actual: showAll(names.flatMap((list) => list ?? [])),
    });
    return;
  }
  report(explanation, pointer, {
    keyword,
    expected: `exactly one of ${branches.length} alternatives`,
    actual: `alternatives ${matching.slice(0, 5).join(' and ')} at once`,
  });
}

const explainPart: ExplainPart = (from, json, value, pointer, explanation) => {
  explainTarget(targetAt(explanation.builder.index, json), from, value, pointer, explanation);
};

/** For a refusal that no keyword owned up to; it should not happen, and must not pass in silence. */
function reportWhole(node: SchemaNode, value: JsonValue, pointer: string, explanation: Explanation): void {
  const keyword = Object.keys(node.json)[0] ?? '(schema)';
  report(explanation, pointer, {
    keyword,
    expected: 'what the schema describes',
    actual: shown(explanation, value),
  });
}
