import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import { type SharedMembers, toExtensions } from './extensions.ts';

const NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
]);

/** Request members of OpenAI Responses that mean the same in Chat Completions. */
export const SHARED_WITH_RESPONSES: SharedMembers = Object.freeze({
  protocol: 'openai-responses',
  names: new Set([...NAMES, 'verbosity']),
});

/** Request members of OpenAI Chat Completions that mean the same in Responses. */
export const SHARED_WITH_CHAT: SharedMembers = Object.freeze({
  protocol: 'openai-chat',
  names: new Set([...NAMES, 'text']),
});

/** Members of Responses with the wish for long or short answers where Chat Completions has it. */
export function verbosityToChat(extensions: Extensions | undefined): Extensions | undefined {
  if (extensions?.protocol !== 'openai-responses') return extensions;
  const { text, ...others } = extensions.members;
  if (!isJsonObject(text) || typeof text['verbosity'] !== 'string') return extensions;
  const { verbosity, ...rest } = text;
  const left: JsonObject = Object.keys(rest).length === 0 ? {} : { text: rest };
  return toExtensions(extensions.protocol, { ...others, ...left, verbosity });
}

/** Members of Chat Completions with the wish for long or short answers where Responses has it. */
export function verbosityToResponses(extensions: Extensions | undefined): Extensions | undefined {
  if (extensions?.protocol !== 'openai-chat') return extensions;
  const { verbosity, ...others } = extensions.members;
  if (typeof verbosity !== 'string') return extensions;
  return toExtensions(extensions.protocol, { ...others, text: { verbosity } });
}

/**
 * The marks by which Anthropic caches what stands before them. Clients of Chat Completions write them into parts, tools
 * and results for a model of Anthropic; to no other one they are sent.
 */
export const CACHE_MARKS_OF_CHAT: SharedMembers = Object.freeze({
  protocol: 'openai-chat',
  names: new Set(['cache_control']),
});
