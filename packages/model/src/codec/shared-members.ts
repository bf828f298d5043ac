import type { SharedMembers } from './extensions.ts';

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
  names: NAMES,
});

/** Request members of OpenAI Chat Completions that mean the same in Responses. */
export const SHARED_WITH_CHAT: SharedMembers = Object.freeze({ protocol: 'openai-chat', names: NAMES });

/**
 * The marks by which Anthropic caches what stands before them. Clients of Chat Completions write them into parts, tools
 * and results for a model of Anthropic; to no other one they are sent.
 */
export const CACHE_MARKS_OF_CHAT: SharedMembers = Object.freeze({
  protocol: 'openai-chat',
  names: new Set(['cache_control']),
});
