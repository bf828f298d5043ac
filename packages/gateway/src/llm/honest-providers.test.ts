import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, withRawProvider } from '../../test-support/ask-raw.ts';
import { post } from '../../test-support/post.ts';
import { sendEvents, sendJson } from '../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../test-support/wire-samples.ts';

type Wire = Readonly<Record<string, unknown>>;

const ARGUMENTS = '{"path":"a"}';
const PIECES = ['{"path"', ':"a"}'];
const DONE = 'data: [DONE]\n\n';

/** Events without names. */
const data = (...events: readonly Wire[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
/** Events that are named by their type. */
const named = (...events: readonly Wire[]): string =>
  events.map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`).join('');

const chunk = (choices: readonly Wire[], rest: Wire = {}): Wire => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'up',
  choices,
  ...rest,
});
const choice = (delta: unknown, rest: Wire = {}): Wire => ({ index: 0, delta, finish_reason: null, ...rest });
const called = (text: string, rest: Wire = {}): Wire => ({
  index: 0,
  id: 'call_1',
  type: 'function',
  function: { name: 'find', arguments: text },
  ...rest,
});
const piece = (text: string, rest: Wire = {}): Wire => ({ index: 0, function: { arguments: text }, ...rest });
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 };
const finish = (rest: Wire = {}): Wire => choice({}, { finish_reason: 'tool_calls', ...rest });

const CHAT_STREAMS: Readonly<Record<string, string>> = {
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
const REPEATED =
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

const item = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'find' };
const response = (status: string, output: readonly Wire[], rest: Wire = {}): Wire => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  model: 'up',
  error: null,
  incomplete_details: null,
  instructions: null,
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'low', summary: null },
  store: true,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [{ type: 'function', name: 'find', parameters: { type: 'object' }, strict: false }],
  usage: null,
  user: null,
  metadata: {},
  ...rest,
});
const numbered = (events: readonly Wire[]): readonly Wire[] =>
  events.map((event, at) => ({ ...event, sequence_number: at }));
const done = { ...item, status: 'completed', arguments: ARGUMENTS };
const callEvents = (at: number): readonly Wire[] => [
  {
    type: 'response.output_item.added',
    output_index: at,
    item: { ...item, status: 'in_progress', arguments: '' },
  },
  ...PIECES.map((delta) => ({
    type: 'response.function_call_arguments.delta',
    item_id: 'fc_1',
    output_index: at,
    delta,
    obfuscation: 'x',
  })),
  {
    type: 'response.function_call_arguments.done',
    item_id: 'fc_1',
    output_index: at,
    arguments: ARGUMENTS,
  },
  { type: 'response.output_item.done', output_index: at, item: done },
];
const thought = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'x' };

const RESPONSES_STREAMS: Readonly<Record<string, string>> = {
  OpenAI: named(
    ...numbered([
      { type: 'response.created', response: response('in_progress', []) },
      { type: 'response.in_progress', response: response('in_progress', []) },
      { type: 'response.output_item.added', output_index: 0, item: thought },
      { type: 'response.output_item.done', output_index: 0, item: thought },
      ...callEvents(1),
      {
        type: 'response.completed',
        response: response('completed', [thought, done], {
          usage: { input_tokens: 5, output_tokens: 7, total_tokens: 12 },
        }),
      },
    ]),
  ),
  'one that counts from one and names the call in its last words': named(
    { type: 'response.created', response: response('in_progress', []) },
    ...callEvents(0).map((event) =>
      event['type'] === 'response.function_call_arguments.done' ? { ...event, name: 'find' } : event,
    ),
    { type: 'response.completed', response: response('completed', [done]) },
  ),
  'one that writes events without names': data(
    { type: 'response.created', response: response('in_progress', []) },
    ...callEvents(0),
    { type: 'response.completed', response: response('completed', [done]) },
  ),
};

const start = (rest: Wire = {}): Wire => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'up',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 1, cache_read_input_tokens: 0, service_tier: 'standard' },
    ...rest,
  },
});
const blockOf = (index: number, block: Wire, ...deltas: readonly Wire[]): readonly Wire[] => [
  { type: 'content_block_start', index, content_block: block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const inJson = (partial_json: string): Wire => ({ type: 'input_json_delta', partial_json });
const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'find', input: {} };
const stop = (rest: Wire = {}): readonly Wire[] => [
  {
    type: 'message_delta',
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 7 },
    ...rest,
  },
  { type: 'message_stop' },
];

const ANTHROPIC_STREAMS: Readonly<Record<string, string>> = {
  Anthropic: named(
    start(),
    ...blockOf(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Look.' },
      { type: 'signature_delta', signature: 'c2ln' },
    ),
    { type: 'ping' },
    ...blockOf(1, { ...toolUse, caller: { type: 'direct' } }, inJson(''), ...PIECES.map(inJson)),
    ...stop({ context_management: { applied_edits: [] } }),
  ),
  'a relay of Bedrock': named(
    start(),
    ...blockOf(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Look.' }),
    ...blockOf(1, toolUse, ...PIECES.map(inJson)),
    ...stop().map((event) =>
      event['type'] === 'message_stop'
        ? { ...event, 'amazon-bedrock-invocationMetrics': { inputTokenCount: 5, outputTokenCount: 7 } }
        : event,
    ),
  ),
  'one whose pings come first and whose counts come late': named(
    { type: 'ping' },
    start({ usage: { input_tokens: 0, output_tokens: 0 } }),
    { type: 'ping' },
    ...blockOf(0, toolUse, inJson(ARGUMENTS)),
    ...stop({ usage: { input_tokens: 5, output_tokens: 7, server_tool_use: { web_search_requests: 0 } } }),
  ),
};

const part = { functionCall: { name: 'find', args: { path: 'a' } }, thoughtSignature: 'c2ln' };
const counts = {
  promptTokenCount: 5,
  candidatesTokenCount: 7,
  totalTokenCount: 12,
  thoughtsTokenCount: 2,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 5 }],
};
const candidate = (parts: readonly Wire[], rest: Wire = {}): Wire => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }],
  usageMetadata: counts,
  modelVersion: 'up',
  responseId: 'r1',
});
const GEMINI_STREAMS: Readonly<Record<string, string>> = {
  Gemini: data(
    candidate([{ text: 'Look.', thought: true }]),
    candidate([part], { finishReason: 'STOP', finishMessage: 'Model generated function call(s).' }),
  ).replaceAll('\n', '\r\n'),
  Vertex: data(
    {
      ...candidate([part], { avgLogprobs: -0.1, safetyRatings: [{ category: 'HARM', severityScore: 0.1 }] }),
      createTime: '2026-01-01T00:00:00Z',
    },
    {
      ...candidate([{ text: '' }], { finishReason: 'STOP', citationMetadata: { citations: [] } }),
      usageMetadata: { ...counts, trafficType: 'ON_DEMAND' },
    },
  ),
};

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

const CHAT_ANSWERS: Readonly<Record<string, Wire>> = {
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

const rows = (protocol: Protocol, stream: boolean, samples: Readonly<Record<string, string>>) =>
  Object.entries(samples).map(([name, body]) => ({ name, protocol, stream, body }));

const SAMPLES = [
  ...rows('openai-chat', true, CHAT_STREAMS),
  ...rows('openai-responses', true, RESPONSES_STREAMS),
  ...rows('anthropic', true, ANTHROPIC_STREAMS),
  ...rows('gemini', true, GEMINI_STREAMS),
  ...Object.entries(CHAT_ANSWERS).map(([name, body]) => ({
    name,
    protocol: 'openai-chat' as const,
    stream: false,
    body: JSON.stringify(body),
  })),
];

describe('what an honest provider sends', () => {
  test.each(SAMPLES)(
    'passes as it is: $name ($protocol, streamed: $stream)',
    async ({ body, protocol, stream }) => {
      const answer = stream ? sendEvents([body]) : sendJson(body);
      await withRawProvider(protocol, [answer], {}, async ({ url }) => {
        const answered = await post(`${url}${surfacePath(protocol, stream)}`, oddRequest(protocol, stream));
        expect([answered.status, answered.body, answered.broken]).toEqual([200, body, false]);
        expect(callsOf(readAnswer(protocol, stream, answered.body))).toEqual([['find', ARGUMENTS]]);
      });
    },
  );

  test('comes without a message that is said once more after its end', async () => {
    await withRawProvider('openai-chat', [sendEvents([REPEATED])], {}, async ({ url }) => {
      const path = surfacePath('openai-chat', true);
      const answered = await post(`${url}${path}`, oddRequest('openai-chat', true));
      expect([answered.status, answered.broken]).toEqual([200, false]);
      expect(callsOf(readAnswer('openai-chat', true, answered.body))).toEqual([['find', ARGUMENTS]]);
      expect(answered.body).not.toContain('"message"');
      expect(answered.body).toContain('"base_resp"');
    });
  });
});
