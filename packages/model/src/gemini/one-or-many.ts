import { isJsonObject, type JsonValue } from '@toolgate/core';
import type { WireReader } from '../codec/wire-reader.ts';

/** The entries of a list. One alone may stand without its list, as the API takes it and examples of it have it. */
export function oneOrMany(
  reader: WireReader,
  value: JsonValue | undefined,
  pointer: string,
): readonly JsonValue[] {
  return isJsonObject(value) ? [value] : reader.array(value, pointer);
}
