import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { ModelCall } from '@toolgate/model';

/** Members of a request that ask for a form of the answer, in the spellings of the wires and their descendants. */
const FORMS: ReadonlySet<string> = new Set([
  'audio',
  'format',
  'ebnf',
  'grammar',
  'guided_choice',
  'guided_grammar',
  'guided_json',
  'guided_regex',
  'json_schema',
  'output_format',
  'regex',
  'response_format',
  'response_json_schema',
  'response_schema',
  'responseJsonSchema',
  'responseSchema',
  '_responseJsonSchema',
  'speech_config',
  'speechConfig',
  'structural_tag',
  'structured_outputs',
]);

/** Members that list what the answer may consist of. */
const MODALITIES: ReadonlySet<string> = new Set([
  'modalities',
  'output_modalities',
  'response_modalities',
  'responseModalities',
]);

/** Members that name the media type of the answer. */
const MEDIA_TYPES: ReadonlySet<string> = new Set(['response_mime_type', 'responseMimeType']);

/** Members that hold some of the above in a level of their own. */
const HOLDERS: ReadonlySet<string> = new Set([
  'extra_body',
  'generation_config',
  'generationConfig',
  'output_config',
  'text',
]);

/**
 * Whether a call asks for plain text. The result of a control tool is published as plain text, so every other form,
 * known or not, would be broken by it.
 */
export function wantsPlainText({ responseFormat, extensions }: ModelCall): boolean {
  if (responseFormat !== undefined && responseFormat !== null && responseFormat.kind !== 'text') return false;
  return extensions === undefined || asksForText(extensions.members);
}

function asksForText(members: JsonObject): boolean {
  return Object.entries(members).every(([name, value]) => {
    if (value === null) return true;
    if (FORMS.has(name)) return false;
    if (MODALITIES.has(name)) return isTextOnly(value);
    if (MEDIA_TYPES.has(name)) return value === 'text/plain';
    // A wire nests these once; what is nested deeper is looked into as well, within the depth of the request.
    return !HOLDERS.has(name) || !isJsonObject(value) || asksForText(value);
  });
}

function isTextOnly(value: JsonValue): boolean {
  return (
    Array.isArray(value) && value.every((word) => typeof word === 'string' && word.toLowerCase() === 'text')
  );
}
