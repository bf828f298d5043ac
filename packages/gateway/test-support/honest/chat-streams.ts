import { called, choice, chunk, finish, piece, usage } from './chat-pieces.ts';
import { ARGUMENTS, data, PIECES } from './events.ts';

const DONE = 'data: [DONE]\n\n';

/** Streams of one call. */
export const CHAT_STREAMS: Readonly<Record<string, string>> = {
  OpenAI:
    data(
      chunk([choice({ role: 'assistant', content: null, refusal: null })], { usage: null, obfuscation: 'x' }),
      chunk([choice({ tool_calls: [called('')] }, { logprobs: null })], { service_tier: 'default' }),
      ...PIECES.map((text) => chunk([choice({ tool_calls: [piece(text)] })])),
      chunk([finish({ logprobs: null })], { system_fingerprint: null }),
      chunk([], { usage: { ...usage, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 } } }),
    ) + DONE,
  'Azure OpenAI':
    data(
      {
        choices: [],
        created: 0,
        id: '',
        model: '',
        object: '',
        prompt_filter_results: [{ prompt_index: 0, content_filter_results: { hate: { filtered: false } } }],
      },
      chunk([choice({ role: 'assistant', tool_calls: [called('')] }, { content_filter_results: {} })]),
      ...PIECES.map((text) => chunk([choice({ tool_calls: [piece(text)] })])),
      chunk([finish({ content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 57 } })]),
    ) + DONE,
  Groq:
    data(
      chunk([choice({ role: 'assistant', content: '' })], { x_groq: { id: 'req_1' } }),
      chunk([choice({ channel: 'analysis', reasoning: 'Look.' })]),
      chunk([choice({ tool_calls: [called(ARGUMENTS)] })]),
      chunk([finish()], { x_groq: { id: 'req_1', usage: { ...usage, queue_time: 0.1 } } }),
    ) + DONE,
  DeepSeek:
    ': keep-alive\n\n' +
    data(
      chunk([choice({ role: 'assistant', content: null, reasoning_content: 'Look.' }, { logprobs: null })]),
      chunk([choice({ tool_calls: [called('')] })]),
      ...PIECES.map((text) => chunk([choice({ tool_calls: [piece(text)] })])),
      chunk([choice({ content: '' }, { finish_reason: 'tool_calls' })], {
        usage: { ...usage, prompt_cache_hit_tokens: 0, prompt_cache_miss_tokens: 5 },
      }),
    ) +
    DONE,
  Mistral:
    data(
      chunk([choice({ role: 'assistant', content: '' })], { p: 'abcdef' }),
      chunk(
        [
          choice(
            {
              content: '',
              tool_calls: [{ id: 'D681PevKs', function: { name: 'find', arguments: ARGUMENTS }, index: 0 }],
            },
            { finish_reason: 'tool_calls' },
          ),
        ],
        { usage, p: 'abc' },
      ),
    ) + DONE,
  OpenRouter:
    ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n' +
    data(
      chunk(
        [
          choice(
            {
              role: 'assistant',
              content: '',
              reasoning: 'Look.',
              reasoning_details: [
                { type: 'reasoning.text', text: 'Look.', format: 'anthropic-claude-v1', index: 0 },
              ],
            },
            { native_finish_reason: null, logprobs: null },
          ),
        ],
        { provider: 'Anthropic' },
      ),
      chunk([choice({ role: 'assistant', content: null, tool_calls: [called('')] })], {
        provider: 'Anthropic',
      }),
      ...PIECES.map((text) =>
        chunk([
          choice({ role: 'assistant', content: null, tool_calls: [piece(text, { type: 'function' })] }),
        ]),
      ),
      chunk([
        choice(
          { role: 'assistant', content: '' },
          { finish_reason: 'tool_calls', native_finish_reason: 'tool_use' },
        ),
      ]),
      chunk([choice({ role: 'assistant', content: '' })], {
        usage: { ...usage, cost: 0.1, is_byok: false, cost_details: { upstream_inference_cost: null } },
      }),
    ) +
    DONE,
  vLLM:
    data(
      chunk([choice({ role: 'assistant', content: '' }, { logprobs: null })], { prompt_token_ids: null }),
      chunk([
        choice({ reasoning: 'Look.', reasoning_content: 'Look.' }, { logprobs: null, token_ids: null }),
      ]),
      chunk([choice({ tool_calls: [called('', { id: 'chatcmpl-tool-1' })] }, { logprobs: null })]),
      ...PIECES.map((text) => chunk([choice({ tool_calls: [piece(text)] })])),
      chunk([choice({ content: '' }, { finish_reason: 'tool_calls', stop_reason: null, logprobs: null })]),
      chunk([], { usage }),
    ) + DONE,
  'llama.cpp':
    data(
      chunk([choice({ role: 'assistant', content: null })]),
      chunk([choice({ tool_calls: [called('{')] })]),
      ...['"path"', ':"a"}'].map((text) => chunk([choice({ tool_calls: [piece(text)] })])),
      chunk([finish()], {
        usage,
        timings: { prompt_n: 5, predicted_n: 7 },
        __verbose: { index: 0, content: '<tool_call>', tokens: [], stop: true, tool_calls: [] },
      }),
    ) + DONE,
  Ollama:
    data(
      chunk([choice({ role: 'assistant', content: '', reasoning: 'Look.' })], {
        system_fingerprint: 'fp_ollama',
      }),
      chunk([choice({ role: 'assistant', content: '', tool_calls: [called(ARGUMENTS)] })]),
      chunk([choice({ role: 'assistant', content: '' }, { finish_reason: 'tool_calls' })]),
    ) + DONE,
  'Gemini behind its Chat surface':
    data(
      chunk(
        [
          choice(
            {
              role: 'assistant',
              tool_calls: [called(ARGUMENTS, { extra_content: { google: { thought_signature: 'c2ln' } } })],
            },
            { finish_reason: 'tool_calls' },
          ),
        ],
        { usage },
      ),
    ) + DONE,
  Together:
    data(
      chunk([
        {
          index: 0,
          text: '',
          logprobs: null,
          finish_reason: null,
          seed: null,
          delta: { token_id: null, role: 'assistant', content: '', tool_calls: [called(ARGUMENTS)] },
        },
      ]),
      chunk(
        [
          {
            index: 0,
            text: '',
            seed: 7,
            finish_reason: 'tool_calls',
            delta: { token_id: 1, role: 'assistant', content: '', tool_calls: null },
          },
        ],
        { usage },
      ),
    ) + DONE,
  LiteLLM:
    data(
      chunk([
        choice(
          {
            provider_specific_fields: null,
            refusal: null,
            content: null,
            role: 'assistant',
            function_call: null,
            tool_calls: [called('')],
            audio: null,
          },
          { logprobs: null },
        ),
      ]),
      ...PIECES.map((text) =>
        chunk(
          [
            choice({
              provider_specific_fields: null,
              content: null,
              role: null,
              function_call: null,
              tool_calls: [
                { id: null, type: 'function', index: 0, function: { name: null, arguments: text } },
              ],
            }),
          ],
          { citations: null },
        ),
      ),
      chunk([choice({ content: null, role: null, tool_calls: null }, { finish_reason: 'tool_calls' })]),
    ) + DONE,
  'Qwen of DashScope':
    data(
      chunk([choice({ content: null, role: 'assistant', tool_calls: [called('')] }, { logprobs: null })]),
      ...PIECES.map((text) =>
        chunk([choice({ content: null, tool_calls: [piece(text, { id: '', type: 'function' })] })]),
      ),
      chunk([choice({ content: '', reasoning_content: null }, { finish_reason: 'tool_calls' })]),
      chunk([], { usage }),
    ) + DONE,
  'GLM of Zhipu':
    data(
      chunk([choice({ role: 'assistant', reasoning_content: 'Look.' })], { request_id: 'r' }),
      chunk(
        [
          choice(
            { role: 'assistant', content: '', tool_calls: [called(ARGUMENTS)] },
            { finish_reason: 'tool_calls' },
          ),
        ],
        {
          usage,
        },
      ),
    ) + DONE,
  'a stream without its mark of the end': data(
    chunk([choice({ role: 'assistant', tool_calls: [called(ARGUMENTS)] })]),
    chunk([finish()]),
  ),
  'a relay with the line ends of Windows': (
    data(chunk([choice({ role: 'assistant', tool_calls: [called(ARGUMENTS)] })]), chunk([finish()])) + DONE
  ).replaceAll('\n', '\r\n'),
  'a relay in a language whose empty objects are lists':
    data(
      chunk([choice({ role: 'assistant', tool_calls: [called(ARGUMENTS)] })]),
      chunk([choice([], { finish_reason: 'tool_calls' })], { usage: [] }),
    ) + DONE,
};

/** Says the whole message once more, after its end. */
export const REPEATED =
  data(
    chunk([choice({ role: 'assistant', tool_calls: [called('')] })]),
    ...PIECES.map((text) => chunk([choice({ tool_calls: [piece(text)] })])),
    chunk([finish()]),
    chunk(
      [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: { role: 'assistant', content: '', tool_calls: [called(ARGUMENTS)] },
        },
      ],
      { object: 'chat.completion', usage, base_resp: { status_code: 0, status_msg: '' } },
    ),
  ) + DONE;
