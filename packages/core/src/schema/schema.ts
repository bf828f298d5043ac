import type { JsonObject, JsonValue } from '../json/json-value.ts';

/** One reason why a value does not match a schema, written so that a model can correct its next call. */
export interface Issue {
  /** Where in the value (RFC 6901); the empty string is the root. */
  readonly pointer: string;
  /**
   * The schema keyword that refused, for example `required`. In parentheses where it is none: `(false)` for the
   * schema that nothing matches, `(budget)` and `(depth)` for a value that was given up, `(schema)` for the rest.
   */
  readonly keyword: string;
  /** What would have been accepted. */
  readonly expected: string;
  /** What was found: its type, or the value shortened to 40 characters where it is a harmless scalar. */
  readonly actual: string;
  /** The rest of a sentence that begins with the pointer: `must be at most 10, but is 11`. */
  readonly message: string;
}

/** A JSON Schema dialect that is implemented. Older ones are mapped onto these two on intake. */
export type Dialect = '2020-12' | 'draft-07';

/** Who wrote a schema: `own` code, or somebody `foreign` (an MCP server, a request). Decides limits and patterns. */
export type SchemaTrust = 'own' | 'foreign';

/** Something noticed while a schema was taken in that did not prevent its use. */
export interface IntakeNote {
  readonly kind:
    | 'keyword-ignored'
    | 'format-ignored'
    | 'normalised'
    | 'dialect-mapped'
    | 'pattern-linear'
    | 'untyped';
  /** Where in the schema as written (RFC 6901). */
  readonly pointer: string;
  /** What was done, in a few words without values. */
  readonly detail: string;
}

/** What was learned about a schema when it was compiled. */
export interface IntakeReport {
  readonly dialect: Dialect;
  /** The `$schema` as written, where there was one. */
  readonly declared?: string;
  readonly notes: readonly IntakeNote[];
  /**
   * Whether an object at the root may have members that the schema does not name, without the schema saying so. A misspelt
   * argument is then let through. Absent where the schema is closed, says that it is open, or leaves it to its parts.
   */
  readonly open?: true;
  /** UTF-8 bytes of the canonical JSON. */
  readonly bytes: number;
  /** Deepest nesting of subschemas. */
  readonly depth: number;
  /** Number of subschemas. */
  readonly nodes: number;
}

/** A compiled JSON Schema. Immutable and safe to share. */
export interface Schema {
  /** The schema as enforced, deeply frozen; these are the bytes a model may be shown. */
  readonly json: JsonObject | boolean;
  readonly intake: IntakeReport;
  /** Whether the value matches. Never changes the value. False, too, where finding out would take too many steps. */
  check(value: JsonValue): boolean;
  /** Why the value does not match: at most 20 issues, closest union branch only; empty when it matches. */
  explain(value: JsonValue): readonly Issue[];
  /**
   * Fills absent members from `default`, in place, on a value that the caller owns.
   *
   * @returns Pointers of the members that were filled, in the order in which the schema was walked.
   */
  applyDefaults(value: JsonValue): readonly string[];
}

/** A matcher for one `pattern`, from an engine that the application trusts to be linear. */
export interface PatternEngine {
  /** @throws Anything, when the engine cannot take the pattern. */
  compile(source: string): { test(text: string): boolean };
}
