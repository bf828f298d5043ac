import { freezeJson } from '../json/freeze-json.ts';
import { createChecker } from './check/create-checker.ts';
import { type CompileSchemaOptions, planCompile } from './compile-options.ts';
import { compilePatterns } from './compile-patterns.ts';
import { compileDefaults, noDefaults } from './defaults/compile-defaults.ts';
import { withDefaults } from './defaults/with-defaults.ts';
import { detachSchema } from './detach-schema.ts';
import { explainValue } from './explain/explain-value.ts';
import { formatChecks } from './formats/format-checks.ts';
import { normaliseSchema } from './intake/normalise-schema.ts';
import { metaSchema } from './meta/meta-schema.ts';
import { inlineIds } from './reference/inline-ids.ts';
import { createSchemaIndex, indexDocument, type Library, targetAt } from './reference/schema-index.ts';
import { resolveReferences } from './reference/schema-references.ts';
import { defaultBase } from './reference/schema-uri.ts';
import type { IntakeReport, Schema } from './schema.ts';

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
  const plan = planCompile(options);
  const { json: normal, ...intake } = normaliseSchema(detachSchema(json, plan.limits.maxBytes), {
    ...(plan.dialect === undefined ? {} : { dialect: plan.dialect }),
    trust: plan.trust,
    strict: plan.strict,
    limits: plan.limits,
    givenAway: true,
  });
  const index = createSchemaIndex(library);
  indexDocument(index, defaultBase, normal, intake.dialect);
  const root = targetAt(index, normal);
  const references = resolveReferences(index);
  const named = plan.strict ? [] : inlineIds(normal, index, references);
  const patterns = compilePatterns(index, plan);
  const formats = plan.assertFormats ? formatChecks : noFormats;
  // A part of a value meets each subschema about once, unless the schema was made to multiply.
  const stepsPerPart = Math.min(Math.max(intake.nodes, 16), plan.trust === 'own' ? 100 : 32);
  const checker = createChecker(
    { index, references, patterns: patterns.matchers, formats, stepsPerPart },
    root,
  );
  const defaults =
    plan.applyDefaults && index.filling.size > 0
      ? compileDefaults(checker.builder(), root, plan.trust === 'own' || plan.strict)
      : noDefaults;
  const plain: Pick<Schema, 'check' | 'explain'> = {
    check: checker.check,
    explain: (value) => explainValue(checker.builder(), root, value),
  };
  return Object.freeze({
    ...withDefaults(plain, defaults.filler, stepsPerPart),
    json: freezeJson(normal),
    intake: freezeIntake({
      ...intake,
      notes: [...intake.notes, ...named, ...patterns.notes, ...defaults.notes],
    }),
  } satisfies Schema);
}

const noFormats: ReadonlyMap<string, (text: string) => boolean> = new Map();

function freezeIntake(intake: IntakeReport): IntakeReport {
  return Object.freeze({ ...intake, notes: Object.freeze(intake.notes.map((note) => Object.freeze(note))) });
}
