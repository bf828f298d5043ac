import { appendPointer } from '@toolgate/core';
import type { Place } from './walk.ts';

/** The place of a subschema. */
export function below(place: Place, ...tokens: readonly (string | number)[]): Place {
  return {
    pointer: tokens.reduce<string>((pointer, token) => appendPointer(pointer, token), place.pointer),
    depth: place.depth + 1,
    path: place.path,
  };
}
