import type { JsonArray } from '../../json/json-value.ts';
import { type Run, spend } from './run.ts';
import { structuralKey } from './structural-key.ts';

/** Whether no two items are equal. Items are hashed, so the time is linear in the size of the array. */
export function uniqueItems(items: JsonArray, run: Run): boolean {
  const scalars = new Set<unknown>();
  const composites = new Set<string>();
  spend(run, items.length >> 3);
  for (const item of items) {
    if (typeof item !== 'object' || item === null) {
      // A Set tells "1" from 1, and holds 0 and -0 equal, as JSON Schema does.
      if (scalars.has(item)) return false;
      scalars.add(item);
      continue;
    }
    const key = structuralKey(item);
    spend(run, key.length >> 5);
    if (composites.has(key)) return false;
    composites.add(key);
  }
  return true;
}
