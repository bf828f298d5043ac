import { canonicalJson, type JsonValue } from '@toolgate/core';

/** A text that equal values share: the canonical JSON, or the plain one for text that has none (half surrogates). */
export function jsonKey(value: JsonValue): string {
  try {
    return canonicalJson(value);
  } catch {
    return JSON.stringify(value);
  }
}
