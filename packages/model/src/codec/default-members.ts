import type { JsonValue } from '@toolgate/core';
import { isJsonArray, isJsonObject } from './wire-reader.ts';

/** What members of requests are without being written; many clients write it. */
const DEFAULTS: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  ['background', [false]],
  ['logprobs', [false]],
  ['responseLogprobs', [false]],
  ['service_tier', ['auto', 'default']],
  ['store', [false]],
  ['top_logprobs', [0]],
  ['truncation', ['disabled']],
]);

/** Whether a member asks for nothing: it is empty, or says what holds without it. Losing it changes nothing. */
export function isDefault(name: string, value: JsonValue): boolean {
  if (value === null) return true;
  if (isJsonArray(value)) {
    if (value.length === 0) return true;
    return (name === 'modalities' || name === 'responseModalities') && isText(value);
  }
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return DEFAULTS.get(name)?.includes(value) === true;
}

function isText(modalities: readonly JsonValue[]): boolean {
  return modalities.every((one) => typeof one === 'string' && one.toLowerCase() === 'text');
}
