import type { FailureClass } from './failure-class.ts';

/** The `code` of an error on both wires of OpenAI. Clients tell by it whether to wait, to shorten or to give up. */
export const OPENAI_FAILURES: Readonly<Record<FailureClass, string>> = Object.freeze({
  context: 'context_length_exceeded',
  limited: 'rate_limit_exceeded',
  overloaded: 'server_is_overloaded',
  timeout: 'timeout',
  request: 'invalid_prompt',
});
