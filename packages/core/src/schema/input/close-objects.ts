import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { OwnedSchema } from '../intake/schema-place.ts';
import { ownedPart } from '../intake/schema-place.ts';
import { isJsonArray, member } from '../member.ts';
import { splitUri } from '../reference/schema-uri.ts';
import type { Dialect } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';
import { createMemberOverlap, type MemberOverlap, type PartKeys } from './member-overlap.ts';
import { layoutOf, namesMembers, type SchemaLayout } from './schema-layout.ts';

/** Settings of {@link closeObjects}. */
export interface CloseObjectsOptions {
  /**
   * `exclusive`: the branches of a union stand for types, and a value is of one of them, as libraries mean it.
   * `overlapping`: nothing is known, so that branches of `oneOf` are left as they are.
   */
  readonly alternatives: 'exclusive' | 'overlapping';
  /** Default `2020-12`. */
  readonly dialect?: Dialect;
}

/**
 * Closes every object description that does not say itself what becomes of unknown members. An object that one
 * subschema describes gets `additionalProperties: false`; one that several describe together (`allOf`, `$ref` with
 * siblings) gets `unevaluatedProperties: false` where they meet, since closing each would refuse the others'
 * members. A member that several subschemas describe is left open inside. Never widens what is accepted.
 *
 * @param root - Owned by the caller; it is changed.
 * @throws {@link SchemaError} `schema/input-unsupported` where it cannot be done.
 */
export function closeObjects(root: OwnedSchema, options: CloseObjectsOptions): void {
  const resolve = (reference: string): OwnedSchema | undefined => resolveLocal(root, reference);
  const closing: Closing = {
    root,
    options,
    resolve,
    overlap: createMemberOverlap(resolve),
    whole: new Set(),
    parts: new Map(),
    open: new Set(),
    waiting: [{ schema: root, role: 'whole', shared: new Set() }],
  };
  for (let visit = closing.waiting.pop(); visit !== undefined; visit = closing.waiting.pop())
    assign(closing, visit);
  for (const schema of closing.whole) close(closing, schema);
}

interface Closing {
  readonly root: OwnedSchema;
  readonly options: CloseObjectsOptions;
  readonly resolve: (reference: string) => OwnedSchema | undefined;
  readonly overlap: MemberOverlap;
  /** Schemas that describe a value alone. */
  readonly whole: Set<OwnedSchema>;
  /** Schemas that describe a value with others, each with the keys it was visited with. */
  readonly parts: Map<OwnedSchema, Set<string>>;
  /** Schemas that stay as they are. */
  readonly open: Set<OwnedSchema>;
  readonly waiting: Visit[];
}

interface Visit {
  readonly schema: OwnedSchema;
  readonly role: 'whole' | 'part' | 'open';
  /** Keys that others describe too. */
  readonly shared: PartKeys;
}

/** Notes one role of a schema, and passes roles on to what is below it. A schema may have several, by references. */
function assign(closing: Closing, { schema, role, shared }: Visit): void {
  if (!isNews(closing, schema, role, shared)) return;
  if (schema !== closing.root && Object.hasOwn(schema, '$id')) throw unsupported('it has an $id inside');
  const layout = layoutOf(schema);
  const send = (schemas: readonly OwnedSchema[], to: Visit['role'], keys: PartKeys = new Set()): void => {
    for (const below of schemas) closing.waiting.push({ schema: below, role: to, shared: keys });
  };
  const positions = layout.positions.map((position) => position.schema);
  const target = layout.reference === undefined ? [] : [resolveOrFail(closing, layout.reference)];
  const branches = layout.alternatives.flatMap((union) => union.branches);
  if (role === 'open') {
    send([...positions, ...layout.together, ...branches, ...layout.untouchable, ...target], 'open');
    return;
  }
  send(layout.untouchable, 'open');
  if (role === 'whole' && delegates(closing, schema, layout)) {
    send([...branches, ...target], 'whole');
    return;
  }
  const all = new Set([...shared, ...closing.overlap.sharedIn(schema)]);
  for (const { key, schema: below } of layout.positions) send([below], all.has(key) ? 'open' : 'whole');
  send([...layout.together, ...target], 'part', all);
  for (const { keyword, branches: each } of layout.alternatives) {
    const isLeft = keyword === 'oneOf' && closing.options.alternatives === 'overlapping';
    send(each, isLeft ? 'open' : 'part', all);
  }
}

