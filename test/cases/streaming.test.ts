import { PROTOCOLS, type Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { converse, resultsOf, TOOL } from './ask-agent.ts';
import { type StreamedAnswer, type StreamedCall, streamOf } from './wire-streams.ts';

const GOODBYE: StreamedAnswer = { text: 'Done.', end: 'normal' };

function calling(id: string, ...pieces: readonly string[]): readonly StreamedCall[] {
  return [{ id, name: TOOL, pieces }];
}

/** Wires on which arguments are text, so that they can be anything. */
const TEXT_WIRES = ['openai-chat', 'openai-responses', 'anthropic'] as const;

describe.each(PROTOCOLS)('over the wire of %s', (protocol) => {
  const say = (...answers: readonly StreamedAnswer[]) =>
    converse(
      protocol,
      [...answers, GOODBYE].map((answer) => streamOf(protocol, answer)),
    );

  test('a finished call runs once, with the arguments that its pieces join to', async () => {
    const { ran, result } = await say({ calls: calling('call_1', '{"path":', '"你"}'), end: 'normal' });
    expect(ran).toEqual([{ path: '你' }]);
    expect(result).toMatchObject({ stopReason: 'answer', text: 'Done.' });
  });

  test.each(['length', 'broken', 'wordless'] as const)(
    'a call whose text parses is not finished by that: after an end that is %s nothing runs',
    async (end) => {
      const { ran, result } = await say({ calls: calling('call_1', '{"query":"test"}'), end });
      expect(ran).toEqual([]);
      expect(result.outcomes.map(({ reason }) => reason)).toEqual(['call_incomplete']);
    },
  );

  test('a call of an answer that was cut at its length is told to come back smaller', async () => {
    const { histories } = await say({ calls: calling('call_1', '{"file_path":"x.jac"}'), end: 'length' });
    expect(resultsOf(histories[1] ?? [])).toEqual([
      ['call_1', expect.stringMatching(/cut off.*did not run.*less/i)],
    ]);
  });

  test.each([
    '{"name": "save", "arguments": {"city": "Chennai"}}',
    '```tool_code\n{"functionCall":{"name":"save","args":"{}"}}\n```',
    'The user wrote: <tool_call>{"name":"save"}</tool_call>',
  ])('a call in the text is an answer and runs nothing: %j', async (text) => {
    const { ran, result } = await say({ text, end: 'normal' });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ stopReason: 'answer', text, outcomes: [] });
    const warned = result.warnings.filter(({ code }) => !code.startsWith('loss/'));
    expect(warned.map(({ code }) => code)).toEqual(['call-like-text']);
  });

  test('ids that are none become ids of their own, and each result stays with its call', async () => {
    const calls = ['null', '', 'undefined'].map((id, at) => ({ id, name: TOOL, pieces: [`{"at":${at}}`] }));
    const { ran, result, histories } = await say({ calls, end: 'normal' });
    expect(ran).toEqual([{ at: 0 }, { at: 1 }, { at: 2 }]);
    expect(result.outcomes.map(({ kind }) => kind)).toEqual(['completed', 'completed', 'completed']);
    const ids = (histories[1] ?? []).flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
    expect(new Set(ids).size).toBe(3);
    expect(resultsOf(histories[1] ?? []).map(([id]) => id)).toEqual(ids);
  });
});

