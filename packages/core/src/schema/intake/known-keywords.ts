import { keywordShapes } from '../keywords.ts';
import type { Dialect } from '../schema.ts';

/** Keywords that assert nothing: they identify, describe, or keep definitions. The same list serves both dialects. */
const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$vocabulary',
  '$comment',
  '$defs',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]);

/** Whether a keyword only describes. */
export function isAnnotation(keyword: string): boolean {
  return annotations.has(keyword);
}

/** Whether a keyword of a dialect can refuse a value. */
export function isAssertion(keyword: string, dialect: Dialect): boolean {
  return keywordShapes[dialect].has(keyword) && !annotations.has(keyword);
}

/** Whether a keyword means something in a dialect, or is an extension (`x-…`) that nobody expects to. */
export function isKnownKeyword(keyword: string, dialect: Dialect): boolean {
  return keywordShapes[dialect].has(keyword) || annotations.has(keyword) || keyword.startsWith('x-');
}
