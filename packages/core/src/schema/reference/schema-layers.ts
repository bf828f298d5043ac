import type { JsonValue } from '../../json/json-value.ts';
import { isJsonObject, listMember } from '../member.ts';
import type { SchemaIndex } from './schema-index.ts';
import type { SchemaNode, SchemaTarget } from './schema-node.ts';
import type { SchemaReferences } from './schema-references.ts';

/** References and `allOf` that are looked through; a longer chain says nothing more. */
const maxHops = 8;

/** A schema whose references were resolved. */
export interface ResolvedSchema {
  readonly index: SchemaIndex;
  readonly references: SchemaReferences;
}

/**
 * The nodes that apply to the same value without a choice: the node itself first, then what its `$ref` and its
 * `allOf` lead to. Beside a draft-07 `$ref` only its target counts.
 */
export function schemaLayers(
  schema: ResolvedSchema,
  target: SchemaTarget,
  hops: number = maxHops,
): readonly SchemaNode[] {
  if (typeof target === 'boolean' || hops === 0) return [];
  const below = schema.references.static.get(target);
  const referred = below === undefined ? [] : schemaLayers(schema, below, hops - 1);
  if (below !== undefined && target.resource.dialect === 'draft-07') return referred;
  const parts = listMember(target.json, 'allOf').flatMap((json) =>
    schemaLayers(schema, targetOf(schema, json), hops - 1),
  );
  return [target, ...referred, ...parts];
}

/** The subschema that stands at `json`. */
export function targetOf({ index }: ResolvedSchema, json: JsonValue): SchemaTarget {
  return isJsonObject(json) ? (index.nodes.get(json) ?? true) : json === true;
}
