import { appendPointer } from '../../json/json-pointer.ts';
import { stringMember } from '../member.ts';
import type { Dialect, SchemaTrust } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';
import { eachSubschema } from '../subschemas.ts';
import type { Draft } from './draft.ts';
import type { IntakeLimits } from './intake-limits.ts';
import type { IntakeNotes } from './intake-notes.ts';
import type { Leftover, LeftoverContext } from './leftover.ts';
import { leftoversIn } from './leftovers.ts';
import { followReferences, rewriteReferences } from './local-references.ts';
import { isHidden, noteHidden, noteIgnored } from './note-ignored.ts';
import { noteUntyped } from './note-untyped.ts';
import { type OwnedSchema, ownedPart, type SchemaPlace, writtenPointer } from './schema-place.ts';

/** What {@link walkSchema} goes by. */
export interface WalkOptions {
  readonly draft: Draft;
  readonly dialect: Dialect;
  readonly trust: SchemaTrust;
  readonly strict: boolean;
  readonly limits: IntakeLimits;
  readonly notes: IntakeNotes;
}

/** What {@link walkSchema} found. */
export interface WalkResult {
  readonly depth: number;
  readonly nodes: number;
  /** Whether anything below the root's `$schema` was changed. */
  readonly isChanged: boolean;
}

interface Walk extends WalkOptions {
  readonly waiting: SchemaPlace[];
  /** Every place that was visited, by its schema. */
  readonly places: Map<object, SchemaPlace>;
  /** Places with a reference that was not followed yet. */
  referring: SchemaPlace[];
  nodes: number;
  depth: number;
  references: number;
  isChanged: boolean;
  /** Whether a subschema stands elsewhere now than as written. */
  isMoved: boolean;
}

/**
 * Visits every subschema once, top down, also those that only a reference leads to, and normalises each in place.
 * Nothing is visited recursively, so depth is a limit and not a danger.
 *
 * @param json - The whole schema, owned by the caller; it is changed.
 * @throws {@link SchemaError} `schema/too-large`, `schema/too-deep`, `schema/leftover`.
 */
export function walkSchema(json: OwnedSchema, options: WalkOptions): WalkResult {
  const root: SchemaPlace = {
    json,
    parent: undefined,
    path: '',
    writtenPath: '',
    resource: undefined,
    depth: 1,
  };
  const walk: Walk = {
    ...options,
    waiting: [root],
    places: new Map(),
    referring: [],
    nodes: 0,
    depth: 1,
    references: 0,
    isChanged: false,
    isMoved: false,
  };
  count(walk, root);
  while (walk.waiting.length > 0) {
    for (let place = walk.waiting.pop(); place !== undefined; place = walk.waiting.pop()) visit(walk, place);
    // A reference may lead to a schema under a keyword that nobody knows.
    const { referring } = walk;
    walk.referring = [];
    for (const place of followReferences(referring, walk.places)) {
      count(walk, place);
      walk.waiting.push(place);
    }
  }
  if (walk.isMoved) rewriteReferences(walk.places);
  return { depth: walk.depth, nodes: walk.nodes, isChanged: walk.isChanged };
}

function visit(walk: Walk, place: SchemaPlace): void {
  if (walk.places.has(place.json)) return;
  walk.places.set(place.json, place);
  let moves: ReadonlyMap<string, string> = unmoved;
  if (isHidden(walk, place)) {
    noteHidden(walk, place);
  } else {
    moves = normalise(walk, place);
    noteIgnored(walk, place);
    noteUntyped(walk.notes, place, walk.dialect);
  }
  countReferences(walk, place);
  const resource = resourceBelow(walk, place);
  const below: SchemaPlace[] = [];
  eachSubschema(place.json, walk.dialect, (json, keyword, key) => {
    const path = key === undefined ? `/${keyword}` : appendPointer(`/${keyword}`, key);
    const child: SchemaPlace = {
      json: typeof json === 'boolean' ? {} : ownedPart(json),
      parent: place,
      path,
      writtenPath: writtenPath(path, moves),
      resource,
      depth: place.depth + 1,
    };
    if (json === true) noteUntyped(walk.notes, child, walk.dialect);
    count(walk, child);
    if (typeof json !== 'boolean') below.push(child);
  });
  for (let child = below.pop(); child !== undefined; child = below.pop()) walk.waiting.push(child);
}

