import type { JsonObject, JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import type { Draft } from './draft.ts';
import { keeps } from './leaf.ts';
import type { SchemaProfile } from './schema-profile.ts';
import type { Walk } from './walk.ts';

/** Writes `enum` and `const`: as they are, `const` as an `enum` of one, or in words. */
export function projectValues(node: JsonObject, draft: Draft, walk: Walk): void {
  const { profile } = walk;
  const values = memberOf(node, 'enum');
  if (isJsonArray(values)) {
    const offered = offeredValues(values, profile);
    if (offered === undefined || !keeps('enum', profile)) draft.drop('enum');
    else draft.set('enum', offered);
  }
  if (!Object.hasOwn(node, 'const')) return;
  const constant = node['const'] ?? null;
  if (profile.constants && keeps('const', profile)) draft.set('const', constant);
  else if (isJsonArray(values) || constant === null) draft.omit('const', 'info');
  else if (keeps('enum', profile) && offeredValues([constant], profile) !== undefined)
    draft.set('enum', [constant]);
  else draft.drop('const');
}

/** The values that the endpoint takes in an `enum`, or `undefined` when it would refuse the list. */
function offeredValues(
  values: readonly JsonValue[],
  profile: SchemaProfile,
): readonly JsonValue[] | undefined {
  if (profile.strict !== undefined && values.some((value) => typeof value === 'object' && value !== null)) {
    return undefined;
  }
  if (profile.enumValues === 'any') return values;
  const solid = values.filter((value) => value !== null);
  const isText = solid.every((value) => typeof value === 'string' && value !== '');
  const isNumber =
    profile.enumValues === 'text-and-number' && solid.every((value) => typeof value === 'number');
  if (solid.length === 0 || !(isText || isNumber)) return undefined;
  // Where null is a type of its own it stays among the values; beside `nullable` it does not belong there.
  return profile.nulls === 'keyword' ? solid : values;
}
