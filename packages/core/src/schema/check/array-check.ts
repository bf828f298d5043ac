import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonArray, listMember, member, numberMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { CheckBuilder } from './check-builder.ts';
import { every } from './combine.ts';
import { type ArrayCheck, type Check, spend } from './run.ts';
import { type Step, take } from './step.ts';
import { uniqueItems } from './unique-items.ts';

/** The subschemas of the first items, one each. */
export function prefixOf(json: JsonObject, dialect: string): readonly JsonValue[] {
  return listMember(json, dialect === 'draft-07' ? 'items' : 'prefixItems');
}

/** The subschema of every item after the prefix. */
export function restOf(json: JsonObject, dialect: string): JsonValue | undefined {
  const items = member(json, 'items');
  return dialect === 'draft-07' && isJsonArray(items) ? member(json, 'additionalItems') : items;
}

/** The keywords of a node about arrays as one check, or undefined when there are none. */
export function arrayCheck(node: SchemaNode, builder: CheckBuilder): ArrayCheck | undefined {
  const { json } = node;
  const checks: ArrayCheck[] = [];
  const minimum = numberMember(json, 'minItems');
  const maximum = numberMember(json, 'maxItems');
  if (minimum !== undefined) checks.push((value) => value.length >= minimum);
  if (maximum !== undefined) checks.push((value) => value.length <= maximum);
  const items = itemsCheck(node, builder);
  if (items !== undefined) checks.push(items);
  const contains = containsCheck(node, builder);
  if (contains !== undefined) checks.push(contains);
  if (member(json, 'uniqueItems') === true) checks.push(uniqueItems);
  return every(checks);
}

function itemsCheck(node: SchemaNode, builder: CheckBuilder): ArrayCheck | undefined {
  const { dialect } = node.resource;
  const prefix = prefixOf(node.json, dialect).map((json) => builder.below(json, node));
  const rest = builder.step(restOf(node.json, dialect) ?? true, node);
  if (prefix.length > 0) return prefixedItems(prefix, rest);
  if (rest.kind === 'any') return undefined;
  return (value, run) => {
    const { length } = value;
    spend(run, length);
    for (let index = 0; index < length; index += 1) {
      const item = value[index];
      if (item === undefined || !take(rest, item, run)) return false;
    }
    return true;
  };
}

function prefixedItems(prefix: readonly Check[], rest: Step): ArrayCheck {
  return (value, run) => {
    spend(run, value.length);
    for (const [index, item] of value.entries()) {
      const check = prefix[index] ?? rest.check;
      if (!check(item, run)) return false;
    }
    return true;
  };
}

function containsCheck(node: SchemaNode, builder: CheckBuilder): ArrayCheck | undefined {
  const contains = member(node.json, 'contains');
  if (contains === undefined) return undefined;
  const check = builder.below(contains, node);
  const counted = node.resource.dialect !== 'draft-07';
  const minimum = (counted ? numberMember(node.json, 'minContains') : undefined) ?? 1;
  const maximum = (counted ? numberMember(node.json, 'maxContains') : undefined) ?? Infinity;
  return (value, run) => {
    spend(run, value.length);
    let found = 0;
    for (const item of value) {
      if (!check(item, run)) continue;
      found += 1;
      if (found > maximum) return false;
      if (found >= minimum && maximum === Infinity) return true;
    }
    return found >= minimum;
  };
}
