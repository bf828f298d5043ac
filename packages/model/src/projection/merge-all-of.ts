import { isJsonObject, type JsonObject } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { modernise } from './modernise.ts';
import type { Place, Walk } from './walk.ts';

/** A schema after its `allOf` went into it, and the references that were followed for that. */
export interface MergedAllOf {
  readonly node: JsonObject;
  readonly path: readonly string[];
}

/** Merges every `allOf`, also those that come up while merging; `undefined` when one of the parts accepts nothing. */
export function mergeAllOf(node: JsonObject, place: Place, walk: Walk): MergedAllOf | undefined {
  let { allOf: waiting, ...merged } = node;
  let { path } = place;
  while (isJsonArray(waiting) && waiting.length > 0) {
    const [part, ...rest] = waiting;
    waiting = rest;
    if (part === false) return undefined;
    if (!isJsonObject(part)) continue;
    if (!walk.spend(place)) break;
    const { $ref: reference, ...own } = modernise(part, place.pointer, walk.log);
    let schema: JsonObject = own;
    if (typeof reference === 'string') {
      const target = walk.references.resolve(reference);
      if (target === undefined) walk.giveUp(place.pointer, 'a reference leads nowhere in this schema');
      if (target?.schema === false) return undefined;
      if (target !== undefined && isJsonObject(target.schema)) {
        if (path.includes(target.pointer)) {
          walk.log.add(
            'approximated',
            place.pointer,
            'warning',
            'the schema includes itself; that part is left out',
          );
          continue;
        }
        path = [...path, target.pointer];
        schema = mergeSchemas(
          own,
          modernise(target.schema, target.pointer, walk.log),
          place.pointer,
          walk.log,
        );
      }
    }
    // What a part contains in turn is done before the parts that follow it.
    const inner = memberOf(schema, 'allOf');
    const nested = memberOf(schema, '$ref');
    const { allOf: _inner, $ref: _nested, ...plain } = schema;
    merged = mergeSchemas(merged, plain, place.pointer, walk.log);
    waiting = [
      ...(nested === undefined ? [] : [{ $ref: nested }]),
      ...(isJsonArray(inner) ? inner : []),
      ...waiting,
    ];
  }
  return { node: merged, path };
}
