import { createChecker } from './check/create-checker.ts';
import { compilePatterns } from './compile-patterns.ts';
import { detachSchema } from './detach-schema.ts';
import { formatChecks } from './formats/format-checks.ts';
import { type IntakeLimits, intakeLimits } from './intake/intake-limits.ts';
import { normaliseSchema } from './intake/normalise-schema.ts';
import { metaSchema } from './meta/meta-schema.ts';
import { createSchemaIndex, indexDocument, type Library } from './reference/schema-index.ts';
import { resolveReferences } from './reference/schema-references.ts';
import { defaultBase } from './reference/schema-uri.ts';
import type { Dialect, PatternEngine, Schema, SchemaTrust } from './schema.ts';

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
  /** Runs foreign patterns that are not proved to be linear. Without it they are refused. */
  readonly patternEngine?: PatternEngine;
  /** Limits that differ from those of `trust`. */
  readonly limits?: Partial<IntakeLimits>;
}

/**
 * Compiles a JSON Schema (2020-12 or draft-07; older drafts are mapped) without `eval` and without a network.
 *
 * @param json - An object or a boolean. It is copied, never changed and not kept.
 * @returns An immutable schema. Its closures are made when the first value is checked.
 * @throws {@link SchemaError} with the code and the place of what is wrong: everything about a schema that can be
 * known before a value arrives is refused here.
 */
export function compileSchema(json: unknown, options: CompileSchemaOptions = {}): Schema {
  return compileSchemaWith(json, options, metaSchema);
}

/** {@link compileSchema} with the documents that references may lead to. */
export function compileSchemaWith(json: unknown, options: CompileSchemaOptions, library: Library): Schema {
  const trust = options.trust ?? 'own';
  const { json: normal, ...intake } = normaliseSchema(detachSchema(json), {
    ...(options.dialect === undefined ? {} : { dialect: options.dialect }),
    trust,
    strict: options.strict ?? false,
    limits: { ...intakeLimits[trust], ...options.limits },
  });
  const index = createSchemaIndex(library);
  indexDocument(index, defaultBase, normal, intake.dialect);
  const root = typeof normal === 'boolean' ? normal : (index.nodes.get(normal) ?? false);
  const references = resolveReferences(index);
  const patterns = compilePatterns(index, {
    trust,
    ...(options.patternEngine === undefined ? {} : { patternEngine: options.patternEngine }),
  });
  const compilation = {
    index,
    references,
    patterns,
    formats: options.formats === 'annotate' ? noFormats : formatChecks,
  };
  const checker = createChecker(compilation, root);
  return {
    json: normal,
    intake,
    check: checker.check,
    explain: () => [],
    applyDefaults: () => [],
  };
}

const noFormats: ReadonlyMap<string, (text: string) => boolean> = new Map();
