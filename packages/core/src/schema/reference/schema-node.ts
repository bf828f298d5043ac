import { joinPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { Dialect } from '../schema.ts';

/** One object subschema and the place where it stands. Boolean schemas need no node. */
export interface SchemaNode {
  readonly json: JsonObject;
  readonly resource: SchemaResource;
  readonly parent: SchemaNode | undefined;
  /** Reference tokens from the parent, or from the document's root, to here. */
  readonly path: readonly (string | number)[];
}

/** What one `$id` names, and the names that are local to it. */
export interface SchemaResource {
  /** Absolute, without fragment. */
  readonly uri: string;
  readonly dialect: Dialect;
  /** The schema that opens the resource. */
  readonly json: JsonObject | boolean;
  readonly anchors: Map<string, SchemaNode>;
  /** The anchors that `$dynamicAnchor` made; they are in `anchors` too. */
  readonly dynamicAnchors: Map<string, SchemaNode>;
  /** Anchors that stand twice. A reference to one of them has no single meaning. */
  readonly ambiguous: Set<string>;
}

/** What a reference leads to. */
export type SchemaTarget = SchemaNode | boolean;

/** The place of a node in its document (RFC 6901). */
export function pointerOf(node: SchemaNode): string {
  const parts: string[] = [];
  for (let at: SchemaNode | undefined = node; at !== undefined; at = at.parent)
    parts.push(joinPointer(at.path));
  return parts.reverse().join('');
}