const unmoved: ReadonlyMap<string, string> = new Map();

/** The place that gives the base to what is in `place`: itself where it has an `$id` that is no anchor. */
function resourceBelow(walk: Walk, place: SchemaPlace): SchemaPlace {
  const id = isHidden(walk, place) ? undefined : stringMember(place.json, '$id');
  return place.resource === undefined || (id !== undefined && !id.startsWith('#')) ? place : place.resource;
}

/** Gives a subschema the forms of the dialect; says for what stands elsewhere now where it was written. */
function normalise(walk: Walk, place: SchemaPlace): ReadonlyMap<string, string> {
  const found = leftoversIn(place.json, walk.dialect, walk.trust);
  if (found.length === 0) return unmoved;
  const moves = new Map<string, string>();
  const memberOf = memberOfPlace(place);
  const context = {
    dialect: walk.dialect,
    draft: walk.draft,
    isRoot: place.parent === undefined,
    ...(memberOf === undefined ? {} : { memberOf }),
    resource: resourceBelow(walk, place).json,
  };
  walk.isChanged = true;
  for (const leftover of found) {
    report(walk, place, leftover);
    leftover.replace(place.json, context);
    for (const [to, from] of leftover.moves ?? []) moves.set(to, from);
    walk.isMoved ||= leftover.moves !== undefined;
  }
  return moves;
}

/** The object that has a place as one of its `properties`. */
function memberOfPlace({ parent, path }: SchemaPlace): LeftoverContext['memberOf'] {
  const prefix = '/properties/';
  if (parent === undefined || !path.startsWith(prefix)) return undefined;
  return { schema: parent.json, name: path.slice(prefix.length).replaceAll('~1', '/').replaceAll('~0', '~') };
}

function report(walk: Walk, place: SchemaPlace, { keyword, native, detail }: Leftover): void {
  if (native.includes(walk.draft)) return;
  const pointer = appendPointer(writtenPointer(place), keyword);
  if (walk.strict)
    throw new SchemaError('schema/leftover', `${keyword} has a form of another draft: ${detail}`, {
      pointer,
    });
  walk.notes.add('normalised', pointer, detail);
}

function countReferences(walk: Walk, place: SchemaPlace): void {
  if (!Object.hasOwn(place.json, '$ref') && !Object.hasOwn(place.json, '$dynamicRef')) return;
  walk.references += 1;
  walk.referring.push(place);
  if (walk.references > walk.limits.maxReferences) throw tooLarge(walk, place, 'references', 'maxReferences');
}

function count(walk: Walk, place: SchemaPlace): void {
  walk.nodes += 1;
  walk.depth = Math.max(walk.depth, place.depth);
  if (walk.nodes > walk.limits.maxNodes) throw tooLarge(walk, place, 'subschemas', 'maxNodes');
  if (place.depth > walk.limits.maxDepth) {
    throw new SchemaError(
      'schema/too-deep',
      `Subschemas are nested deeper than ${walk.limits.maxDepth} (maxDepth)`,
      {
        pointer: writtenPointer(place),
      },
    );
  }
}

function tooLarge(
  walk: Walk,
  place: SchemaPlace,
  what: string,
  limit: 'maxNodes' | 'maxReferences',
): SchemaError {
  return new SchemaError(
    'schema/too-large',
    `The schema has more than ${walk.limits[limit]} ${what} (${limit})`,
    {
      pointer: writtenPointer(place),
    },
  );
}

function writtenPath(path: string, moves: ReadonlyMap<string, string>): string {
  for (const [to, from] of moves) {
    if (path === to || path.startsWith(`${to}/`)) return `${from}${path.slice(to.length)}`;
  }
  return path;
}
