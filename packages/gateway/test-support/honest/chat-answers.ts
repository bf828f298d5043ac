import { called, usage } from './chat-pieces.ts';
import { ARGUMENTS, type Wire } from './events.ts';

const whole = (message: Wire, rest: Wire = {}, ofChoice: Wire = {}): Wire => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'up',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, ...message },
      finish_reason: 'tool_calls',
      ...ofChoice,
    },
  ],
  usage,
  ...rest,
});
const { index: _, ...wholeCall } = called(ARGUMENTS);

/** Answers of one call that come whole. */
export const CHAT_ANSWERS: Readonly<Record<string, Wire>> = {
  OpenAI: whole(
    { tool_calls: [wholeCall], refusal: null, annotations: [], audio: null },
    {},
    { logprobs: null },
  ),
  'Azure OpenAI': whole(
    { tool_calls: [wholeCall] },
    { prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
    { content_filter_results: {} },
  ),
  LiteLLM: whole(
    { tool_calls: [wholeCall], function_call: null, provider_specific_fields: { refusal: null } },
    { service_tier: null },
    { provider_specific_fields: {} },
  ),
  'llama.cpp': whole(
    { tool_calls: [wholeCall], reasoning_content: 'Look.' },
    { timings: { prompt_n: 5 }, __verbose: { content: '<tool_call>' } },
  ),
  vLLM: whole(
    { tool_calls: [wholeCall], function_call: null, audio: null, reasoning: null, annotations: null },
    { kv_transfer_params: null, prompt_logprobs: null, prompt_token_ids: null },
    { stop_reason: null, token_ids: null },
  ),
  Ollama: whole({ content: '', tool_calls: [{ ...wholeCall, index: 0 }] }),
  'Perplexity and others with sources': whole(
    { content: '', tool_calls: [wholeCall] },
    { citations: ['https://example.org'], search_results: [{ title: 't', url: 'https://example.org' }] },
    { delta: { role: 'assistant', content: '' } },
  ),
};
