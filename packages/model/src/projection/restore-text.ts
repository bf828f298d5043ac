import { type JsonValue, readJson, writeJson } from '@toolgate/core';
import type { SchemaProjection } from './project-schema.ts';

/**
 * JSON text that a model wrote for a projected schema, as the original one means it. The text itself comes back when
 * nothing has to change, and when it is not strict JSON: that is for whoever checks it to refuse.
 */
export function restoreText(text: string, { restore }: Pick<SchemaProjection, 'restore'>): string {
  let value: JsonValue;
  try {
    value = readJson(text, { maxBytes: 'none' });
  } catch {
    return text;
  }
  const restored = restore(value);
  return restored === value ? text : writeJson(restored);
}
