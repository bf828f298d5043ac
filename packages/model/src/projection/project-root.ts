import { isJsonObject, type JsonObject } from '@toolgate/core';
import { isJsonArray } from '../codec/wire-reader.ts';
import { keeps, spellType } from './leaf.ts';
import { mergeAllOf } from './merge-all-of.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { modernise } from './modernise.ts';
import { typesOf } from './node-types.ts';
import { below } from './place.ts';
import { requiredOnly, restated, unionKeyword } from './project-union.ts';
import type { Projected } from './projected.ts';
import { unwrapMember } from './restore.ts';
import type { Place, Walk } from './walk.ts';

/** The root as the endpoint may see it; `restore` covers what was done to the root itself and to everything in it. */
export function projectRoot(root: JsonObject, walk: Walk): Projected {
  const start: Place = { pointer: '', depth: 0, path: [''] };
  // A reference at the root is one more part of it, like those of `allOf`.
  const { $ref: reference, allOf, ...own } = modernise(root, '', walk.log);
  const parts = [
    ...(reference === undefined ? [] : [{ $ref: reference }]),
    ...(isJsonArray(allOf) ? allOf : []),
  ];
  const merged = mergeAllOf({ ...own, allOf: parts }, start, walk);
  if (merged === undefined) {
    walk.giveUp('', 'nothing matches the schema');
    return { schema: {} };
  }
  const place = { ...start, path: merged.path };
  const node = withoutRefused(withoutUnion(merged.node, place, walk), walk);
  const types = typesOf(node);
  if (types !== undefined && !types.includes('object'))
    walk.giveUp('', 'the root does not describe an object');
  const open: JsonObject = { ...node, type: 'object' };
  if (unionKeyword(node) !== undefined) return wrap(open, place, walk);
  const projected = walk.project(open, place);
  if (projected.never === true) walk.giveUp('', 'nothing matches the schema');
  return projected;
}

function withoutRefused(node: JsonObject, walk: Walk): JsonObject {
  const refused = walk.profile.rootWithout?.filter((keyword) => Object.hasOwn(node, keyword)) ?? [];
  for (const keyword of refused)
    walk.log.add('dropped', `/${keyword}`, 'warning', 'the endpoint refuses it at the root');
  return Object.fromEntries(Object.entries(node).filter(([keyword]) => !refused.includes(keyword)));
}

/** Unions that need no union: those of required members only, and those with one branch. */
function withoutUnion(node: JsonObject, place: Place, walk: Walk): JsonObject {
  const keyword = unionKeyword(node);
  if (keyword === undefined) return node;
  const { [keyword]: list, ...rest } = node;
  const branches = isJsonArray(list) ? list : [];
  const required = requiredOnly(branches);
  if (required !== undefined)
    return withoutUnion(restated(rest, keyword, required, place, walk), place, walk);
  const [only] = branches;
  if (branches.length !== 1 || !isJsonObject(only)) return node;
  const merged = mergeAllOf({ allOf: [only] }, below(place, keyword, 0), walk);
  if (merged === undefined) return rest;
  return withoutUnion(mergeSchemas(rest, merged.node, '', walk.log), { ...place, path: merged.path }, walk);
}

/** Puts a root that is a union under one member, because no endpoint takes a union at the root. */
function wrap(node: JsonObject, place: Place, walk: Walk): Projected {
  const { profile } = walk;
  const name = 'input';
  walk.log.add('relocated', '', 'info', 'the union at the root is offered under one member');
  const { $defs: _defs, definitions: _definitions, ...inner } = node;
  const projected = walk.project(inner, { ...place, depth: 1 });
  if (projected.never === true) walk.giveUp('', 'nothing matches the schema');
  const unwrap = unwrapMember(name);
  const inside = projected.restore;
  return {
    schema: {
      type: spellType('object', profile),
      properties: { [name]: projected.schema },
      required: [name],
      ...(keeps('additionalProperties', profile) ? { additionalProperties: false } : {}),
    },
    restore: (value) => (inside === undefined ? unwrap(value) : inside(unwrap(value))),
  };
}
