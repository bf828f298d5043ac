import type { SchemaTrust } from '../schema.ts';

/** How large a schema may be. Passing one is refused by name, before anything is compiled. */
export interface IntakeLimits {
  /** UTF-8 bytes of the schema as JSON. */
  readonly maxBytes: number;
  /** Nesting of subschemas. */
  readonly maxDepth: number;
  /** Subschemas. */
  readonly maxNodes: number;
  /** References (`$ref`, `$dynamicRef`, `$recursiveRef`). */
  readonly maxReferences: number;
}

/** Limits by trust: generous for schemas of one's own code, tight for those of somebody else. */
export const intakeLimits: Readonly<Record<SchemaTrust, IntakeLimits>> = {
  own: { maxBytes: 16 * 1024 * 1024, maxDepth: 256, maxNodes: 250_000, maxReferences: 250_000 },
  foreign: { maxBytes: 128 * 1024, maxDepth: 32, maxNodes: 4_000, maxReferences: 1_000 },
};