describe.each(TEXT_WIRES)('argument text on the wire of %s', (protocol) => {
  test.each([
    ['cut inside a list', '{"file_path_list":["deck/01.html","deck/02'],
    ['cut before its closing brackets', '{"commands": ["npm install", "npm test"'],
    ['without its first bytes', 'code": "uptime"}'],
    ['with an unescaped quote', '{"newText": "x = " foo " + y"}'],
    ['with single quotes', "{'path':'a'}"],
    ['with bare names', '{path:"a"}'],
    ['with a comma too many', '{"path":"a",}'],
    ['with words of another language', '{"path":None}'],
    ['with a comment', '{"path":"a" /* here */}'],
    ['with two objects', '{"path":"a"}{"path":"b"}'],
    ['in a fence', '```json\n{"path":"a"}\n```'],
    ['with a line break in a string', '{"path":"a\nb"}'],
  ])(
    '%s is refused with its place and never repaired, and the next request pairs it with that',
    async (_, text) => {
      const pieces = Array.from({ length: Math.ceil(text.length / 5) }, (__, at) =>
        text.slice(at * 5, at * 5 + 5),
      );
      const bodies = [{ calls: calling('call_1', ...pieces), end: 'normal' } as const, GOODBYE];
      const { ran, result, histories } = await converse(
        protocol,
        bodies.map((answer) => streamOf(protocol, answer)),
      );
      expect(ran).toEqual([]);
      expect(result).toMatchObject({
        stopReason: 'answer',
        outcomes: [{ kind: 'invalid', reason: 'arguments_malformed' }],
      });
      expect(histories[1]).toMatchObject([
        { kind: 'message' },
        { kind: 'tool-call', callId: 'call_1', name: TOOL, arguments: '{}' },
        { kind: 'tool-result', callId: 'call_1' },
      ]);
      expect(resultsOf(histories[1] ?? [])[0]?.[1]).toMatch(/offset \d+/);
    },
  );
});

const stream = (...events: readonly object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

const chatChunk = (toolCalls: readonly object[], reason: string | null = null): object => ({
  id: 'c',
  choices: [{ index: 0, delta: { tool_calls: toolCalls }, finish_reason: reason }],
});
const start = { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x' } };
const block = (index: number, id: string): object => ({
  type: 'content_block_start',
  index,
  content_block: { type: 'tool_use', id, name: TOOL, input: {} },
});
const json = (index: number, text: string): object => ({
  type: 'content_block_delta',
  index,
  delta: { type: 'input_json_delta', partial_json: text },
});
const close = (index: number): object => ({ type: 'content_block_stop', index });
const toolUse = [{ type: 'message_delta', delta: { stop_reason: 'tool_use' } }, { type: 'message_stop' }];
const created = { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } };
const completed = { type: 'response.completed', response: { id: 'r', status: 'completed', output: [] } };
const item = (id: string, text: string): object => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name: TOOL,
  arguments: text,
});
const added = (place: number, id: string): object => ({
  type: 'response.output_item.added',
  output_index: place,
  item: item(id, ''),
});
const done = (place: number, id: string, text: string): object => ({
  type: 'response.output_item.done',
  output_index: place,
  item: item(id, text),
});
const piece = (place: number, id: string, delta: string): object => ({
  type: 'response.function_call_arguments.delta',
  output_index: place,
  item_id: `fc_${id}`,
  delta,
});
const geminiChunk = (...calls: readonly object[]): object => ({
  candidates: [
    {
      content: { role: 'model', parts: calls.map((functionCall) => ({ functionCall })) },
      finishReason: 'STOP',
    },
  ],
});
const whole = (id: string | undefined, index: number | undefined, at: number): object => ({
  ...(id === undefined ? {} : { id }),
  ...(index === undefined ? {} : { index }),
  function: { name: TOOL, arguments: `{"at":${at}}` },
});

