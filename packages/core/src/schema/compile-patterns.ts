import { appendPointer } from '../json/json-pointer.ts';
import { entriesMember, stringMember } from './member.ts';
import { type CompiledPattern, createPatternCompiler } from './pattern/compile-pattern.ts';
import type { SchemaIndex } from './reference/schema-index.ts';
import { pointerOf, type SchemaNode } from './reference/schema-node.ts';
import type { IntakeNote, PatternEngine, SchemaTrust } from './schema.ts';

/** The patterns of a schema, ready to run. */
export interface Patterns {
  /** Matchers by the source of their pattern. */
  readonly matchers: ReadonlyMap<string, CompiledPattern>;
  /** One note for each pattern that runs otherwise than as a Unicode expression of the platform. */
  readonly notes: readonly IntakeNote[];
}

/** Who wrote the patterns, and what may run those that are not proved to be linear. */
export interface PatternPlan {
  readonly trust: SchemaTrust;
  readonly patternEngine: PatternEngine | undefined;
}

/**
 * Compiles every pattern of a schema, so that a bad one is refused when the schema is declared.
 *
 * @throws {@link SchemaError} `schema/pattern-invalid`, `schema/pattern-unsafe`.
 */
export function compilePatterns(index: SchemaIndex, { trust, patternEngine }: PatternPlan): Patterns {
  const compile = createPatternCompiler({ trust, ...(patternEngine === undefined ? {} : { patternEngine }) });
  const matchers = new Map<string, CompiledPattern>();
  const notes: IntakeNote[] = [];
  for (const node of index.matching) {
    for (const { source, pointer } of patternsOf(node)) {
      const compiled = compile(source, pointer);
      const detail = matchers.has(source) ? undefined : details.get(compiled.mode);
      if (detail !== undefined) notes.push({ ...detail, pointer });
      matchers.set(source, compiled);
    }
  }
  return { matchers, notes };
}

const details: ReadonlyMap<string, Pick<IntakeNote, 'kind' | 'detail'>> = new Map([
  ['engine', { kind: 'pattern-linear', detail: 'pattern runs on the pattern engine of the application' }],
  ['legacy', { kind: 'normalised', detail: 'pattern is no Unicode expression and runs without the u flag' }],
]);

function patternsOf(node: SchemaNode): readonly { readonly source: string; readonly pointer: string }[] {
  const { json } = node;
  const pattern = stringMember(json, 'pattern');
  const place = pointerOf(node);
  const found = entriesMember(json, 'patternProperties').map(([source]) => ({
    source,
    pointer: appendPointer(appendPointer(place, 'patternProperties'), source),
  }));
  if (pattern !== undefined) found.push({ source: pattern, pointer: appendPointer(place, 'pattern') });
  return found;
}
