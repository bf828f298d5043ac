import { appendPointer, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray, memberOf, setMember } from '../codec/wire-reader.ts';
import { allowsNull } from './allows-null.ts';
import type { Draft } from './draft.ts';
import { keeps, nullable } from './leaf.ts';
import { typesOf } from './node-types.ts';
import { below } from './place.ts';
import type { Projected } from './projected.ts';
import { withNotes } from './restate.ts';
import { type MemberRestore, type Restore, restoreObject } from './restore.ts';
import type { Place, Walk } from './walk.ts';

/** Writes the members of an object. */
export function projectObject(node: JsonObject, draft: Draft, place: Place, walk: Walk): Restore | undefined {
  const described = memberOf(node, 'properties');
  const required = namesIn(memberOf(node, 'required'));
  const members: Record<string, JsonValue> = {};
  const restores = new Map<string, MemberRestore>();
  const offered: string[] = [];

  for (const [name, schema] of isJsonObject(described) ? Object.entries(described) : []) {
    const at = below(place, 'properties', name);
    const projected = walk.project(schema, at);
    if (projected.never === true) {
      walk.log.add('dropped', at.pointer, 'info', 'a member that nothing matches is not offered');
      continue;
    }
    const wireName = walk.names?.toWire(name) ?? name;
    const asNull = walk.profile.strict?.nullableForOptional === true && !required.includes(name);
    const absentAsNull = asNull && !allowsNull(schema, walk.references);
    setMember(members, wireName, finishMember(projected, name, wireName, absentAsNull, at, walk));
    if (absentAsNull || projected.restore !== undefined) {
      restores.set(wireName, { absentAsNull, ...(projected.restore ? { restore: projected.restore } : {}) });
    }
    if (asNull || required.includes(name)) offered.push(wireName);
  }
  writeMembers(members, isJsonObject(described), node, draft, walk);
  writeRequired(required, members, offered, draft, place, walk);
  writeOthers(node, draft, place, walk);
  return restoreObject(restores);
}

function writeMembers(
  members: JsonObject,
  described: boolean,
  node: JsonObject,
  draft: Draft,
  walk: Walk,
): void {
  const { emptyProperties, strict } = walk.profile;
  const isEmpty = Object.keys(members).length === 0;
  const isObject = typesOf(node)?.includes('object') === true && memberOf(node, 'type') !== undefined;
  const needed = strict !== undefined || (emptyProperties === 'require' && isObject);
  if (isEmpty ? needed || (described && emptyProperties === 'keep') : described)
    draft.set('properties', members);
}

function finishMember(
  { schema }: Projected,
  name: string,
  wireName: string,
  absentAsNull: boolean,
  place: Place,
  walk: Walk,
): JsonObject {
  const offered = absentAsNull ? nullable(schema, walk.profile) : schema;
  if (name === wireName) return offered;
  walk.log.add(
    'approximated',
    place.pointer,
    'info',
    'the endpoint does not accept the name; an alias stands for it',
  );
  const words = withNotes(memberOf(offered, 'description'), [`stands for ${JSON.stringify(name)}`]);
  const hasPlace = !Object.hasOwn(offered, 'anyOf') || walk.profile.unions !== 'bare';
  return hasPlace && words !== undefined && !Object.hasOwn(offered, '$ref')
    ? { ...offered, description: words }
    : offered;
}

function writeRequired(
  required: readonly string[],
  members: JsonObject,
  offered: readonly string[],
  draft: Draft,
  place: Place,
  walk: Walk,
): void {
  const at = appendPointer(place.pointer, 'required');
  const others: string[] = [];
  for (const name of required) {
    const wireName = walk.names?.toWire(name) ?? name;
    if (Object.hasOwn(members, wireName)) continue;
    if (walk.profile.strict !== undefined) walk.refuseStrict(at, 'a required member without a schema');
    if (!walk.profile.requiredDescribed) others.push(wireName);
    else {
      walk.log.add('dropped', at, 'warning', 'a required member without a schema is said in words');
      draft.note(`needs the member ${name}`);
    }
  }
  const all = [...offered, ...others];
  if (
    all.length > 0 ||
    draft.source('required') !== undefined ||
    walk.profile.strict?.nullableForOptional === true
  ) {
    if (all.length > 0 || walk.profile.strict !== undefined) draft.set('required', all);
  }
}

/** Writes what other members may be; a strict mode allows none. */
function writeOthers(node: JsonObject, draft: Draft, place: Place, walk: Walk): void {
  const { profile } = walk;
  const others = memberOf(node, 'additionalProperties');
  if (profile.strict !== undefined) {
    const isOpen = others !== undefined && others !== false;
    const isMap = others === undefined && memberOf(node, 'properties') === undefined && place.depth > 0;
    if (isOpen || isMap || memberOf(node, 'patternProperties') !== undefined) {
      walk.refuseStrict(place.pointer, 'an object with free member names cannot be strict');
    }
    draft.set('additionalProperties', false);
    return;
  }
  if (others === undefined) return;
  if (!keeps('additionalProperties', profile)) {
    if (others === false) draft.omit('additionalProperties', 'info');
    else draft.drop('additionalProperties');
  } else if (typeof others === 'boolean') draft.set('additionalProperties', others);
  else {
    const projected = walk.project(others, below(place, 'additionalProperties'));
    draft.set('additionalProperties', projected.never === true ? false : projected.schema);
  }
}

function namesIn(required: JsonValue | undefined): readonly string[] {
  return isJsonArray(required) ? required.filter((name) => typeof name === 'string') : [];
}
