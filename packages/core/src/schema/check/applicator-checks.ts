import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { entriesMember, isJsonArray, listMember, member } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { pickDynamic } from './dynamic-scope.ts';
import { pureTypes } from './pure-types.ts';
import { has } from './required-check.ts';
import { type Check, spend } from './run.ts';
import { typeCheck } from './type-check.ts';
import { typeOf } from './type-set.ts';

/** The keywords of a node that apply other subschemas to the same value. */
export function applicatorChecks(node: SchemaNode, builder: CheckBuilder): readonly Check[] {
  const { json } = node;
  const checks: Check[] = [...referenceChecks(node, builder)];
  const below = (keyword: string): readonly Check[] =>
    listMember(json, keyword).map((item) => builder.below(item, node));

  checks.push(...below('allOf'));
  if (Object.hasOwn(json, 'anyOf')) checks.push(anyOfCheck(node, builder));
  const oneOf = below('oneOf');
  if (oneOf.length > 0) checks.push(oneOfCheck(oneOf));
  const not = member(json, 'not');
  if (not !== undefined) {
    const check = builder.below(not, node);
    checks.push((value, run) => !check(value, run));
  }
  const condition = conditionCheck(node, builder);
  if (condition !== undefined) checks.push(condition);
  for (const [name, dependent] of dependentSchemas(node)) {
    const check = builder.below(dependent, node);
    checks.push((value, run) => !isJsonObject(value) || !has(value, name) || check(value, run));
  }
  // Only where two or more look at one value can the work multiply without the value growing.
  return checks.length < 2 ? checks : [charge(checks.length), ...checks];
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
  if (target !== undefined) checks.push(builder.check(target, node));
  const dynamic = builder.references.dynamic.get(node);
  if (dynamic !== undefined) {
    const { anchor, target: otherwise } = dynamic;
    if (anchor === undefined) checks.push(builder.check(otherwise, node));
    else checks.push((value, run) => builder.check(pickDynamic(run, anchor, otherwise), node)(value, run));
  }
  return checks;
}

/** Takes the steps of several applications to one value. */
function charge(count: number): Check {
  return (_value, run) => {
    spend(run, count);
    return true;
  };
}

/** Branches that only ask for a type are one comparison for all of them, and it comes first. */
function anyOfCheck(node: SchemaNode, builder: CheckBuilder): Check {
  let types = 0;
  const branches: Check[] = [];
  for (const json of listMember(node.json, 'anyOf')) {
    const pure = pureTypes(json, node.resource.dialect);
    if (pure === undefined) branches.push(builder.below(json, node));
    else types |= pure;
  }
  const { length } = branches;
  const [only] = branches;
  if (only === undefined) return typeCheck(types) ?? (() => true);
  if (types !== 0 && length === 1) return (value, run) => (typeOf(value) & types) !== 0 || only(value, run);
  return (value, run) => {
    if ((typeOf(value) & types) !== 0) return true;
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
    return json === undefined ? undefined : builder.below(json, node);
  };
  const test = builder.below(condition, node);
  const yes = branch('then');
  const no = branch('else');
  if (yes === undefined && no === undefined) return undefined;
  return (value, run) => {
    spend(run, 2);
    const chosen = test(value, run) ? yes : no;
    return chosen === undefined || chosen(value, run);
  };
}
