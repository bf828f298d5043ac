import { PROTOCOLS, type Protocol } from '@toolgate/model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withGateway } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents, startRawProvider } from '../../../test-support/raw-provider.ts';
import { basePath, oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

/** One name was offered, the other one was not. */
const name = fc.constantFrom('find', 'find', 'delete_db');
const nothing = fc.constantFrom<string | null | undefined>(undefined, '', null);
const index = fc.constantFrom(undefined, 0, 0, 1, 2);
const text = fc.constantFrom('{"path":"a"}', '{"path":', '"a"}', '');

const chatEntry = fc.oneof(
  fc.record({
    index,
    id: fc.oneof(nothing, fc.constantFrom('a', 'b')),
    function: fc.record({ name: fc.oneof(name, nothing), arguments: fc.oneof(text, nothing) }),
  }),
  fc.record({ index }),
  fc.record({ index, id: fc.constant('c'), custom: fc.record({ name, input: text }) }),
);
const chatChoice = fc.record({
  index: fc.constantFrom(0, 0, 0, 0, 1),
  delta: fc.oneof(
    fc.record({ content: fc.constantFrom('x', '') }),
    fc.record({ tool_calls: fc.oneof(fc.array(chatEntry, { minLength: 1, maxLength: 2 }), chatEntry) }),
    fc.record({ function_call: fc.record({ name, arguments: text }) }),
  ),
  finish_reason: fc.constantFrom(null, null, null, null, 'tool_calls'),
});

const item = fc
  .tuple(
    fc.oneof(
      fc.constantFrom<object>(
        { type: 'message', role: 'assistant', content: [] },
        { type: 'reasoning', summary: [] },
        { type: 'mcp_call' },
        { type: 'shell_call_output', call_id: 'a' },
      ),
      fc.record({
        type: fc.constant('function_call'),
        call_id: fc.constantFrom('a', 'b', ''),
        name: fc.oneof(name, fc.constant('')),
        arguments: text,
      }),
      fc.record({
        type: fc.constant('custom_tool_call'),
        call_id: fc.constantFrom('a', 'b'),
        name,
        input: text,
      }),
    ),
    fc.constantFrom<object>({}, { id: 'i1' }, { id: 'i2' }),
  )
  .map(([said, id]) => ({ ...said, ...id }));
const place = { output_index: index, item_id: fc.constantFrom(undefined, 'i1', 'i2') };
const responsesEvent = fc.oneof(
  fc.record({ type: fc.constant('response.output_item.added'), output_index: index, item }),
  fc.record({ type: fc.constant('response.output_item.done'), output_index: index, item }),
  fc.record({ type: fc.constant('response.function_call_arguments.delta'), ...place, delta: text }),
  fc.record({ type: fc.constant('response.function_call_arguments.done'), ...place, arguments: text }),
  fc.record({ type: fc.constant('response.output_text.delta'), ...place, delta: fc.constant('t') }),
);

const block = fc.oneof(
  fc.constantFrom<object>({ type: 'text', text: '' }, { type: 'server_tool_use', id: 's', name: 'w' }),
  fc.record({ type: fc.constantFrom('tool_use', 'x_use'), id: fc.constantFrom('a', 'b'), name }),
);
const delta = fc.constantFrom<object>(
  { type: 'text_delta', text: 'x' },
  { type: 'input_json_delta', partial_json: '{"path":"a"}' },
);
const at = { index: fc.nat(1) };
const anthropicEvent = fc.oneof(
  fc.record({ type: fc.constant('content_block_start'), ...at, content_block: block }),
  fc.record({ type: fc.constant('content_block_delta'), ...at, delta }),
  fc.record({ type: fc.constant('content_block_stop'), ...at }),
);

const part = fc.oneof(
  fc.constantFrom<object>({ text: 'a' }, { text: 't', thought: true }, { functionCall: {} }),
  fc.record({ functionCall: fc.record({ name, args: fc.constantFrom({}, { path: 'a' }) }) }),
  fc.record({ functionCall: fc.record({ name, willContinue: fc.constant(true) }) }),
  fc.record({ text: fc.constant('x'), functionCall: fc.record({ name, id: fc.constant('i') }) }),
);

const sse = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (value: { readonly type: string; readonly [member: string]: unknown }): string =>
  `event: ${value.type}\n${sse(value)}`;
const list = <Value>(one: fc.Arbitrary<Value>) => fc.array(one, { maxLength: 7 });
const STREAMS: readonly (readonly [Protocol, fc.Arbitrary<readonly string[]>])[] = [
  [
    'openai-chat',
    list(chatChoice).map((choices) => [
      ...choices.map((choice) => sse({ id: 'r', choices: [choice] })),
      sse({ id: 'r', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] }),
      'data: [DONE]\n\n',
    ]),
  ],
  [
    'openai-responses',
    fc
      .tuple(list(responsesEvent), fc.array(item, { maxLength: 2 }))
      .map(([events, output]) => [
        sse({ type: 'response.created', response: { id: 'r', model: 'up', output: [] } }),
        ...events.map(sse),
        sse({ type: 'response.completed', response: { id: 'r', status: 'completed', output } }),
      ]),
  ],
  [
    'anthropic',
    list(anthropicEvent).map((events) => [
      named({ type: 'message_start', message: { id: 'm', model: 'up', role: 'assistant', content: [] } }),
      ...events.map(named),
      named({ type: 'message_delta', delta: { stop_reason: 'tool_use' } }),
      named({ type: 'message_stop' }),
    ]),
  ],
  [
    'gemini',
    list(fc.array(part, { maxLength: 2 })).map((contents) => [
      ...contents.map((parts) => sse({ candidates: [{ content: { role: 'model', parts } }] })),
      sse({ candidates: [{ finishReason: 'STOP' }] }),
    ]),
  ],
];

