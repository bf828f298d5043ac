import { listMember } from '../member.ts';
import { type SchemaIndex, targetAt } from './schema-index.ts';
import type { SchemaNode, SchemaTarget } from './schema-node.ts';
import type { SchemaReferences } from './schema-references.ts';

/** Nodes that are looked through; what lies behind more of them says nothing new. */
const maxLayers = 64;

/** A schema whose references were resolved. */
export interface ResolvedSchema {
  readonly index: SchemaIndex;
  readonly references: SchemaReferences;
}

/**
 * The nodes that apply to the same value without a choice: the node itself first, then what its `$ref` and its
 * `allOf` lead to. Beside a draft-07 `$ref` only its target counts.
 */
export function schemaLayers(schema: ResolvedSchema, target: SchemaTarget): readonly SchemaNode[] {
  const layers = new Set<SchemaNode>();
  collect(schema, target, layers);
  return [...layers];
}

/** Each node once: two references to one subschema must not double the work at every level. */
function collect(schema: ResolvedSchema, target: SchemaTarget, layers: Set<SchemaNode>): void {
  if (typeof target === 'boolean' || layers.has(target) || layers.size >= maxLayers) return;
  const below = schema.references.static.get(target);
  const hidden = below !== undefined && target.resource.dialect === 'draft-07';
  if (!hidden) layers.add(target);
  if (below !== undefined) collect(schema, below, layers);
  if (hidden) return;
  for (const json of listMember(target.json, 'allOf')) collect(schema, targetAt(schema.index, json), layers);
}
