import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { ownedPart } from '../intake/schema-place.ts';
import type { IntakeNote } from '../schema.ts';
import type { SchemaIndex } from './schema-index.ts';
import { pointerOf, type SchemaNode } from './schema-node.ts';
import type { SchemaReferences } from './schema-references.ts';
import { pointerFragment } from './schema-uri.ts';

const none: readonly IntakeNote[] = [];

/**
 * Lets every reference of a schema be a pointer from its root, where parts of it have names of their own (`$id`), and takes these
 * away: few of those whom a schema is shown to follow names. What is enforced was resolved before and stays the same.
 *
 * @param root - Owned by the caller; it is changed, unless a reference leaves it or depends on the way to it.
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
  for (const [node, target] of targets) {
    if (target === undefined) continue;
    ownedPart(node.json)['$ref'] = pointerFragment(pointerOf(target));
  }
  return named.flatMap((node): IntakeNote[] => {
    if (node === undefined) return [];
    delete ownedPart(node.json)['$id'];
    return [
      {
        kind: 'normalised',
        pointer: appendPointer(pointerOf(node), '$id'),
        detail: 'references to this name became pointers',
      },
    ];
  });
}

function isWithin(node: SchemaNode, root: JsonObject): boolean {
  let top = node;
  while (top.parent !== undefined) top = top.parent;
  return top.json === root;
}
