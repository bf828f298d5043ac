import type { PatternEngine } from '@toolgate/core';
import { RE2JS } from 're2js';

/**
 * Runs the patterns of foreign schemas that the core does not prove to be linear. What RE2 cannot say (look-around,
 * back-references, huge counters) is refused by it, and the tool with it.
 *
 * Differs from ECMAScript in that `\s` is white space of ASCII, and `.` stops at no line separator but a line feed.
 */
export const linearPatterns: PatternEngine = Object.freeze({
  compile: (source: string) => {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text: string) => pattern.test(text) };
  },
});
