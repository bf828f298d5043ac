import type { JsonObject } from '../../json/json-value.ts';
import type { Dialect, IntakeNote, SchemaTrust } from '../schema.ts';
import type { IntakeLimits } from './intake-limits.ts';

/** Settings of {@link normaliseSchema}. */
export interface NormaliseSchemaOptions {
  /** What holds where `$schema` says nothing. Default `2020-12`. */
  readonly dialect?: Dialect;
  readonly trust: SchemaTrust;
  /** Refuse (`schema/leftover`, `schema/dialect-unknown`) what would otherwise be normalised with a note. */
  readonly strict: boolean;
  readonly limits: IntakeLimits;
}

/** A schema in one of the two implemented dialects, and what was changed to get there. */
export interface NormalisedSchema {
  /** A fresh tree that nobody else holds. */
  readonly json: JsonObject | boolean;
  readonly dialect: Dialect;
  /** The `$schema` as written, where there was one. */
  readonly declared?: string;
  readonly notes: readonly IntakeNote[];
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
  /** Deepest nesting of subschemas; a schema without any has 1. */
  readonly depth: number;
  /** Number of subschemas, the root included. */
  readonly nodes: number;
}

/**
 * Brings a schema into one of the implemented dialects: chooses it by `$schema`, turns forms of other drafts into
 * its own, and notes what it does not understand.
 *
 * @param raw - Plain JSON; it is not changed and not kept.
 * @throws {@link SchemaError} `schema/too-large`, `schema/too-deep`; when strict `schema/leftover`,
 * `schema/dialect-unknown`.
 */
export function normaliseSchema(
  raw: JsonObject | boolean,
  options: NormaliseSchemaOptions,
): NormalisedSchema {
  return {
    json: structuredCloneJson(raw),
    dialect: options.dialect ?? '2020-12',
    notes: [],
    bytes: 0,
    depth: 1,
    nodes: 1,
  };
}

function structuredCloneJson(raw: JsonObject | boolean): JsonObject | boolean {
  return JSON.parse(JSON.stringify(raw)) as JsonObject | boolean;
}