function isNews(closing: Closing, schema: OwnedSchema, role: Visit['role'], shared: PartKeys): boolean {
  if (role !== 'part') {
    const before = closing[role].size;
    return closing[role].add(schema).size > before;
  }
  const key = [...shared].toSorted().join('\n');
  const earlier = closing.parts.get(schema) ?? new Set<string>();
  closing.parts.set(schema, earlier);
  const before = earlier.size;
  return earlier.add(key).size > before;
}

/** Whether a schema says nothing of members itself and leaves it all to one reference or to one union. */
function delegates(closing: Closing, schema: OwnedSchema, layout: SchemaLayout): boolean {
  if (namesMembers(schema) || layout.together.length > 0 || layout.positions.length > 0) return false;
  const [union, second] = layout.alternatives;
  if (layout.reference !== undefined) return union === undefined;
  if (union === undefined || second !== undefined) return false;
  return union.keyword === 'anyOf' || closing.options.alternatives === 'exclusive';
}

function close(closing: Closing, schema: OwnedSchema): void {
  const layout = layoutOf(schema);
  if (delegates(closing, schema, layout)) {
    const target = layout.reference === undefined ? undefined : closing.resolve(layout.reference);
    // Closed inside, the target would refuse the members of those that use it as a part.
    if (target === undefined || !namesAnyMember(closing, target)) return;
    if (isUsedOpen(closing, target) && !isUsedOpen(closing, schema)) seal(closing, schema);
    return;
  }
  if (isUsedOpen(closing, schema)) {
    if (schema === closing.root) throw unsupported('its root is a part of itself');
    return;
  }
  if (Object.hasOwn(schema, 'additionalProperties') || Object.hasOwn(schema, 'unevaluatedProperties')) return;
  if (describesInPlace(closing, layout)) seal(closing, schema);
  else if (namesMembers(schema)) schema['additionalProperties'] = false;
}

function isUsedOpen(closing: Closing, schema: OwnedSchema): boolean {
  return closing.parts.has(schema) || closing.open.has(schema);
}

/** Whether something that applies to the same value describes members. */
function describesInPlace(closing: Closing, layout: SchemaLayout): boolean {
  const target = layout.reference === undefined ? undefined : closing.resolve(layout.reference);
  const others = [
    ...layout.together,
    ...layout.alternatives.flatMap((union) => union.branches),
    ...(target === undefined ? [] : [target]),
  ];
  return others.some((other) => namesAnyMember(closing, other));
}

function namesAnyMember(closing: Closing, schema: OwnedSchema): boolean {
  return namesMembers(schema) || [...closing.overlap.describedBy(schema)].some((key) => key !== 'items');
}

function seal(closing: Closing, schema: OwnedSchema): void {
  if (Object.hasOwn(schema, 'unevaluatedProperties')) return;
  if (closing.options.dialect === 'draft-07')
    throw unsupported('draft-07 cannot close objects that are described in several places');
  schema['unevaluatedProperties'] = false;
}

function resolveOrFail(closing: Closing, reference: string): OwnedSchema {
  const target = closing.resolve(reference);
  if (target === undefined) throw unsupported('a reference in it is no pointer to an object schema');
  return target;
}

function resolveLocal(root: OwnedSchema, reference: string): OwnedSchema | undefined {
  const fragment = reference.startsWith('#') ? splitUri(reference)?.fragment : undefined;
  if (fragment === undefined || (fragment !== '' && !fragment.startsWith('/'))) return undefined;
  let at: JsonValue | undefined = root;
  for (const token of fragment.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (isJsonArray(at)) at = at[Number(name)];
    else at = isJsonObject(at) ? member(at, name) : undefined;
  }
  return isJsonObject(at) ? ownedPart(at) : undefined;
}

function unsupported(why: string): SchemaError {
  const message = `Unknown members cannot be refused by this schema (${why}); close it yourself and say unknownMembers: 'allow'`;
  return new SchemaError('schema/input-unsupported', message);
}
