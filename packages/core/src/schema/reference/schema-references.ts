import { appendPointer } from '../../json/json-pointer.ts';
import { inPlaceKeywords } from '../keywords.ts';
import { stringMember } from '../member.ts';
import { SchemaError } from '../schema-error.ts';
import { eachSubschema } from '../subschemas.ts';
import { resolveReference } from './resolve-reference.ts';
import type { SchemaIndex } from './schema-index.ts';
import { pointerOf, type SchemaNode, type SchemaTarget } from './schema-node.ts';

/** A `$dynamicRef`: its target, or the anchor whose outermost bearer is looked up while a value is checked. */
export interface DynamicReference {
  readonly target: SchemaTarget;
  readonly anchor: string | undefined;
}

/** Where every reference of a schema leads. */
export interface SchemaReferences {
  readonly static: ReadonlyMap<SchemaNode, SchemaTarget>;
  readonly dynamic: ReadonlyMap<SchemaNode, DynamicReference>;
}

/** Longest chain of subschemas that all look at the same value. Keeps every later walk off the stack's end. */
const maxChain = 256;

/**
 * Resolves every reference, which may add documents and nodes, then refuses chains that would never end.
 *
 * @throws {@link SchemaError} `schema/reference-remote`, `schema/reference-unresolved`, `schema/reference-loop`,
 * `schema/too-deep`.
 */
export function resolveReferences(index: SchemaIndex): SchemaReferences {
  const references = {
    static: new Map<SchemaNode, SchemaTarget>(),
    dynamic: new Map<SchemaNode, DynamicReference>(),
  };
  const dynamicFragments = new Map<SchemaNode, string>();
  // The set grows while it is walked.
  for (const node of index.referring) {
    const reference = stringMember(node.json, '$ref');
    if (reference !== undefined) {
      references.static.set(node, resolveReference(index, node, '$ref', reference).target);
    }
    const dynamic = stringMember(node.json, '$dynamicRef');
    if (dynamic === undefined || node.resource.dialect !== '2020-12') continue;
    const { target, fragment } = resolveReference(index, node, '$dynamicRef', dynamic);
    references.dynamic.set(node, { target, anchor: undefined });
    dynamicFragments.set(node, fragment);
  }
  for (const [node, fragment] of dynamicFragments) {
    const target = references.dynamic.get(node)?.target;
    if (target !== undefined && isDynamic(index, target, fragment)) {
      references.dynamic.set(node, { target, anchor: fragment });
    }
  }
  refuseLoops(index, references);
  return references;
}

/** Only a reference that first lands on a dynamic anchor looks further, and only where there are others to find. */
function isDynamic(index: SchemaIndex, target: SchemaTarget, anchor: string): boolean {
  if (typeof target === 'boolean' || target.resource.dynamicAnchors.get(anchor) !== target) return false;
  for (const { dynamicAnchors } of index.resources.values()) {
    const other = dynamicAnchors.get(anchor);
    if (other !== undefined && other !== target) return true;
  }
  return false;
}

function refuseLoops(index: SchemaIndex, references: SchemaReferences): void {
  const heights = new Map<SchemaNode, number>();
  const open = new Set<SchemaNode>();

  const heightOf = (node: SchemaNode): number => {
    if (!index.applying.has(node) && !index.referring.has(node)) return 1;
    const known = heights.get(node);
    if (known !== undefined) return known;
    if (open.has(node))
      throw refusal(
        'schema/reference-loop',
        'References lead back here without looking into the value',
        node,
      );
    if (open.size >= maxChain) {
      throw refusal('schema/too-deep', `More than ${maxChain} subschemas in a chain look at one value`, node);
    }
    open.add(node);
    let height = 0;
    for (const next of nextInPlace(index, references, node)) height = Math.max(height, heightOf(next));
    open.delete(node);
    heights.set(node, height + 1);
    if (height >= maxChain) {
      throw refusal('schema/too-deep', `More than ${maxChain} subschemas in a chain look at one value`, node);
    }
    return height + 1;
  };
  for (const node of index.nodes.values()) heightOf(node);
}

function nextInPlace(
  index: SchemaIndex,
  references: SchemaReferences,
  node: SchemaNode,
): readonly SchemaNode[] {
  const next: SchemaNode[] = [];
  const reference = references.static.get(node);
  if (typeof reference === 'object') next.push(reference);
  const dynamic = references.dynamic.get(node);
  if (typeof dynamic?.target === 'object') next.push(dynamic.target);
  if (dynamic?.anchor !== undefined) {
    for (const { dynamicAnchors } of index.resources.values()) {
      const candidate = dynamicAnchors.get(dynamic.anchor);
      if (candidate !== undefined) next.push(candidate);
    }
  }
  if (!index.applying.has(node)) return next;
  eachSubschema(node.json, node.resource.dialect, (json, keyword) => {
    const below =
      typeof json === 'boolean' || !inPlaceKeywords.includes(keyword) ? undefined : index.nodes.get(json);
    if (below !== undefined) next.push(below);
  });
  return next;
}

function refusal(
  code: 'schema/reference-loop' | 'schema/too-deep',
  message: string,
  node: SchemaNode,
): SchemaError {
  const pointer = pointerOf(node);
  return new SchemaError(code, message, {
    pointer: Object.hasOwn(node.json, '$ref') ? appendPointer(pointer, '$ref') : pointer,
  });
}
