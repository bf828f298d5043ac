import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { typeOf } from '../check/type-set.ts';
import type { SchemaNode, SchemaTarget } from '../reference/schema-node.ts';
import type { Issue } from '../schema.ts';
import { branchTypes, branchValues } from './branch-facts.ts';
import { addIssue, type Explanation, partPointer, report, shown, shownKind } from './explanation.ts';
import { findTag, type Tag } from './find-tag.ts';
import { showChoices } from './show-value.ts';
import { typeWords } from './type-words.ts';

/** Branches that are tried out to find the closest one. */
const maxTried = 24;
/** Issues that are collected of one branch to compare it with the others. */
const maxCompared = 6;

/** Reports what is wrong with a value for one subschema; `from` is where the subschema is applied. */
export type ExplainTarget = (
  target: SchemaTarget,
  from: SchemaNode,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
) => void;

/** A union that refused a value. */
export interface Union {
  readonly keyword: 'anyOf' | 'oneOf';
  readonly node: SchemaNode;
  readonly branches: readonly SchemaTarget[];
}

/**
 * Reports why no branch of a union matches: by the types or values of all branches, by the tag that tells them apart,
 * or by the issues of the branch that comes closest. Never by every branch.
 */
export function explainUnion(
  { keyword, node, branches }: Union,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
  explainTarget: ExplainTarget,
): void {
  const types = branches.map((branch) => branchTypes(explanation, branch));
  const fitting = branches.filter((_branch, index) => ((types[index] ?? 0) & typeOf(value)) !== 0);
  const values = branches.map((branch) => branchValues(explanation, branch));
  if (values.every((list) => list !== undefined)) {
    report(explanation, pointer, {
      keyword,
      expected: showChoices([...new Set(values.flat())]),
      actual: shown(explanation, value),
    });
    return;
  }
  if (fitting.length === 0) {
    const admitted = types.reduce((all, some) => all | some, 0);
    report(explanation, pointer, {
      keyword,
      expected: typeWords(admitted),
      actual: shownKind(explanation, value),
    });
    return;
  }
  const tag = isJsonObject(value) ? findTag(explanation, fitting, value) : undefined;
  if (tag !== undefined && tag.branches.length === 0) {
    reportTag(tag, keyword, value, pointer, explanation);
    return;
  }
  const issues = closest(tag?.branches ?? fitting, node, value, pointer, explanation, explainTarget);
  for (const issue of issues) addIssue(explanation, issue);
}

function reportTag(
  tag: Tag,
  keyword: string,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
): void {
  const choices = showChoices(tag.values);
  const sent = isJsonObject(value) && Object.hasOwn(value, tag.name) ? value[tag.name] : undefined;
  if (sent !== undefined) {
    report(explanation, partPointer(pointer, tag.name), {
      keyword,
      expected: choices,
      actual: shown(explanation, sent),
    });
  } else {
    const expected = `the member "${tag.name}" with one of ${choices}`;
    report(explanation, pointer, { keyword, verb: 'have', expected, actual: 'none' });
  }
}

/** The issues of the branch that has the fewest; where all only miss a member, one issue that names them all. */
function closest(
  branches: readonly SchemaTarget[],
  node: SchemaNode,
  value: JsonValue,
  pointer: string,
  explanation: Explanation,
  explainTarget: ExplainTarget,
): readonly Issue[] {
  const tried = branches.slice(0, maxTried).map((branch) => {
    const issues: Issue[] = [];
    explainTarget(branch, node, value, pointer, { ...explanation, issues, limit: maxCompared });
    return issues;
  });
  const merged = mergeMissing(tried, pointer);
  if (merged !== undefined) return [merged];
  return tried.reduce((best, issues) => (issues.length < best.length ? issues : best));
}

function mergeMissing(tried: readonly (readonly Issue[])[], pointer: string): Issue | undefined {
  const firsts = tried.map(([issue, ...others]) =>
    issue?.keyword === 'required' && issue.pointer === pointer && others.length === 0
      ? issue.expected
      : undefined,
  );
  const members = [...new Set(firsts.filter((expected) => expected !== undefined))];
  if (tried.length < 2 || firsts.includes(undefined) || members.length > 12) return undefined;
  const expected = members.join(' or ');
  return Object.freeze({
    pointer,
    keyword: 'required',
    expected,
    actual: 'none',
    message: `must have ${expected}, but has none`,
  });
}
