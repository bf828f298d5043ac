import { type OwnedSchema, ownedPart } from '../intake/schema-place.ts';
import { stringMember } from '../member.ts';
import { subschemas } from '../subschemas.ts';

/**
 * Removes patterns that mean something else without their flags: they would refuse what the library accepts, and the
 * library's own check comes anyway.
 *
 * @param json - 2020-12; it is changed.
 * @param sources - Patterns to remove.
 */
export function dropPatterns(json: OwnedSchema, sources: ReadonlySet<string>): void {
  if (sources.size === 0) return;
  const waiting: OwnedSchema[] = [json];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    const pattern = stringMember(schema, 'pattern');
    if (pattern !== undefined && sources.has(pattern)) delete schema['pattern'];
    for (const below of subschemas(schema, '2020-12')) {
      if (typeof below.json !== 'boolean') waiting.push(ownedPart(below.json));
    }
  }
}
