// What is asked and answered, on the OpenAI Chat wire: requests of about 2 KB and 57 KB, an answer of about 1.1 KB with a
// tool call, and streams of 200 events of about 290 bytes.
const WORDS = 'The maintenance window of this service begins after the last nightly backup has been verified. ';

/** Events of one stream, the last one `[DONE]`. */
export const EVENTS = 200;

const tool = (index) => ({
  type: 'function',
  function: {
    name: `find_${index}`,
    description: `Finds records of collection ${index}. ${WORDS}${WORDS}`,
    parameters: {
      type: 'object',
      properties: {
        query: { type: 'string', description: WORDS, maxLength: 500 },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      },
      required: ['query'],
      additionalProperties: false,
    },
  },
});

const list = (length, make) => Array.from({ length }, (_, index) => make(index));
const message = (index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: `${index}. ${WORDS.repeat(4)}` });

const SIZES = {
  '2 KB': { messages: list(2, message), tools: list(2, tool) },
  '57 KB': { messages: list(61, message), tools: list(40, tool) },
};

/**
 * The body of a request.
 *
 * @param {{ size: string, model: string, stream?: boolean, pace?: string }} options - `pace` is read by the provider alone: `10` for
 *   one event every 10 ms, `0` for all at once, `flood` for a stream that hardly ends.
 */
export function requestBody({ size, model, stream = false, pace = '0' }) {
  return JSON.stringify({ model, user: `pace-${pace}`, stream, ...SIZES[size] });
}

const ARGUMENTS = JSON.stringify({ query: 'nightly backup', limit: 10, tags: ['backup', 'window'] });
const call = (args) => ({ index: 0, id: 'call_1', type: 'function', function: { name: 'find_0', arguments: args } });

/** The whole answer, as text. */
export const ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'bench',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: WORDS.repeat(6), tool_calls: [{ ...call(ARGUMENTS), index: undefined }] },
      finish_reason: 'tool_calls',
    },
  ],
  usage: { prompt_tokens: 500, completion_tokens: 100, total_tokens: 600 },
});

const chunk = (delta, finish = null) => ({
  id: 'chatcmpl-bench-of-a-length-that-providers-use',
  object: 'chat.completion.chunk',
  created: 1_790_000_000,
  model: 'bench-2026-11-30',
  service_tier: 'default',
  system_fingerprint: 'fp_0123456789',
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
});
const line = (value) => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;

/** Text, and one small call at its end. */
export const TEXT_STREAM = [
  ...list(EVENTS - 4, (index) => chunk({ ...(index === 0 ? { role: 'assistant' } : {}), content: ` ${WORDS.slice(0, 45)}` })),
  chunk({ tool_calls: [call('')] }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: ARGUMENTS } }] }),
  chunk({}, 'tool_calls'),
  '[DONE]',
].map(line);

/** One large call and nothing else: a firewall has to hold all of it. */
export const CALL_STREAM = [
  chunk({ role: 'assistant', content: null, tool_calls: [call('{"query":"')] }),
  ...list(EVENTS - 4, () => chunk({ tool_calls: [{ index: 0, function: { arguments: '12' } }] })),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"}' } }] }),
  chunk({}, 'tool_calls'),
  '[DONE]',
].map(line);
