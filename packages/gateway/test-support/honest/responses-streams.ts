import { ARGUMENTS, data, named, PIECES, type Wire } from './events.ts';

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

/** Streams of one call. */
export const RESPONSES_STREAMS: Readonly<Record<string, string>> = {
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
