import { createRequire } from 'node:module';
import type { PatternEngine } from '@toolgate/core';
import type { RE2JS } from 're2js';

/**
 * Runs the patterns of foreign schemas that the core does not prove to be linear. What RE2 cannot say (look-around,
 * back-references, huge counters) is refused by it, and the tool with it.
 *
 * Differs from ECMAScript in that `\s` is white space of ASCII, and `.` stops at no line separator but a line feed.
 */
export const linearPatterns: PatternEngine = Object.freeze({
  compile: (source: string) => {
    const engine = re2();
    const pattern = engine.compile(engine.translateRegExp(source));
    return { test: (text: string) => pattern.test(text) };
  },
});

/** Loaded with the first pattern that needs it, which few schemas have: it is a quarter of a megabyte of source. */
function re2(): typeof RE2JS {
  loaded ??= (createRequire(import.meta.url)('re2js') as typeof import('re2js')).RE2JS;
  return loaded;
}

let loaded: typeof RE2JS | undefined;
