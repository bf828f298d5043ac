import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, setMember } from '../codec/wire-reader.ts';
import { createDraft, type Draft } from './draft.ts';
import { anyLeaf, keeps, NEVER, nullable, shown, spellType } from './leaf.ts';
import { speaksAbout, typesOf } from './node-types.ts';
import { below } from './place.ts';
import { projectArray } from './project-array.ts';
import { projectObject } from './project-object.ts';
import { projectValues } from './project-values.ts';
import type { Projected } from './projected.ts';
import { holds } from './subschemas.ts';
import type { Place, Walk } from './walk.ts';

/** Keywords that get their own treatment below; the others stay or go by the table. */
const HANDLED: ReadonlySet<string> = new Set([
  '$defs',
  'additionalProperties',
  'const',
  'definitions',
  'description',
  'enum',
  'items',
  'prefixItems',
  'properties',
  'required',
  'type',
]);

/** Projects a schema without references and without unions of its own. */
export function projectPlain(node: JsonObject, place: Place, walk: Walk): Projected {
  const { profile } = walk;
  const types = typesOf(node);
  if (types === undefined && profile.typed) return anyLeaf(node, place, walk);
  if (types?.length === 0) return NEVER;
  const solid = types?.filter((type) => type !== 'null') ?? [];
  if (profile.nulls === 'keyword' && solid.length > 1) return splitTypes(node, types ?? [], place, walk);

  const draft = createDraft(node, place, walk);
  writeType(node, types, draft, walk);
  for (const [keyword, value] of Object.entries(node)) {
    if (profile.typed && types !== undefined && !speaksAbout(keyword, types)) draft.omit(keyword, 'info');
    else if (!HANDLED.has(keyword)) writeKeyword(keyword, value, types ?? [], draft, place, walk);
  }
  projectValues(node, draft, walk);
  const restores = [
    ...(types?.includes('array') === true || !profile.typed ? [projectArray(node, draft, place, walk)] : []),
    ...(types?.includes('object') === true || !profile.typed
      ? [projectObject(node, draft, place, walk)]
      : []),
  ];
  const schema = draft.finish();
  const isNullable = profile.nulls === 'keyword' && types?.includes('null') === true && solid.length > 0;
  const restore = restores.find((each) => each !== undefined);
  return {
    schema: isNullable ? nullable(schema, profile) : schema,
    ...(restore === undefined ? {} : { restore }),
  };
}

function writeType(
  node: JsonObject,
  types: readonly string[] | undefined,
  draft: Draft,
  { profile }: Walk,
): void {
  if (types === undefined || (!profile.typed && memberOf(node, 'type') === undefined)) return;
  const named =
    profile.nulls === 'keyword' && types.length > 1 ? types.filter((type) => type !== 'null') : types;
  const spelled = named.map((type) => spellType(type, profile));
  draft.set('type', spelled.length === 1 ? (spelled[0] ?? '') : spelled);
}

/** One schema per type, for endpoints where a schema has one type and only its keywords. */
function splitTypes(node: JsonObject, types: readonly string[], place: Place, walk: Walk): Projected {
  const { title, description, type: _type, ...rest } = node;
  return walk.project(
    {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      anyOf: types.map((type) => ({
        type,
        ...Object.fromEntries(Object.entries(rest).filter(([keyword]) => speaksAbout(keyword, [type]))),
      })),
    },
    place,
  );
}

function writeKeyword(
  keyword: string,
  value: JsonValue,
  types: readonly string[],
  draft: Draft,
  place: Place,
  walk: Walk,
): void {
  const { profile } = walk;
  if (!keeps(keyword, profile)) {
    if (!tighten(keyword, value, types, draft, walk)) draft.drop(keyword);
  } else if (keyword === 'format' && !isKnownFormat(value, profile.formats)) draft.drop(keyword);
  else if (keyword === 'minItems' && typeof value === 'number' && value > (profile.maxMinItems ?? value)) {
    draft.drop(keyword);
  } else draft.set(keyword, projectHeld(keyword, value, place, walk));
}

function isKnownFormat(value: JsonValue, formats: 'all' | readonly string[]): boolean {
  return formats === 'all' || (typeof value === 'string' && formats.includes(value));
}

/** An exclusive bound of an integer said as an inclusive one. */
function tighten(
  keyword: string,
  value: JsonValue,
  types: readonly string[],
  draft: Draft,
  walk: Walk,
): boolean {
  const step = keyword === 'exclusiveMinimum' ? 1 : keyword === 'exclusiveMaximum' ? -1 : 0;
  if (step === 0 || typeof value !== 'number' || types.join() !== 'integer') return false;
  const name = step === 1 ? 'minimum' : 'maximum';
  if (!keeps(name, walk.profile)) return false;
  const bound = (step === 1 ? Math.floor(value) : Math.ceil(value)) + step;
  const known = draft.source(name);
  draft.set(
    name,
    typeof known !== 'number' ? bound : step === 1 ? Math.max(known, bound) : Math.min(known, bound),
  );
  return true;
}

/** The value of a keyword with the schemas in it projected. */
function projectHeld(keyword: string, value: JsonValue, place: Place, walk: Walk): JsonValue {
  switch (holds(keyword)) {
    case 'schema':
      return typeof value === 'boolean'
        ? value
        : shown(walk.project(value, below(place, keyword)), place, walk);
    case 'list':
      return isJsonArray(value)
        ? value.map((each, index) => shown(walk.project(each, below(place, keyword, index)), place, walk))
        : value;
    case 'map': {
      if (!isJsonObject(value)) return value;
      const projected: Record<string, JsonValue> = {};
      for (const [name, each] of Object.entries(value)) {
        setMember(projected, name, shown(walk.project(each, below(place, keyword, name)), place, walk));
      }
      return projected;
    }
    case undefined:
      return value;
  }
}
