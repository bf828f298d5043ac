import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf } from '../codec/wire-reader.ts';
import { annotationsOf, describe, describeUnion, NEVER, nullable } from './leaf.ts';
import { below } from './place.ts';
import type { Projected } from './projected.ts';
import { restateChoice, withNotes } from './restate.ts';
import { restoreUnion } from './restore.ts';
import type { Place, Walk } from './walk.ts';

type UnionKeyword = 'anyOf' | 'oneOf';

/** Keywords of a branch that only says which members must be there. */
const REQUIRED_ONLY: ReadonlySet<string> = new Set(['description', 'required', 'title', 'type']);

/** The union in a schema that is projected first. */
export function unionKeyword(node: JsonObject): UnionKeyword | undefined {
  return (['anyOf', 'oneOf'] as const).find((keyword) => isJsonArray(memberOf(node, keyword)));
}

/** Projects a schema with `anyOf` or `oneOf`. */
export function projectUnion(node: JsonObject, keyword: UnionKeyword, place: Place, walk: Walk): Projected {
  const { [keyword]: list, ...rest } = node;
  const branches: JsonArray = isJsonArray(list) ? list : [];
  if (walk.profile.unions === 'keep') return keepUnion(keyword, branches, rest, place, walk);
  const required = requiredOnly(branches);
  if (required !== undefined) return walk.project(restated(rest, keyword, required, place, walk), place);
  if (keyword === 'oneOf') {
    walk.log.add('approximated', below(place, keyword).pointer, 'info', 'oneOf is offered like anyOf');
  }
  const { title: _title, description: _description, ...siblings } = rest;
  const shared = Object.keys(siblings).length === 0 ? [] : [siblings];
  const projected = branches
    .map((branch, index) =>
      walk.project(
        shared.length === 0 ? branch : { allOf: [branch, ...shared] },
        below(place, keyword, index),
      ),
    )
    .filter(({ never }) => never !== true);
  return join(projected, annotationsOf(rest, walk.profile), walk);
}

/** Branches that only name required members; they are said in words where they cannot be said otherwise. */
export function requiredOnly(branches: JsonArray): readonly JsonObject[] | undefined {
  const found = branches.filter(
    (branch): branch is JsonObject =>
      isJsonObject(branch) &&
      isJsonArray(branch['required']) &&
      Object.keys(branch).every((keyword) => REQUIRED_ONLY.has(keyword)),
  );
  return found.length === branches.length ? found : undefined;
}

/** The schema without a union of required members, which its description then says. */
export function restated(
  rest: JsonObject,
  keyword: UnionKeyword,
  branches: readonly JsonObject[],
  place: Place,
  walk: Walk,
): JsonObject {
  walk.log.add(
    'dropped',
    below(place, keyword).pointer,
    'warning',
    'a choice of required members is said in words',
  );
  const note = restateChoice(keyword, branches);
  const description = withNotes(rest['description'], note === undefined ? [] : [note]);
  return description === undefined ? rest : { ...rest, description };
}

function keepUnion(
  keyword: UnionKeyword,
  branches: JsonArray,
  rest: JsonObject,
  place: Place,
  walk: Walk,
): Projected {
  const beside = walk.project(rest, place);
  const kept = branches
    .map((branch, index) => walk.project(branch, below(place, keyword, index)))
    .filter(({ never }) => never !== true);
  if (beside.never === true || kept.length === 0) return NEVER;
  return { schema: { ...beside.schema, [keyword]: kept.map(({ schema }) => schema) } };
}

/** One schema for all branches; `null` alone among them makes the others nullable where the profile says it so. */
function join(branches: readonly Projected[], notes: JsonObject, walk: Walk): Projected {
  const { profile } = walk;
  const solid =
    profile.nulls === 'keyword' ? branches.filter(({ schema }) => !isNull(schema['type'])) : branches;
  const [first, ...others] = solid.length === 0 ? branches : solid;
  if (first === undefined) return NEVER;
  const isNullable = solid.length < branches.length && solid.length > 0;
  const finish = (schema: JsonObject): JsonObject => (isNullable ? nullable(schema, profile) : schema);
  if (others.length === 0) {
    return {
      schema: finish(describe(notes, first.schema, profile)),
      ...(first.restore ? { restore: first.restore } : {}),
    };
  }
  const all = [first, ...others];
  const restore = restoreUnion(all, () => walk.definitions.schemas());
  const schema = finish(
    describeUnion(
      notes,
      all.map((each) => each.schema),
      profile,
    ),
  );
  return restore === undefined ? { schema } : { schema, restore };
}

function isNull(type: JsonValue | undefined): boolean {
  return type === 'null' || type === 'NULL';
}
