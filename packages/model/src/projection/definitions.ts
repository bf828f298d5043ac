import type { JsonObject } from '@toolgate/core';
import { createNameMap } from '../naming/name-map.ts';
import type { Projected } from './projected.ts';
import type { ReferenceTarget } from './references.ts';

/** The shared schemas of one projection, for endpoints that know `$ref`. */
export interface Definitions {
  /** A reference to the target; the target is projected later and once. */
  reference(target: ReferenceTarget): Projected;
  /** Projects what was referred to, until nothing new comes up. */
  complete(project: (target: ReferenceTarget) => Projected): void;
  /** The projected schemas by name, in the order in which they were referred to. */
  schemas(): JsonObject;
  /** Whether a definition leads back to itself. */
  isRecursive(): boolean;
}

const DEFINITION_NAMES = { minLength: 1, maxLength: 64, first: 'A-Za-z_', rest: 'A-Za-z0-9_' };

/** Makes the table of one projection. */
export function createDefinitions(): Definitions {
  const names = createNameMap([], DEFINITION_NAMES);
  const targets = new Map<string, { readonly name: string; readonly target: ReferenceTarget }>();
  const projected = new Map<string, Projected>();
  const uses = new Map<string, Set<string>>();
  let current = '';

  return {
    reference(target) {
      const known = targets.get(target.pointer);
      const name = known?.name ?? names.toWire(nameOf(target.pointer, targets.size, names));
      if (known === undefined) targets.set(target.pointer, { name, target });
      let used = uses.get(current);
      if (used === undefined) {
        used = new Set();
        uses.set(current, used);
      }
      used.add(name);
      return {
        schema: { $ref: `#/$defs/${name}` },
        restore: (value) => {
          const restore = projected.get(name)?.restore;
          return restore === undefined ? value : restore(value);
        },
      };
    },
    complete(project) {
      // A map may grow while it is walked; the new entries come last.
      for (const { name, target } of targets.values()) {
        current = name;
        projected.set(name, project(target));
      }
    },
    schemas: () => Object.fromEntries([...projected].map(([name, { schema }]) => [name, schema])),
    isRecursive: () => hasCycle(uses),
  };
}

/** The last part of the pointer, made unique by the number of the definition where two end alike. */
function nameOf(
  pointer: string,
  count: number,
  names: { fromWire(name: string): string | undefined },
): string {
  const last = pointer.slice(pointer.lastIndexOf('/') + 1) || 'root';
  return names.fromWire(last) === undefined ? last : `${last}_${count}`;
}

/** Whether following the uses can go on for ever: taking away what uses nothing leaves something. */
function hasCycle(uses: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const users = new Map<string, string[]>();
  const open = new Map<string, number>();
  for (const [user, used] of uses) {
    open.set(user, used.size);
    for (const name of used) {
      if (!open.has(name)) open.set(name, uses.get(name)?.size ?? 0);
      const known = users.get(name);
      if (known === undefined) users.set(name, [user]);
      else known.push(user);
    }
  }
  const done = [...open].filter(([, count]) => count === 0).map(([name]) => name);
  for (const name of done) {
    for (const user of users.get(name) ?? []) {
      const left = (open.get(user) ?? 0) - 1;
      open.set(user, left);
      if (left === 0) done.push(user);
    }
  }
  return done.length < open.size;
}

/** The schema with the definitions that its references need. */
export function withDefinitions(schema: JsonObject, definitions: JsonObject): JsonObject {
  return Object.keys(definitions).length === 0 ? schema : { ...schema, $defs: definitions };
}
