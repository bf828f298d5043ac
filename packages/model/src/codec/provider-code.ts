import { isJsonObject, type JsonValue } from '@toolgate/core';
import { memberOf, textOf } from './wire-reader.ts';

/**
 * A provider's own short word for a failure: the first of `code`, `type` and `status` that is one, else a `code` that is
 * an HTTP status. Never a sentence.
 */
export function providerCode(error: JsonValue | undefined): string | undefined {
  if (!isJsonObject(error)) return undefined;
  for (const name of ['code', 'type', 'status'] as const) {
    const word = textOf(error, name);
    if (word !== undefined && /^[A-Za-z][\w.-]{0,63}$/.test(word)) return word;
  }
  const code = memberOf(error, 'code');
  const isStatus = typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599;
  return isStatus ? String(code) : undefined;
}