test.each(STREAMS)(
  'a call that nobody offered comes out of no stream of %s, however odd',
  async (protocol, streams) => {
    let pieces: readonly string[] = [];
    const provider = await startRawProvider((response, request) => sendEvents(pieces)(response, request));
    const upstream = { protocol, baseUrl: `${provider.origin}${basePath(protocol)}` };
    const candidates = ['one', 'two'].map((of) => ({ provider: of, model: undefined }));
    const setup = { providers: { one: upstream, two: upstream }, routes: [{ model: 'm', candidates }] };
    await withGateway(setup, async ({ url }) => {
      const property = fc.asyncProperty(streams, async (stream) => {
        pieces = stream;
        const answered = await post(`${url}${surfacePath(protocol, true)}`, oddRequest(protocol, true));
        expect(answered.body).not.toContain('delete_db');
      });
      await fc.assert(property, { numRuns: 500 });
    });
    await provider.close();
  },
);

/** What the first event of a stream says, on the wires that have an event for it. */
const OPENINGS: Partial<Record<Protocol, RegExp>> = {
  anthropic: /^event: message_start\n/,
  'openai-responses': /^event: response\.created\n/,
};

test.each(
  STREAMS.flatMap(([backend, streams]) =>
    PROTOCOLS.flatMap((surface) => {
      const opening = OPENINGS[surface];
      return opening === undefined || surface === backend
        ? []
        : [[backend, surface, streams, opening] as const];
    }),
  ),
)('nothing of a stream of %s, however odd, comes to a client of %s before its opening', async (...given) => {
  const [protocol, surface, streams, opening] = given;
  let pieces: readonly string[] = [];
  const provider = await startRawProvider((response, request) => sendEvents(pieces)(response, request));
  const setup = { providers: { m: { protocol, baseUrl: `${provider.origin}${basePath(protocol)}` } } };
  await withGateway(setup, async ({ url }) => {
    const property = fc.asyncProperty(streams, async (stream) => {
      pieces = stream;
      const answered = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
      if (answered.status === 200) expect(answered.body).toMatch(opening);
    });
    await fc.assert(property, { numRuns: 60 });
  });
  await provider.close();
});
