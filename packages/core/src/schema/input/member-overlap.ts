import type { OwnedSchema } from '../intake/schema-place.ts';
import { entriesMember } from '../member.ts';
import { layoutOf, type PartPosition } from './schema-layout.ts';

/** Keys of members and items that subschemas describe. */
export type PartKeys = ReadonlySet<string>;

/** Finds what several subschemas describe together. */
export interface MemberOverlap {
  /** Keys that a subschema describes, by itself or through what applies to the same value. */
  describedBy(json: OwnedSchema): PartKeys;
  /** Keys that more than one part of a subschema describes, so that no part describes them completely. */
  sharedIn(json: OwnedSchema): PartKeys;
}

/**
 * Overlaps in one schema.
 *
 * @param resolve - Follows a reference.
 */
export function createMemberOverlap(resolve: (reference: string) => OwnedSchema | undefined): MemberOverlap {
  const known = new Map<OwnedSchema, Set<string>>();

  function describedBy(json: OwnedSchema): PartKeys {
    const earlier = known.get(json);
    // A schema that is met inside itself adds nothing to itself.
    if (earlier !== undefined) return earlier;
    const keys = new Set<string>();
    known.set(json, keys);
    for (const part of partsOf(json)) for (const key of part) keys.add(key);
    return keys;
  }

  /** One set for each part that is in force together with the others. */
  function partsOf(json: OwnedSchema): readonly PartKeys[] {
    const { positions, together, alternatives, reference } = layoutOf(json);
    const target = reference === undefined ? undefined : resolve(reference);
    return [
      new Set(positions.map((position) => position.key)),
      ...together.map(describedBy),
      ...alternatives.map(({ branches }) => new Set(branches.flatMap((branch) => [...describedBy(branch)]))),
      ...(target === undefined ? [] : [describedBy(target)]),
    ];
  }

  function sharedIn(json: OwnedSchema): PartKeys {
    const shared = new Set(sharedByPatterns(json, layoutOf(json).positions));
    const parts = partsOf(json);
    for (const [index, part] of parts.entries()) {
      for (const other of parts.slice(index + 1)) for (const key of overlap(part, other)) shared.add(key);
    }
    return shared;
  }

  return { describedBy, sharedIn };
}

/** Keys of either that may describe the same member or item. */
function overlap(left: PartKeys, right: PartKeys): readonly string[] {
  const keys = [...left].filter((key) => right.has(key));
  if (left.has('m*') && hasMembers(right)) keys.push(...right, 'm*');
  if (right.has('m*') && hasMembers(left)) keys.push(...left, 'm*');
  return keys;
}

function hasMembers(keys: PartKeys): boolean {
  return [...keys].some((key) => key !== 'items');
}

/** Members that a pattern of the same subschema describes too. */
function sharedByPatterns(json: OwnedSchema, positions: readonly PartPosition[]): readonly string[] {
  const patterns = entriesMember(json, 'patternProperties').map(([pattern]) => pattern);
  if (patterns.length === 0) return [];
  const named = positions.map((position) => position.key).filter((key) => key.startsWith('m:'));
  const matched = named.filter((key) => patterns.some((pattern) => mayMatch(pattern, key.slice(2))));
  return matched.length > 0 || patterns.length > 1 ? [...matched, 'm*'] : [];
}

function mayMatch(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return true;
  }
}
