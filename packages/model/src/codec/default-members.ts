import { isJsonObject, type JsonValue } from '@toolgate/core';
import { isJsonArray } from './wire-reader.ts';

/** What members of requests are without being written; many clients write it. */
const DEFAULTS: ReadonlyMap<string, readonly JsonValue[]> = new Map<string, readonly JsonValue[]>([
  ['background', [false]],
  ['defer_loading', [false]],
  ['logprobs', [false]],
  ['mode', ['MODE_UNSPECIFIED']],
  ['responseLogprobs', [false]],
  ['service_tier', ['auto', 'default']],
  ['store', [false]],
  ['top_logprobs', [0]],
  ['truncation', ['disabled']],
  ['verbosity', ['medium']],
]);

/** Members of which some texts ask for nothing that another provider could leave out. */
const DEFAULT_TEXTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['allowed_callers', ['direct']],
  ['include', ['reasoning.encrypted_content']],
  ['modalities', ['text']],
  ['responseModalities', ['text']],
]);

/** Members that say how an answer is made, kept or paid for, and never what it is. */
const HINTS: ReadonlySet<string> = new Set([
  'cache_control',
  'client_metadata',
  'eager_input_streaming',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
]);

/** Members that hold others, each of which may ask for nothing. */
const HOLDERS: ReadonlySet<string> = new Set([
  'functionCallingConfig',
  'generationConfig',
  'text',
  'toolConfig',
]);

/** Schemas in a form of Gemini, which are kept for it alone: every other protocol has what they say in its own form. */
const RESTATED: ReadonlySet<string> = new Set(['parameters', 'responseSchema']);

/** Whether a member asks for nothing: it is empty, or says what holds without it. Losing it changes no answer. */
export function isDefault(name: string, value: JsonValue): boolean {
  if (value === null || HINTS.has(name) || RESTATED.has(name)) return true;
  if (isJsonArray(value)) {
    const texts = DEFAULT_TEXTS.get(name) ?? [];
    return value.every((one) => typeof one === 'string' && texts.includes(one.toLowerCase()));
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    return (
      entries.length === 0 || (HOLDERS.has(name) && entries.every(([inner, one]) => isDefault(inner, one)))
    );
  }
  return DEFAULTS.get(name)?.includes(value) === true;
}
