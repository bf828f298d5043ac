import type { JsonValue } from '../../json/json-value.ts';
import { entriesMember, isJsonArray, isJsonObject, listMember, member } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { every } from './combine.ts';
import { pickDynamic } from './dynamic-scope.ts';
import { has } from './required-check.ts';
import { type Check, spend } from './run.ts';

/** The keywords of a node that apply other subschemas to the same value. */
export function applicatorChecks(node: SchemaNode, builder: CheckBuilder): readonly Check[] {
  const { json } = node;
  const checks: Check[] = [];
  const below = (keyword: string): readonly Check[] =>
    listMember(json, keyword).map((item) => builder.below(item, node));

  checks.push(...referenceChecks(node, builder));
  checks.push(...below('allOf').map(charged));
  const anyOf = below('anyOf');
  if (anyOf.length > 0) checks.push(anyOfCheck(anyOf));
  const oneOf = below('oneOf');
  if (oneOf.length > 0) checks.push(oneOfCheck(oneOf));
  const not = member(json, 'not');
  if (not !== undefined) {
    const check = charged(builder.below(not, node));
    checks.push((value, run) => !check(value, run));
  }
  const condition = conditionCheck(node, builder);
  if (condition !== undefined) checks.push(condition);
  for (const [name, dependent] of dependentSchemas(node)) {
    const check = charged(builder.below(dependent, node));
    checks.push((value, run) => !isJsonObject(value) || !has(value, name) || check(value, run));
  }
  return checks;
}

/** Subschemas that hold for the whole object when it has a certain member. */
export function dependentSchemas(node: SchemaNode): readonly (readonly [string, JsonValue])[] {
  const keyword = node.resource.dialect === 'draft-07' ? 'dependencies' : 'dependentSchemas';
  return entriesMember(node.json, keyword).filter(([, dependent]) => !isJsonArray(dependent));
}

/** `$ref` and `$dynamicRef`. */
export function referenceChecks(node: SchemaNode, builder: CheckBuilder): readonly Check[] {
  const checks: Check[] = [];
  const target = builder.references.static.get(node);
  if (target !== undefined) checks.push(charged(builder.check(target, node)));
  const dynamic = builder.references.dynamic.get(node);
  if (dynamic !== undefined) {
    const { anchor } = dynamic;
    if (anchor === undefined) checks.push(charged(builder.check(dynamic.target, node)));
    else
      checks.push(
        charged((value, run) => builder.check(pickDynamic(run, anchor, dynamic.target), node)(value, run)),
      );
  }
  return checks;
}

/** Every application to the same value costs a step: only these can multiply without the value growing. */
function charged(check: Check): Check {
  return (value, run) => {
    spend(run, 1);
    return check(value, run);
  };
}

function anyOfCheck(branches: readonly Check[]): Check {
  const { length } = branches;
  return (value, run) => {
    spend(run, length);
    for (const branch of branches) if (branch(value, run)) return true;
    return false;
  };
}

function oneOfCheck(branches: readonly Check[]): Check {
  const { length } = branches;
  return (value, run) => {
    spend(run, length);
    let matches = 0;
    for (const branch of branches) {
      if (!branch(value, run)) continue;
      matches += 1;
      if (matches > 1) return false;
    }
    return matches === 1;
  };
}

function conditionCheck(node: SchemaNode, builder: CheckBuilder): Check | undefined {
  const condition = member(node.json, 'if');
  if (condition === undefined) return undefined;
  const branch = (keyword: string): Check | undefined => {
    const json = member(node.json, keyword);
    return json === undefined ? undefined : charged(builder.below(json, node));
  };
  const test = charged(builder.below(condition, node));
  const yes = branch('then');
  const no = branch('else');
  return (value, run) => {
    const chosen = test(value, run) ? yes : no;
    return chosen === undefined || chosen(value, run);
  };
}

/** All of a list; true when it is empty. */
export function allOf(checks: readonly Check[]): Check {
  return every(checks) ?? (() => true);
}
