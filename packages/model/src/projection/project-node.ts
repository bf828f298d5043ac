import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { memberOf } from '../codec/wire-reader.ts';
import { anyLeaf, NEVER } from './leaf.ts';
import { mergeAllOf } from './merge-all-of.ts';
import { modernise } from './modernise.ts';
import { projectPlain } from './project-plain.ts';
import { projectReference } from './project-reference.ts';
import { projectUnion, unionKeyword } from './project-union.ts';
import type { Projected } from './projected.ts';
import type { Place, Walk } from './walk.ts';

/** Projects one schema and everything in it. */
export function projectNode(node: JsonValue, place: Place, walk: Walk): Projected {
  if (!walk.spend(place)) return { schema: {} };
  if (node === true) return anyLeaf({}, place, walk);
  if (node === false) return NEVER;
  if (!isJsonObject(node)) {
    walk.log.add('dropped', place.pointer, 'warning', 'this is no schema; anything is offered in its place');
    return anyLeaf({}, place, walk);
  }
  return projectSchemaObject(modernise(node, place.pointer, walk.log), place, walk);
}

function projectSchemaObject(node: JsonObject, place: Place, walk: Walk): Projected {
  const reference = memberOf(node, '$ref');
  if (typeof reference === 'string') return projectReference(node, reference, place, walk);
  if (walk.profile.allOf === 'merge' && Object.hasOwn(node, 'allOf')) {
    const merged = mergeAllOf(node, place, walk);
    if (merged === undefined) return NEVER;
    return projectSchemaObject(merged.node, { ...place, path: merged.path }, walk);
  }
  const union = unionKeyword(node);
  if (union !== undefined) return projectUnion(node, union, place, walk);
  return projectPlain(node, place, walk);
}
