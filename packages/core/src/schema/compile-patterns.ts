import { appendPointer } from '../json/json-pointer.ts';
import { entriesMember, stringMember } from './member.ts';
import {
  type CompiledPattern,
  createPatternCompiler,
  type PatternCompilerOptions,
} from './pattern/compile-pattern.ts';
import type { SchemaIndex } from './reference/schema-index.ts';
import { pointerOf } from './reference/schema-node.ts';

/**
 * Compiles every pattern of a schema, so that a bad one is refused when the schema is declared.
 *
 * @returns Matchers by the source of their pattern.
 * @throws {@link SchemaError} `schema/pattern-invalid`, `schema/pattern-unsafe`.
 */
export function compilePatterns(
  index: SchemaIndex,
  options: PatternCompilerOptions,
): ReadonlyMap<string, CompiledPattern> {
  const compile = createPatternCompiler(options);
  const patterns = new Map<string, CompiledPattern>();
  for (const node of index.nodes.values()) {
    const { json, resource } = node;
    // Hidden beside a draft-07 `$ref`.
    if (resource.dialect === 'draft-07' && Object.hasOwn(json, '$ref')) continue;
    const pattern = stringMember(json, 'pattern');
    if (pattern !== undefined)
      patterns.set(pattern, compile(pattern, appendPointer(pointerOf(node), 'pattern')));
    for (const [source] of entriesMember(json, 'patternProperties')) {
      const pointer = appendPointer(appendPointer(pointerOf(node), 'patternProperties'), source);
      patterns.set(source, compile(source, pointer));
    }
  }
  return patterns;
}
