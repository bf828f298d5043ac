import type { JsonValue } from '@toolgate/core';
import type { LossLog } from '../codec/loss-log.ts';
import type { NameMap } from '../naming/name-map.ts';
import type { Definitions } from './definitions.ts';
import type { Projected } from './projected.ts';
import type { References } from './references.ts';

import type { SchemaProfile } from './schema-profile.ts';

/** Bounds of one projection. */
export interface ProjectionLimits {
  /** How often one schema may stand inside itself where references are inlined. Default 2. */
  readonly recursionDepth: number;
  /** Schemas written; a reference met after half of them is replaced by a leaf that takes anything. Default 4000. */
  readonly maxNodes: number;
  /** Schemas inside each other. Default 64. */
  readonly maxDepth: number;
}

/** Where the walk is. */
export interface Place {
  /** In the schema as written. */
  readonly pointer: string;
  readonly depth: number;
  /** Pointers of the schemas that were entered by following a reference, outermost first. */
  readonly path: readonly string[];
}

/** Everything one projection shares. */
export interface Walk {
  readonly profile: SchemaProfile;
  readonly limits: ProjectionLimits;
  readonly references: References;
  readonly definitions: Definitions;
  /** Aliases of member names, where the profile restricts them. */
  readonly names: NameMap | undefined;
  readonly log: LossLog;
  /** Projects a subschema. */
  project(node: JsonValue, place: Place): Projected;
  /** Counts one schema; `false` when there may be no more. */
  spend(place: Place): boolean;
  /** Whether references may still be inlined. */
  mayInline(): boolean;
  /** The schema cannot be used in the strict mode of the profile. */
  refuseStrict(pointer: string, detail: string): void;
  /** The schema cannot be projected at all. */
  giveUp(pointer: string, detail: string): void;
}
