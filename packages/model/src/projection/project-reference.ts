import { isJsonObject, type JsonObject } from '@toolgate/core';
import { createLossLog } from '../codec/loss-log.ts';
import { memberOf } from '../codec/wire-reader.ts';
import { annotationsOf, anyLeaf } from './leaf.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { modernise } from './modernise.ts';
import { typesOf } from './node-types.ts';
import type { Projected } from './projected.ts';
import type { ReferenceTarget } from './references.ts';
import type { Place, Walk } from './walk.ts';

/** Keywords beside a reference that say nothing about values. */
const SILENT: ReadonlySet<string> = new Set([
  '$anchor',
  '$comment',
  '$defs',
  '$dynamicAnchor',
  '$id',
  '$ref',
  '$schema',
  'definitions',
]);

/** Projects a schema with a `$ref`: kept where the endpoint knows references and nothing stands beside it, else inlined. */
export function projectReference(node: JsonObject, reference: string, place: Place, walk: Walk): Projected {
  const target = follow(reference, place, walk);
  if (target === undefined) return anyLeaf(node, place, walk);
  if (!isJsonObject(target.schema)) return walk.project(target.schema, place);
  const siblings = Object.fromEntries(Object.entries(node).filter(([keyword]) => !SILENT.has(keyword)));
  const alone = Object.keys(siblings).length === 0;
  const entered = place.path.filter((pointer) => pointer === target.pointer).length;

  if (walk.profile.references === 'keep') {
    if (alone) return walk.definitions.reference(target);
    if (entered > 0) {
      walk.log.add('dropped', place.pointer, 'warning', 'keywords beside a reference to an enclosing schema');
      return walk.definitions.reference(target);
    }
  } else if (entered >= walk.limits.recursionDepth || !walk.mayInline()) {
    walk.log.add(
      'approximated',
      place.pointer,
      'warning',
      'the schema goes on; only its type is offered from here',
    );
    return cut(target.schema, siblings, place, walk);
  }
  const schema = modernise(target.schema, target.pointer, walk.log);
  return walk.project(alone ? schema : mergeSchemas(siblings, schema, place.pointer, walk.log), {
    pointer: alone ? target.pointer : place.pointer,
    depth: place.depth + 1,
    path: [...place.path, target.pointer],
  });
}

/** What is left of a schema that may not be entered again: its type and its annotations. */
function cut(schema: JsonObject, siblings: JsonObject, place: Place, walk: Walk): Projected {
  const types = typesOf(modernise(schema, place.pointer, createLossLog()));
  const notes = { ...annotationsOf(schema, walk.profile), ...annotationsOf(siblings, walk.profile) };
  return types === undefined ? anyLeaf(notes, place, walk) : walk.project({ ...notes, type: types }, place);
}

/** Follows a reference, and on where it leads to nothing but another reference. */
function follow(reference: string, place: Place, walk: Walk): ReferenceTarget | undefined {
  const seen = new Set<string>();
  for (let next: string | undefined = reference; next !== undefined; ) {
    const target = walk.references.resolve(next);
    if (target === undefined || seen.has(target.pointer)) {
      walk.giveUp(
        place.pointer,
        target ? 'a reference leads back to itself' : 'a reference leads nowhere in this schema',
      );
      return undefined;
    }
    seen.add(target.pointer);
    next = onwards(target);
    if (next === undefined) return target;
  }
  return undefined;
}

function onwards({ schema }: ReferenceTarget): string | undefined {
  if (!isJsonObject(schema) || Object.keys(schema).some((keyword) => !SILENT.has(keyword))) return undefined;
  const reference = memberOf(schema, '$ref');
  return typeof reference === 'string' ? reference : undefined;
}