describe('two calls are two calls', () => {
  const both = [{ at: 1 }, { at: 2 }];
  test.each<[string, Protocol, string]>([
    [
      'with one index and two ids',
      'openai-chat',
      stream(chatChunk([whole('a', 0, 1)]), chatChunk([whole('b', 0, 2)]), chatChunk([], 'tool_calls')),
    ],
    [
      'with one index, two ids, and the first one told in pieces that come back',
      'openai-chat',
      stream(
        chatChunk([{ index: 0, id: 'a', function: { name: TOOL, arguments: '{"at"' } }]),
        chatChunk([whole('b', 0, 2)]),
        chatChunk([{ index: 0, id: 'a', function: { arguments: ':1}' } }]),
        chatChunk([], 'tool_calls'),
      ),
    ],
    [
      'with one index and no ids',
      'openai-chat',
      stream(
        chatChunk([whole(undefined, 0, 1)]),
        chatChunk([whole(undefined, 0, 2)]),
        chatChunk([], 'tool_calls'),
      ),
    ],
    [
      'with neither index nor id',
      'openai-chat',
      stream(
        chatChunk([whole(undefined, undefined, 1), whole(undefined, undefined, 2)]),
        chatChunk([], 'tool_calls'),
      ),
    ],
    [
      'whose index is used again when its block is closed',
      'anthropic',
      stream(
        start,
        block(0, 'a'),
        json(0, '{"at":1}'),
        close(0),
        block(0, 'b'),
        json(0, '{"at":2}'),
        close(0),
        ...toolUse,
      ),
    ],
    [
      'whose pieces interleave',
      'anthropic',
      stream(
        start,
        block(0, 'a'),
        block(1, 'b'),
        json(1, '{"at"'),
        json(0, '{"at":1}'),
        json(1, ':2}'),
        close(1),
        close(0),
        ...toolUse,
      ),
    ],
    [
      'with one place and two ids',
      'openai-responses',
      stream(
        created,
        added(0, 'a'),
        piece(0, 'a', '{"at":1}'),
        done(0, 'a', '{"at":1}'),
        added(0, 'b'),
        piece(0, 'b', '{"at":2}'),
        done(0, 'b', '{"at":2}'),
        completed,
      ),
    ],
    [
      'with one place, and both open',
      'openai-responses',
      stream(
        created,
        added(0, 'a'),
        added(0, 'b'),
        piece(0, 'a', '{"at":1}'),
        piece(0, 'b', '{"at":2}'),
        done(0, 'a', '{"at":1}'),
        done(0, 'b', '{"at":2}'),
        completed,
      ),
    ],
    [
      'that nothing but their final forms announces',
      'openai-responses',
      stream(created, done(0, 'a', '{"at":1}'), done(0, 'b', '{"at":2}'), completed),
    ],
    [
      'without ids',
      'gemini',
      stream(geminiChunk({ name: TOOL, args: { at: 1 } }, { name: TOOL, args: { at: 2 } })),
    ],
  ])('%s: %s', async (_, protocol, body) => {
    const { ran, result } = await converse(protocol, [body, streamOf(protocol, GOODBYE)]);
    expect(result.outcomes.map(({ kind }) => kind)).toEqual(['completed', 'completed']);
    expect(ran).toEqual(both);
  });
});

describe('pieces that belong to no call', () => {
  test.each<[string, Protocol, string]>([
    [
      'at an index without a name',
      'openai-chat',
      stream(chatChunk([{ index: 3, function: { arguments: '{}' } }]), chatChunk([], 'tool_calls')),
    ],
    [
      'when two are open and nothing says which',
      'openai-chat',
      stream(
        chatChunk([whole('a', undefined, 1), whole('b', undefined, 2)]),
        chatChunk([{ function: { arguments: '{}' } }]),
        chatChunk([], 'tool_calls'),
      ),
    ],
    ['in a block that is none', 'anthropic', stream(start, json(0, '{}'), ...toolUse)],
    ['of an item that never began', 'openai-responses', stream(created, piece(0, 'a', '{}'), completed)],
    ['without a name', 'gemini', stream(geminiChunk({ partialArgs: [{ jsonPath: '$.a', numberValue: 1 }] }))],
  ])('make none up, and the answer fails: %s on %s', async (_, protocol, body) => {
    const { ran, result } = await converse(protocol, [body]);
    expect(result).toMatchObject({ stopReason: 'model_error', error: { code: 'model/stream-invalid' } });
    expect(ran).toEqual([]);
  });
});
