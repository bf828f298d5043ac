import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { ownedPart } from '../intake/schema-place.ts';
import type { IntakeNote } from '../schema.ts';
import type { SchemaIndex } from './schema-index.ts';
import { pointerOf, type SchemaNode } from './schema-node.ts';
import type { SchemaReferences } from './schema-references.ts';
import { pointerFragment } from './schema-uri.ts';

const none: readonly IntakeNote[] = [];
/** Characters of all pointers together. They may be much longer than the names, and a stranger's schema is bounded for a reason. */
const MAX_POINTERS = 32_768;
/** What belongs to a name, or is looked up under one. */
const OF_RESOURCES = ['$anchor', '$dynamicAnchor', '$id', '$schema'] as const;

/**
 * Lets every reference of a schema be a pointer from its root, where parts of it have names of their own (`$id`), and takes these
 * away, with the anchors within them, which would stand twice in one place: few of those whom a schema is shown to follow names.
 * What is enforced was resolved before and stays the same.
 *
 * @param root - Owned by the caller; it is changed, unless a reference leaves it or depends on the way to it, or the pointers would
 * be much text.
 * @returns What was done.
 */
export function inlineIds(
  root: JsonObject | boolean,
  index: SchemaIndex,
  references: SchemaReferences,
): readonly IntakeNote[] {
  if (typeof root === 'boolean' || references.dynamic.size > 0 || index.ambiguous.size > 0) return none;
  const named = [...index.resources.values()].flatMap(({ json }) =>
    typeof json === 'boolean' || json === root ? [] : [index.nodes.get(json)],
  );
  if (named.length === 0) return none;
  const targets = [...references.static].map(
    ([node, target]) => [node, typeof target === 'boolean' ? undefined : target] as const,
  );
  const all = [...named, ...targets.flat()];
  if (!all.every((node) => node !== undefined && isWithin(node, root))) return none;
  const pointers = pointersTo(targets);
  if (pointers === undefined) return none;
  for (const [node, pointer] of pointers) ownedPart(node.json)['$ref'] = pointer;
  for (const { json, resource } of index.nodes.values()) {
    if (resource.json === root) continue;
    for (const name of OF_RESOURCES) delete ownedPart(json)[name];
  }
  return named.flatMap((node): readonly IntakeNote[] => (node === undefined ? none : [noteOf(node)]));
}

function noteOf(named: SchemaNode): IntakeNote {
  return {
    kind: 'normalised',
    pointer: appendPointer(pointerOf(named), '$id'),
    detail: 'references to this name became pointers',
  };
}

/** What each reference becomes; `undefined` where that is too much. */
function pointersTo(
  targets: readonly (readonly [SchemaNode, SchemaNode | undefined])[],
): ReadonlyMap<SchemaNode, string> | undefined {
  const pointers = new Map<SchemaNode, string>();
  let length = 0;
  for (const [node, target] of targets) {
    if (target === undefined) continue;
    const pointer = pointerFragment(pointerOf(target));
    length += pointer.length;
    if (length > MAX_POINTERS) return undefined;
    pointers.set(node, pointer);
  }
  return pointers;
}

function isWithin(node: SchemaNode, root: JsonObject): boolean {
  let top = node;
  while (top.parent !== undefined) top = top.parent;
  return top.json === root;
}
