import { unknownField } from '../internal/unknown-field.ts';
import { quoteShort } from '../json/quote-short.ts';
import type { IntakeLimits } from './intake/intake-limits.ts';
import { intakeLimits } from './intake/intake-limits.ts';
import type { Dialect, PatternEngine, SchemaTrust } from './schema.ts';
import { SchemaError } from './schema-error.ts';

/** Settings of {@link compileSchema}. */
export interface CompileSchemaOptions {
  /** The dialect where the schema does not declare one. Default `2020-12`. */
  readonly dialect?: Dialect;
  /** Who wrote the schema. Default `own`; `foreign` has tighter limits and runs no pattern that may be slow. */
  readonly trust?: SchemaTrust;
  /** Refuse forms of other drafts instead of normalising them with a note. Default false. */
  readonly strict?: boolean;
  /** Whether the known formats are checked or only noted. Default `assert`. */
  readonly formats?: 'assert' | 'annotate';
  /**
   * Whether `default` is filled in by {@link Schema.applyDefaults} or only noted. Default `apply`: then each one must
   * match its own schema; a foreign one that does not is noted and left out, unless `strict`.
   */
  readonly defaults?: 'apply' | 'annotate';
  /** Runs foreign patterns that are not proved to be linear. Without it they are refused. */
  readonly patternEngine?: PatternEngine;
  /** Limits that differ from those of `trust`. */
  readonly limits?: Partial<IntakeLimits>;
}

/** {@link CompileSchemaOptions} with every choice made. */
export interface CompilePlan {
  readonly dialect: Dialect | undefined;
  readonly trust: SchemaTrust;
  readonly strict: boolean;
  readonly assertFormats: boolean;
  readonly applyDefaults: boolean;
  readonly patternEngine: PatternEngine | undefined;
  readonly limits: IntakeLimits;
}

const FIELDS = ['dialect', 'trust', 'strict', 'formats', 'defaults', 'patternEngine', 'limits'];

/**
 * Fills in what the options leave open.
 *
 * @throws {@link SchemaError} `schema/options-invalid` for an unknown option, and for a value that is none of the listed
 * ones: a typing mistake in `trust` must not turn into trust.
 */
export function planCompile(options: CompileSchemaOptions): CompilePlan {
  refuseUnknown('', options, FIELDS);
  refuseUnknown('limits.', options.limits ?? {}, Object.keys(intakeLimits.own));
  const trust = oneOf('trust', options.trust ?? 'own', ['own', 'foreign']);
  const limits = { ...intakeLimits[trust], ...options.limits };
  for (const [name, limit] of Object.entries(limits)) {
    if (typeof limit !== 'number' || !(limit > 0))
      throw refusal(`limits.${name} must be a number above zero`);
  }
  return {
    dialect:
      options.dialect === undefined ? undefined : oneOf('dialect', options.dialect, ['2020-12', 'draft-07']),
    trust,
    strict: oneOf('strict', options.strict ?? false, [false, true]),
    assertFormats: oneOf('formats', options.formats ?? 'assert', ['assert', 'annotate']) === 'assert',
    applyDefaults: oneOf('defaults', options.defaults ?? 'apply', ['apply', 'annotate']) === 'apply',
    patternEngine: options.patternEngine,
    limits,
  };
}

function oneOf<const Value>(name: string, value: unknown, known: readonly Value[]): Value {
  const found = known.find((one) => one === value);
  if (found === undefined) throw refusal(`${name} must be one of ${known.map(String).join(', ')}`);
  return found;
}

function refuseUnknown(where: string, options: object, known: readonly string[]): void {
  const name = unknownField(options, known);
  if (name === undefined) return;
  throw refusal(`there is no option ${where}${quoteShort(name, 40)}; there are ${known.join(', ')}`);
}

function refusal(message: string): SchemaError {
  return new SchemaError('schema/options-invalid', message);
}
