import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { quoteShort } from '../../json/quote-short.ts';
import { isJsonArray } from '../member.ts';
import { SchemaError, type SchemaErrorCode } from '../schema-error.ts';
import { indexDocument, indexSubschema, type SchemaIndex } from './schema-index.ts';
import { pointerOf, type SchemaNode, type SchemaResource, type SchemaTarget } from './schema-node.ts';
import { defaultBase, resolveUri, splitUri } from './schema-uri.ts';

/** Where a reference leads, and the fragment it was written with. */
export interface ResolvedReference {
  readonly target: SchemaTarget;
  readonly fragment: string;
}

/**
 * Follows one reference inside the schema, to a bundled meta-schema, or to a document that was added to the index.
 * Never over a network. Any JSON Pointer is followed, also into places that no keyword knows.
 *
 * @throws {@link SchemaError} `schema/reference-remote`, `schema/reference-unresolved`.
 */
export function resolveReference(
  index: SchemaIndex,
  node: SchemaNode,
  keyword: string,
  reference: string,
): ResolvedReference {
  const fail = (code: SchemaErrorCode, message: string): SchemaError =>
    new SchemaError(code, `${message}: ${quoteShort(reference, 60)}`, {
      pointer: appendPointer(pointerOf(node), keyword),
    });

  const local = reference.startsWith('#');
  const full = local ? `${node.resource.uri}${reference}` : resolveUri(reference, node.resource.uri);
  const parts = full === undefined ? undefined : splitUri(full);
  if (parts === undefined) throw fail('schema/reference-unresolved', `${keyword} is not a URI reference`);

  const resource = local ? node.resource : findResource(index, parts.document);
  if (resource === undefined) {
    throw parts.document.startsWith(defaultBase)
      ? fail('schema/reference-unresolved', `${keyword} names no schema here`)
      : fail('schema/reference-remote', `${keyword} leads out of the schema, and schemas are never fetched`);
  }
  if (!local && index.ambiguous.has(parts.document)) {
    throw fail('schema/reference-unresolved', `${keyword} names an $id that stands twice`);
  }
  const target = targetIn(index, resource, parts.fragment);
  if (target === undefined) throw fail('schema/reference-unresolved', `${keyword} leads to no schema`);
  return { target, fragment: parts.fragment };
}

function findResource(index: SchemaIndex, document: string): SchemaResource | undefined {
  const known = index.resources.get(document);
  if (known !== undefined) return known;
  const added = index.library(document);
  return added === undefined ? undefined : indexDocument(index, document, added.json, added.dialect);
}

function targetIn(index: SchemaIndex, resource: SchemaResource, fragment: string): SchemaTarget | undefined {
  if (fragment === '')
    return typeof resource.json === 'boolean' ? resource.json : index.nodes.get(resource.json);
  if (!fragment.startsWith('/'))
    return resource.ambiguous.has(fragment) ? undefined : resource.anchors.get(fragment);
  return walkPointer(index, resource, fragment.slice(1).split('/'));
}

/** Walks token by token and remembers the last subschema passed: it gives a place that no keyword knows its base. */
function walkPointer(
  index: SchemaIndex,
  resource: SchemaResource,
  tokens: readonly string[],
): SchemaTarget | undefined {
  let at: JsonValue = resource.json;
  let nearest = nodeAt(index, at);
  let path: readonly string[] = [];
  for (const token of tokens) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const next = step(at, name);
    if (next === undefined) return undefined;
    at = next;
    path = [...path, name];
    const node = nodeAt(index, at);
    if (node === undefined) continue;
    nearest = node;
    path = [];
  }
  if (typeof at === 'boolean') return at;
  if (!isJsonObject(at)) return undefined;
  if (nearest === undefined || path.length === 0) return nearest;
  return indexSubschema(index, at, { resource: nearest.resource, parent: nearest, path });
}

function step(at: JsonValue, name: string): JsonValue | undefined {
  if (isJsonArray(at)) return /^(?:0|[1-9]\d*)$/.test(name) ? at[Number(name)] : undefined;
  return isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
}

function nodeAt(index: SchemaIndex, at: JsonValue): SchemaNode | undefined {
  return isJsonObject(at) ? index.nodes.get(at) : undefined;
}
