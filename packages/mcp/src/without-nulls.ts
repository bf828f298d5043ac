import type { JsonObject } from '@toolgate/core';
import { isObject, type Loose } from './value-shape.ts';

/** An object without the members that are `null`, by which servers and clients write what is absent; `depth` levels of it. */
export function withoutNulls(object: JsonObject, depth: number): JsonObject;
export function withoutNulls(object: Loose, depth: number): Loose;
export function withoutNulls(object: Loose, depth: number): Loose {
  const kept = Object.entries(object).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      name,
      depth > 1 && isObject(value) ? withoutNulls(value, depth - 1) : value,
    ]),
  );
}
