import { cloneJson, freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Loss } from '../codec/loss.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { memberOf } from '../codec/wire-reader.ts';
import { createNameMap, type NameMap } from '../naming/name-map.ts';
import { createDefinitions, withDefinitions } from './definitions.ts';
import { projectNode } from './project-node.ts';
import { projectRoot } from './project-root.ts';
import { createReferences, type References } from './references.ts';
import { chain, type Restore, restoreNames } from './restore.ts';
import type { SchemaProfile } from './schema-profile.ts';
import { SCHEMA_PROFILES, type SchemaTarget } from './schema-profiles.ts';
import { exceededLimit } from './strict-limits.ts';
import type { Place, ProjectionLimits, Walk } from './walk.ts';

/** How well a schema fits an endpoint: within its strict mode, without it, or not at all. */
export type SchemaFit = 'strict' | 'plain' | 'unfit';

/** A tool's argument schema as one endpoint may see it. Frozen. */
export interface SchemaProjection {
  /** What to send. With `unfit` it only says that an object is expected, and the tool should be left out. */
  readonly schema: JsonObject;
  readonly fit: SchemaFit;
  /** Every keyword that was left out, changed or moved, with its pointer in the schema as written. */
  readonly losses: readonly Loss[];
  /**
   * Turns arguments that a model wrote for the projected schema into arguments for the original one: aliases become
   * names, `null` for an absent member becomes absence, a wrapped root is unwrapped. Never changes its argument. The
   * result still has to be validated against the original schema.
   */
  readonly restore: (value: JsonValue) => JsonValue;
  /** Whether `restore` can change anything at all. */
  readonly restores: boolean;
}

const LIMITS: ProjectionLimits = Object.freeze({ recursionDepth: 2, maxNodes: 4000, maxDepth: 64 });

/**
 * Projects a JSON Schema onto what one endpoint accepts. The result depends on nothing but the arguments; the schema is
 * not changed. A schema that breaks the rules of a strict mode is projected again for the same endpoint without it.
 *
 * @param target - A known endpoint, or your own {@link SchemaProfile}.
 */
export function projectSchema(
  schema: JsonObject,
  target: SchemaTarget | SchemaProfile,
  limits?: Partial<ProjectionLimits>,
): SchemaProjection {
  const profile = typeof target === 'string' ? SCHEMA_PROFILES[target] : target;
  const bounds = { ...LIMITS, ...limits };
  const references = createReferences(schema);
  const first = attempt(schema, profile, references, bounds);
  if (profile.strict === undefined || first.notStrict === undefined || first.lost) return first.projection;
  const second = attempt(schema, profile.strict.fallback, references, bounds).projection;
  return Object.freeze({ ...second, losses: Object.freeze([first.notStrict, ...second.losses]) });
}

interface Attempt {
  readonly projection: SchemaProjection;
  /** Why it is not strict. */
  readonly notStrict: Loss | undefined;
  /** Whether it cannot be projected at all. */
  readonly lost: boolean;
}

function attempt(
  schema: JsonObject,
  profile: SchemaProfile,
  references: References,
  limits: ProjectionLimits,
): Attempt {
  const log = createLossLog();
  const definitions = createDefinitions();
  const names = aliases(profile, references);
  let notStrict: Loss | undefined;
  let lost = false;
  let nodes = 0;

  const walk: Walk = {
    profile,
    limits,
    references,
    definitions,
    names,
    log,
    project: (node, place) => projectNode(node, place, walk),
    spend(place: Place) {
      if (lost) return false;
      nodes += 1;
      if (nodes <= limits.maxNodes && place.depth <= limits.maxDepth) return true;
      walk.giveUp(
        place.pointer,
        nodes > limits.maxNodes ? 'the schema is too large' : 'the schema is nested too deep',
      );
      return false;
    },
    mayInline: () => nodes * 2 < limits.maxNodes,
    refuseStrict(path, detail) {
      notStrict ??= Object.freeze({ code: 'approximated', path, severity: 'warning', detail });
    },
    giveUp(path, detail) {
      if (!lost) log.add('refused', path, 'error', detail);
      lost = true;
    },
  };

  const root = projectRoot(schema, walk);
  definitions.complete(({ pointer, schema: target }) => {
    const shared = walk.project(target, { pointer, depth: 1, path: [pointer] });
    // What refers to it is written already, and no endpoint has a word for what nothing matches.
    if (shared.never === true) walk.giveUp(pointer, 'nothing matches the schema that is referred to');
    return shared;
  });
  const projected = withDefinitions(root.schema, definitions.schemas());
  const { strict } = profile;
  if (strict !== undefined) {
    const limit = exceededLimit(projected, strict);
    if (limit !== undefined) walk.refuseStrict('', limit);
    if (!strict.recursion && definitions.isRecursive())
      walk.refuseStrict('', 'a recursive schema cannot be strict');
  }
  const restore: Restore = chain([root.restore, names === undefined ? undefined : restoreNames(names)]);
  const projection: SchemaProjection = Object.freeze({
    schema: lost ? freezeJson({ type: 'object' }) : freezeJson(cloneJson(projected)),
    fit: lost ? 'unfit' : strict === undefined ? 'plain' : 'strict',
    losses: Object.freeze(log.losses),
    restore: lost ? (value: JsonValue) => value : restore,
    restores: !lost && (root.restore !== undefined || names !== undefined),
  });
  return { projection, notStrict, lost };
}

/** Aliases for all member names of the schema, when one of them needs one. */
function aliases(profile: SchemaProfile, references: References): NameMap | undefined {
  if (profile.memberNames === undefined) return undefined;
  const members = references.schemas.flatMap(({ schema }) => {
    const described = memberOf(schema, 'properties');
    return isJsonObject(described) ? Object.keys(described) : [];
  });
  const names = createNameMap(members, profile.memberNames);
  return members.some((member) => names.toWire(member) !== member) ? names : undefined;
}
