import { isJsonObject, type JsonValue } from '@toolgate/core';
import type { ForeignItem } from '../call/item.ts';
import { memberOf } from './wire-reader.ts';

/** Kinds of output items of OpenAI Responses that ran at the provider, or say something and ask for nothing. */
const RESPONSES_HARMLESS: ReadonlySet<unknown> = new Set([
  'code_interpreter_call',
  'compaction',
  'file_search_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'web_search_call',
]);

/** Uses of tools that Anthropic runs itself. */
const ANTHROPIC_RUNS: ReadonlySet<unknown> = new Set(['server_tool_use', 'mcp_tool_use']);

/** Whether a foreign item of this type may ask something of the client. A kind that is not known may. */
export function mayAskClient(protocol: ForeignItem['protocol'], type: JsonValue | undefined): boolean {
  const word = typeof type === 'string' ? type : '';
  switch (protocol) {
    case 'openai-chat':
      return true;
    case 'openai-responses':
      return !RESPONSES_HARMLESS.has(word) && !word.endsWith('_output');
    case 'anthropic':
      // Some clients read the word as they read names, without regard to its case.
      return /use$/i.test(word) && !ANTHROPIC_RUNS.has(word);
    case 'gemini':
    case 'ai-sdk':
      return false;
  }
}

/** Whether a foreign item of this type is a tool that its provider runs itself, perhaps with effects. */
export function runsAtProvider(protocol: ForeignItem['protocol'], type: JsonValue | undefined): boolean {
  if (protocol === 'anthropic') return ANTHROPIC_RUNS.has(type);
  if (protocol !== 'openai-responses' || typeof type !== 'string') return false;
  return RESPONSES_HARMLESS.has(type) && type.endsWith('_call');
}

/** Whether a foreign item of an answer is a call, or may be one, that its client has to answer. */
export function asksClient({ protocol, role, value }: ForeignItem): boolean {
  return role === 'assistant' && isJsonObject(value) && mayAskClient(protocol, memberOf(value, 'type'));
}
