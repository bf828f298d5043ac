import { canonicalJson, JsonError, type JsonValue, readJson, toJsonValue } from '@toolgate/core';

/** A value as the one text that equal values have; `undefined` for what no JSON can carry. */
export function canonical(value: unknown): string | undefined {
  try {
    return canonicalJson(toJsonValue(value) as JsonValue);
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return undefined;
  }
}

/** Whether a text is the JSON of a value that was made canonical. */
export function saysSame(text: string, same: string): boolean {
  try {
    return canonicalJson(readJson(text, { inexactIntegers: 'allow' })) === same;
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return false;
  }
}
