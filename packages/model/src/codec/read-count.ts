import type { JsonObject } from '@toolgate/core';
import { memberOf } from './wire-reader.ts';

/** A count of a foreign object: a whole number from 0, or `null` where there is none. */
export function readCount(object: JsonObject, name: string): number | null {
  const value = memberOf(object, name);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
