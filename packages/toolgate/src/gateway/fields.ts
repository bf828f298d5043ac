import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Paint } from '../terminal/paint.ts';
import { safeText } from '../terminal/safe-text.ts';

/** A member of an answer as text for a terminal; `''` where there is none. */
export function textOf(value: JsonObject, name: string, maxLength = 200): string {
  const member = value[name];
  if (member === undefined || member === null) return '';
  return safeText(typeof member === 'string' ? member : JSON.stringify(member), maxLength);
}

/** A point in time of an answer, to the second. */
export function timeOf(value: JsonObject, name: string): string {
  const member = value[name];
  if (typeof member !== 'number' || Math.abs(member) > 8.64e15) return textOf(value, name);
  return `${new Date(member).toISOString().slice(0, 19)}Z`;
}

/** The objects of a list; what is none is left out. */
export function itemsOf(value: JsonObject): readonly JsonObject[] {
  const items: JsonValue | undefined = value['items'];
  return Array.isArray(items) ? (items as readonly JsonValue[]).filter(isJsonObject) : [];
}

/** One line for each field that has a text. */
export function formatFields(
  fields: readonly (readonly [label: string, text: string])[],
  paint: Paint,
): string {
  const width = Math.max(...fields.map(([label]) => label.length));
  return fields
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${paint('quiet', label.padEnd(width))}  ${text}\n`)
    .join('');
}
