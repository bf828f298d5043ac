import type { JsonValue } from '@toolgate/core';
import { isJsonObject, textOf } from './wire-reader.ts';

/** A provider's own short word for a failure: the first of `code`, `type` and `status` that is one. Never a sentence. */
export function providerCode(error: JsonValue | undefined): string | undefined {
  if (!isJsonObject(error)) return undefined;
  for (const name of ['code', 'type', 'status'] as const) {
    const word = textOf(error, name);
    if (word !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(word)) return word;
  }
  return undefined;
}
