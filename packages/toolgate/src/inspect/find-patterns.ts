import { analysePattern, appendPointer, type JsonValue } from '@toolgate/core';

/** A regular expression in a schema and what is known of its run time. */
export interface PatternReport {
  /** Where it stands (RFC 6901). */
  readonly pointer: string;
  readonly source: string;
  /** `ambiguous`: no proof that it is linear was found; a foreign schema with it needs a linear engine. */
  readonly verdict: 'linear' | 'ambiguous' | 'invalid';
}

/** Members whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples', 'example']);

/** Members that hold schemas by name, whatever the names are. */
const BY_NAME: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** Every `pattern` and every name in `patternProperties` of a schema, in document order. */
export function findPatterns(schema: JsonValue): readonly PatternReport[] {
  const found: PatternReport[] = [];
  visit(schema, '', found);
  return found;
}

function visit(value: JsonValue, pointer: string, found: PatternReport[]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    const place = appendPointer(pointer, name);
    if (name === 'pattern' && typeof child === 'string') found.push(report(place, child));
    else if (BY_NAME.has(name)) visitEach(child, place, found, name === 'patternProperties');
    else if (!DATA.has(name)) visit(child, place, found);
  }
}

function visitEach(schemas: JsonValue, pointer: string, found: PatternReport[], arePatterns: boolean): void {
  if (typeof schemas !== 'object' || schemas === null) return;
  for (const [name, schema] of Object.entries(schemas)) {
    const place = appendPointer(pointer, name);
    if (arePatterns) found.push(report(place, name));
    visit(schema, place, found);
  }
}

function report(pointer: string, source: string): PatternReport {
  return { pointer, source, verdict: analysePattern(source).kind };
}
