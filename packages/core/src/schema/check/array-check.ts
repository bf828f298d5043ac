import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonArray, listMember, member, numberMember } from '../member.ts';
import type { SchemaNode } from '../reference/schema-node.ts';
import type { Dialect } from '../schema.ts';
import type { CheckBuilder } from './check-builder.ts';
import { every } from './combine.ts';
import { containsCheck } from './contains-check.ts';
import type { Part } from './part.ts';
import { itemLoop, passes } from './part-loops.ts';
import { type ArrayCheck, type Check, spend } from './run.ts';
import { uniqueItems } from './unique-items.ts';

/** The subschemas of the first items, one each. */
export function prefixOf(json: JsonObject, dialect: Dialect): readonly JsonValue[] {
  return listMember(json, dialect === 'draft-07' ? 'items' : 'prefixItems');
}

/** The subschema of every item after the prefix. */
export function restOf(json: JsonObject, dialect: Dialect): JsonValue | undefined {
  const items = member(json, 'items');
  return dialect === 'draft-07' && isJsonArray(items) ? member(json, 'additionalItems') : items;
}

/**
 * The keywords of a node about arrays as one check, or undefined when there are none.
 *
 * @param others - The answer for values that are no arrays.
 */
export function arrayCheck(node: SchemaNode, builder: CheckBuilder, others: boolean): Check | undefined {
  const { json, resource } = node;
  const minimum = numberMember(json, 'minItems') ?? 0;
  const maximum = numberMember(json, 'maxItems') ?? Infinity;
  const prefix = prefixOf(json, resource.dialect).map((below) => builder.below(below, node));
  const rest = builder.part(restOf(json, resource.dialect) ?? true, node);
  const more: ArrayCheck[] = [];
  if (prefix.length > 0) more.push(prefixedItems(prefix, rest));
  const contains = containsCheck(node, builder);
  if (contains !== undefined) more.push(contains);
  if (member(json, 'uniqueItems') === true) more.push(uniqueItems);
  const extra = every(more);

  const part = prefix.length > 0 ? builder.part(true, node) : rest;
  const looped = minimum > 0 || maximum < Infinity || part.kind !== 'any';
  const checks: Check[] = looped ? [itemLoop({ part, minimum, maximum, others })] : [];
  if (extra !== undefined) checks.push((value, run) => (isJsonArray(value) ? extra(value, run) : others));
  return every(checks);
}

function prefixedItems(prefix: readonly Check[], rest: Part): ArrayCheck {
  return (value, run) => {
    spend(run, value.length);
    for (const [index, item] of value.entries()) {
      const check = prefix[index];
      if (check === undefined ? !passes(rest, item, run) : !check(item, run)) return false;
    }
    return true;
  };
}
