import { utf8Bytes } from '../../internal/utf8-bytes.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { member } from '../member.ts';
import type { Dialect, IntakeNote, SchemaTrust } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';
import { type Draft, dialectOf, dialectUri, draftOf } from './draft.ts';
import type { IntakeLimits } from './intake-limits.ts';
import { createIntakeNotes, type IntakeNotes } from './intake-notes.ts';
import { isOpen } from './is-open.ts';
import { ownedCopy, ownedPart } from './schema-place.ts';
import { walkSchema } from './walk-schema.ts';

/** Settings of {@link normaliseSchema}. */
export interface NormaliseSchemaOptions {
  /** What holds where `$schema` says nothing. Default `2020-12`. */
  readonly dialect?: Dialect;
  readonly trust: SchemaTrust;
  /** Refuse (`schema/leftover`, `schema/dialect-unknown`) what would otherwise be normalised with a note. */
  readonly strict: boolean;
  readonly limits: IntakeLimits;
  /** The schema is given away: it may be changed and be part of the answer. Default `false`: it is copied. */
  readonly givenAway?: boolean;
}

/** A schema in one of the two implemented dialects, and what was changed to get there. */
export interface NormalisedSchema {
  /** A tree that nobody else holds: a fresh one, or the one that was given away. */
  readonly json: JsonObject | boolean;
  readonly dialect: Dialect;
  /** The `$schema` as written, where there was one. */
  readonly declared?: string;
  /** At most some 200. */
  readonly notes: readonly IntakeNote[];
  /** Whether the root lets through members that it does not name, without saying so. */
  readonly open?: true;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
  /** Deepest nesting of subschemas; a schema without any has 1. */
  readonly depth: number;
  /** Number of subschemas, the root included. */
  readonly nodes: number;
}

/**
 * Brings a schema into one of the implemented dialects: chooses it by `$schema`, turns forms of other drafts into
 * its own, and notes what it does not understand. Looks only where schemas stand, never into `const`, `enum`,
 * `default` or `examples`. Whether a keyword's value has the right shape is not judged here.
 *
 * @param raw - Plain JSON; unless it is given away, it is not changed and not kept.
 * @throws {@link SchemaError} `schema/too-large`, `schema/too-deep`; when strict `schema/leftover`,
 * `schema/dialect-unknown`.
 */
export function normaliseSchema(
  raw: JsonObject | boolean,
  options: NormaliseSchemaOptions,
): NormalisedSchema {
  const bytes = utf8Bytes(JSON.stringify(raw));
  if (bytes > options.limits.maxBytes) {
    throw new SchemaError(
      'schema/too-large',
      `The schema has more than ${options.limits.maxBytes} bytes (maxBytes)`,
    );
  }
  const notes = createIntakeNotes();
  const declared = typeof raw === 'boolean' ? undefined : member(raw, '$schema');
  const draft = chooseDraft(declared, options, notes);
  const dialect = dialectOf(draft);
  const report = {
    dialect,
    ...(typeof declared === 'string' ? { declared } : {}),
    notes: notes.list,
  };
  if (typeof raw === 'boolean') return { json: raw, ...report, bytes, depth: 1, nodes: 1 };

  const json = options.givenAway === true ? ownedPart(raw) : ownedCopy(raw);
  const isMapped = declared !== undefined && (typeof declared !== 'string' || draftOf(declared) !== dialect);
  if (isMapped) json['$schema'] = dialectUri(dialect);
  const { depth, nodes, isChanged } = walkSchema(json, {
    draft,
    dialect,
    trust: options.trust,
    notes,
    strict: options.strict,
    limits: options.limits,
  });
  return {
    json,
    ...report,
    ...(isOpen(json) ? { open: true } : {}),
    bytes: isMapped || isChanged ? utf8Bytes(JSON.stringify(json)) : bytes,
    depth,
    nodes,
  };
}

function chooseDraft(declared: unknown, options: NormaliseSchemaOptions, notes: IntakeNotes): Draft {
  const fallback = options.dialect ?? '2020-12';
  if (declared === undefined) return fallback;
  const pointer = appendPointer('', '$schema');
  const draft = typeof declared === 'string' ? draftOf(declared) : undefined;
  if (draft === undefined) {
    if (options.strict)
      throw new SchemaError('schema/dialect-unknown', '$schema names no draft that is known', { pointer });
    notes.add('dialect-mapped', pointer, `an unknown draft was read as ${fallback}`);
    return fallback;
  }
  const dialect = dialectOf(draft);
  if (dialect !== draft) notes.add('dialect-mapped', pointer, `${draft} was read as ${dialect}`);
  return draft;
}
