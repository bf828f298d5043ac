import { type Spelling, spelling } from '../codec/spelling.ts';

const CALLED = spelling('object', { name: undefined, arguments: undefined, input: undefined });
const ENTRY = spelling('either', {
  index: undefined,
  id: undefined,
  type: undefined,
  function: CALLED,
  custom: CALLED,
});
const MESSAGE = spelling('object', { tool_calls: ENTRY, function_call: CALLED }, [
  'role',
  'content',
  'refusal',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'annotations',
]);
const CHOICE = spelling(
  'list',
  { index: undefined, delta: MESSAGE, message: MESSAGE, finish_reason: undefined },
  ['logprobs', 'native_finish_reason', 'content_filter_results'],
);

/** An answer, or a chunk of one. */
export const CHAT_SPELLING: Spelling = spelling('object', { choices: CHOICE }, [
  'id',
  'object',
  'created',
  'model',
  'usage',
  'service_tier',
  'system_fingerprint',
  'obfuscation',
]);
