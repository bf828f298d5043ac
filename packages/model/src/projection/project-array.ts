import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import type { Draft } from './draft.ts';
import { keeps, shown } from './leaf.ts';
import { below } from './place.ts';
import { type Restore, restoreItems } from './restore.ts';
import type { Place, Walk } from './walk.ts';

/** Writes what the items of an array are. */
export function projectArray(node: JsonObject, draft: Draft, place: Place, walk: Walk): Restore | undefined {
  const { profile } = walk;
  const listed = memberOf(node, 'prefixItems');
  if (isJsonArray(listed)) {
    if (keeps('prefixItems', profile)) {
      draft.set(
        'prefixItems',
        listed.map((each, index) => walk.project(each, below(place, 'prefixItems', index)).schema),
      );
    } else return widenList(node, listed, draft, place, walk);
  }
  return writeItems(memberOf(node, 'items'), node, draft, place, walk);
}

function writeItems(
  items: JsonValue | undefined,
  node: JsonObject,
  draft: Draft,
  place: Place,
  walk: Walk,
): Restore | undefined {
  const { profile } = walk;
  const named = memberOf(node, 'type');
  const isArray =
    named === 'array' ||
    (isJsonArray(named) && named.includes('array')) ||
    draft.source('prefixItems') !== undefined;
  if (items === false) {
    if (!profile.itemsRequired && keeps('items', profile)) draft.set('items', false);
    else draft.set('items', walk.project(true, below(place, 'items')).schema);
    return undefined;
  }
  if (items === undefined && !(isArray && profile.itemsRequired)) return undefined;
  const projected = walk.project(items ?? true, below(place, 'items'));
  draft.set('items', shown(projected, place, walk));
  return restoreItems(projected.restore);
}

/** A list with a schema for each place, where the endpoint only knows one schema for all. */
function widenList(
  node: JsonObject,
  listed: readonly JsonValue[],
  draft: Draft,
  place: Place,
  walk: Walk,
): Restore | undefined {
  if (walk.profile.strict !== undefined)
    walk.refuseStrict(place.pointer, 'a list with a schema for each place');
  draft.drop('prefixItems');
  const rest = memberOf(node, 'items');
  const all = isJsonObject(rest) ? [...listed, rest] : listed;
  const projected = walk.project(
    all.length === 1 ? (all[0] ?? true) : { anyOf: all },
    below(place, 'prefixItems'),
  );
  draft.set('items', shown(projected, place, walk));
  if (rest === false && memberOf(node, 'maxItems') === undefined && keeps('maxItems', walk.profile)) {
    draft.set('maxItems', listed.length);
  }
  return restoreItems(projected.restore);
}
