import type { Wire } from './events.ts';

export const chunk = (choices: readonly Wire[], rest: Wire = {}): Wire => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'up',
  choices,
  ...rest,
});
export const choice = (delta: unknown, rest: Wire = {}): Wire => ({
  index: 0,
  delta,
  finish_reason: null,
  ...rest,
});
export const called = (text: string, rest: Wire = {}): Wire => ({
  index: 0,
  id: 'call_1',
  type: 'function',
  function: { name: 'find', arguments: text },
  ...rest,
});
export const piece = (text: string, rest: Wire = {}): Wire => ({
  index: 0,
  function: { arguments: text },
  ...rest,
});
export const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
export const finish = (rest: Wire = {}): Wire => choice({}, { finish_reason: 'tool_calls', ...rest });
