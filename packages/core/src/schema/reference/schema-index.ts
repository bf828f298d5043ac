import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { quoteShort } from '../../json/quote-short.ts';
import { inPlaceKeywords, keywordShapes, misshapen } from '../keywords.ts';
import { stringMember } from '../member.ts';
import type { LibraryDocument } from '../meta/meta-schema.ts';
import type { Dialect } from '../schema.ts';
import { SchemaError } from '../schema-error.ts';
import { eachSubschema, liveKeywords } from '../subschemas.ts';
import { pointerOf, type SchemaNode, type SchemaResource, type SchemaTarget } from './schema-node.ts';
import { resolveUri, splitUri } from './schema-uri.ts';

/** All nodes and names of one compilation. Nothing in it is shared with another schema. */
export interface SchemaIndex {
  readonly nodes: Map<JsonObject, SchemaNode>;
  readonly resources: Map<string, SchemaResource>;
  /** Resources that two places claim. A reference to one of them has no single meaning. */
  readonly ambiguous: Set<string>;
  /** Nodes that refer somewhere, in the order in which they were met; it grows while documents are added. */
  readonly referring: Set<SchemaNode>;
  /** Nodes with subschemas that look at the value itself and not into it. */
  readonly applying: Set<SchemaNode>;
  /** Nodes with regular expressions. */
  readonly matching: Set<SchemaNode>;
  /** Nodes with a default. */
  readonly filling: Set<SchemaNode>;
  /** Documents that are added when a reference first leads to them. */
  readonly library: Library;
}

/** Looks up a document by its absolute URI, without a network. */
export type Library = (uri: string) => LibraryDocument | undefined;

/** An index with nothing in it. */
export function createSchemaIndex(library: Library): SchemaIndex {
  return {
    nodes: new Map(),
    resources: new Map(),
    ambiguous: new Set(),
    referring: new Set(),
    applying: new Set(),
    matching: new Set(),
    filling: new Set(),
    library,
  };
}

/** Under which list of an index a node is kept for having a keyword. */
type NodeList = 'referring' | 'applying' | 'matching' | 'filling';

const listOf: ReadonlyMap<string, NodeList> = new Map<string, NodeList>([
  ['$ref', 'referring'],
  ['$dynamicRef', 'referring'],
  ...inPlaceKeywords.map((keyword): [string, NodeList] => [keyword, 'applying']),
  ['pattern', 'matching'],
  ['patternProperties', 'matching'],
  ['default', 'filling'],
]);

/**
 * Adds one document and everything below it.
 *
 * @param uri - Where the document would be found; a `$id` at its root adds a second name.
 * @throws {@link SchemaError} `schema/keyword-invalid`.
 */
export function indexDocument(
  index: SchemaIndex,
  uri: string,
  json: JsonObject | boolean,
  dialect: Dialect,
): SchemaResource {
  const resource = openResource(index, uri, json, dialect);
  if (typeof json === 'boolean') return resource;
  const root = indexSubschema(index, json, { resource, parent: undefined, path: [] });
  index.resources.set(uri, root.resource);
  return root.resource;
}

/** Adds one subschema and everything below it, at a known place. A subschema that is already known is kept. */
export function indexSubschema(
  index: SchemaIndex,
  json: JsonObject,
  place: Omit<SchemaNode, 'json'>,
): SchemaNode {
  const known = index.nodes.get(json);
  if (known !== undefined) return known;
  const resource = resourceFor(index, json, place);
  const node: SchemaNode = { json, resource, parent: place.parent, path: place.path };
  index.nodes.set(json, node);
  for (const keyword of liveKeywords(json, resource.dialect)) {
    refuseMisshapen(node, keyword);
    const list = listOf.get(keyword);
    if (list !== undefined) index[list].add(node);
  }
  nameAnchors(node);
  eachSubschema(json, resource.dialect, (below, keyword, key) => {
    if (typeof below === 'boolean') return;
    indexSubschema(index, below, {
      resource,
      parent: node,
      path: key === undefined ? [keyword] : [keyword, key],
    });
  });
  return node;
}

/** The subschema that stands at `json`. What was never walked as a schema matches nothing. */
export function targetAt(index: SchemaIndex, json: JsonValue): SchemaTarget {
  return isJsonObject(json) ? (index.nodes.get(json) ?? false) : json === true;
}

function openResource(
  index: SchemaIndex,
  uri: string,
  json: JsonObject | boolean,
  dialect: Dialect,
): SchemaResource {
  const resource: SchemaResource = {
    uri,
    dialect,
    json,
    anchors: new Map(),
    dynamicAnchors: new Map(),
    ambiguous: new Set(),
  };
  const earlier = index.resources.get(uri);
  if (earlier === undefined) index.resources.set(uri, resource);
  else if (earlier.json !== json) index.ambiguous.add(uri);
  return resource;
}

/** The resource that a schema belongs to: a new one where it has its own `$id`. */
function resourceFor(index: SchemaIndex, json: JsonObject, place: Omit<SchemaNode, 'json'>): SchemaResource {
  const { resource } = place;
  const id = stringMember(json, '$id');
  if (id === undefined || !liveKeywords(json, resource.dialect).includes('$id')) return resource;
  if (resource.dialect === 'draft-07' && id.startsWith('#')) return resource;
  const full = resolveUri(id, resource.uri);
  const parts = full === undefined ? undefined : splitUri(full);
  if (parts === undefined || (parts.fragment !== '' && resource.dialect === '2020-12')) {
    throw new SchemaError(
      'schema/keyword-invalid',
      `$id is no URI reference without a fragment: ${quoteShort(id, 60)}`,
      {
        pointer: appendPointer(pointerOf({ ...place, json }), '$id'),
      },
    );
  }
  return openResource(index, parts.document, json, resource.dialect);
}

function nameAnchors(node: SchemaNode): void {
  const { json, resource } = node;
  if (resource.dialect === 'draft-07') {
    const id = stringMember(json, '$id');
    const hash = id === undefined ? -1 : id.indexOf('#');
    if (id !== undefined && hash !== -1 && !Object.hasOwn(json, '$ref')) nameAnchor(node, id.slice(hash + 1));
    return;
  }
  nameAnchor(node, stringMember(json, '$anchor'));
  const dynamic = stringMember(json, '$dynamicAnchor');
  if (dynamic === undefined) return;
  nameAnchor(node, dynamic);
  resource.dynamicAnchors.set(dynamic, node);
}

function nameAnchor(node: SchemaNode, name: string | undefined): void {
  if (name === undefined || name === '') return;
  const { anchors, ambiguous } = node.resource;
  const earlier = anchors.get(name);
  if (earlier !== undefined && earlier !== node) ambiguous.add(name);
  anchors.set(name, node);
}

function refuseMisshapen(node: SchemaNode, keyword: string): void {
  const shape = keywordShapes[node.resource.dialect].get(keyword);
  const value = node.json[keyword];
  if (shape === undefined || value === undefined) return;
  const expected = misshapen(shape, value);
  if (expected === undefined) return;
  throw new SchemaError('schema/keyword-invalid', `${keyword} must be ${expected}`, {
    pointer: appendPointer(pointerOf(node), keyword),
  });
}
