import { ARGUMENTS, named, PIECES, type Wire } from './events.ts';

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

/** Streams of one call. */
export const ANTHROPIC_STREAMS: Readonly<Record<string, string>> = {
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
