import type { PatternEngine, SchemaTrust } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';
import { analysePattern, maxAnalysisSteps } from './analyse-pattern.ts';
import { createVerdictMemory } from './verdict-memory.ts';
import type { WorkBudget } from './work-budget.ts';

/** How a compiled pattern is run. */
export type PatternMode = 'unicode' | 'legacy' | 'engine';

/** A pattern that is ready to run. Stateless: the same text always gives the same answer. */
export interface CompiledPattern {
  readonly source: string;
  /** `unicode`: native with `u`. `legacy`: native without, since `u` refuses it. `engine`: the injected engine. */
  readonly mode: PatternMode;
  /**
   * Whether the pattern matches anywhere in the text, as JSON Schema asks.
   *
   * @throws RangeError where the native engine's stack does not hold a text of megabytes, and what an injected
   * engine throws: then nothing is known of the text.
   */
  test(text: string): boolean;
}

/** Settings of {@link createPatternCompiler}. */
export interface PatternCompilerOptions {
  /** `foreign` patterns run natively only when {@link analysePattern} proves them linear. */
  readonly trust: SchemaTrust;
  /** Runs foreign patterns that were not proved; without it they are refused. */
  readonly patternEngine?: PatternEngine;
}

/** The longest foreign pattern, in UTF-16 units. */
export const maxForeignPatternLength = 2_048;

/** Analysis steps for all patterns of one foreign schema. */
const maxAnalysisStepsPerSchema = 500_000;

/**
 * Tools of one server, and the same tools in one request after another, repeat their patterns. Verdicts depend on nothing
 * but the pattern, so they are shared. At most a megabyte of UTF-16 units is held: {@link maxForeignPatternLength} each.
 */
const verdicts = createVerdictMemory(256);

/**
 * Compiles the patterns of one schema. Equal sources are compiled once.
 *
 * @returns A function of a source and the pointer of the schema place that holds it. It throws
 * {@link SchemaError} `schema/pattern-invalid` or `schema/pattern-unsafe` with that pointer.
 */
export function createPatternCompiler(
  options: PatternCompilerOptions,
): (source: string, pointer: string) => CompiledPattern {
  const compiled = new Map<string, CompiledPattern>();
  const budget: WorkBudget = { remaining: maxAnalysisStepsPerSchema };
  return (source, pointer) => {
    const known = compiled.get(source);
    if (known !== undefined) return known;
    const fresh =
      options.trust === 'own' ? native(source, pointer) : guarded(source, pointer, options, budget);
    compiled.set(source, fresh);
    return fresh;
  };
}

function native(source: string, pointer: string): CompiledPattern {
  for (const [mode, flags] of nativeModes) {
    try {
      const expression = new RegExp(source, flags);
      return { source, mode, test: (text) => expression.test(text) };
    } catch {
      // The next flags may take it; when none do, it is refused below.
    }
  }
  throw new SchemaError('schema/pattern-invalid', 'The pattern is not a regular expression of ECMAScript', {
    pointer,
  });
}

const nativeModes = [
  ['unicode', 'u'],
  ['legacy', ''],
] as const;

function guarded(
  source: string,
  pointer: string,
  options: PatternCompilerOptions,
  shared: WorkBudget,
): CompiledPattern {
  if (source.length > maxForeignPatternLength) {
    throw new SchemaError(
      'schema/pattern-unsafe',
      `The pattern is longer than ${maxForeignPatternLength} characters`,
      { pointer },
    );
  }
  const expression = native(source, pointer);
  const allowed = Math.max(0, Math.min(maxAnalysisSteps, shared.remaining));
  const budget = { remaining: allowed };
  const verdict = verdicts.verdictOn(source, budget, () => analysePattern(source, { budget }));
  shared.remaining -= allowed - Math.max(0, budget.remaining);
  if (verdict.kind === 'linear') return expression;
  if (options.patternEngine !== undefined) return withEngine(source, pointer, options.patternEngine);
  const why = verdict.kind === 'ambiguous' ? verdict.why : 'it was not analysed';
  throw new SchemaError('schema/pattern-unsafe', `The pattern is not proved to run in linear time: ${why}`, {
    pointer,
  });
}

function withEngine(source: string, pointer: string, engine: PatternEngine): CompiledPattern {
  try {
    const matcher = engine.compile(source);
    return { source, mode: 'engine', test: (text) => matcher.test(text) };
  } catch (cause) {
    throw new SchemaError('schema/pattern-unsafe', 'The pattern engine cannot take the pattern', {
      pointer,
      cause,
    });
  }
}
