import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { decodeText } from '../../test-support/recordings.ts';
import { anthropic } from './anthropic.ts';

type Data = Readonly<Record<string, unknown>>;

const START: Data = { type: 'message_start', message: { id: 'm', model: 'x', usage: { input_tokens: 1 } } };
const TOOL: Data = {
  type: 'content_block_start',
  index: 0,
  content_block: { type: 'tool_use', id: 'a', name: 'f', input: {} },
};
const TEXT: Data = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const STOP: Data = { type: 'content_block_stop', index: 0 };
const END: readonly Data[] = [
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];

function json(text: string, index = 0): Data {
  return { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: text } };
}

function read(...events: readonly Data[]) {
  return decodeText(anthropic, events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join(''));
}

describe('a stream that breaks the protocol fails and makes up no call', () => {
  test.each<[string, readonly Data[]]>([
    ['a JSON delta without a block', [START, json('{}'), ...END]],
    ['a JSON delta of a closed block', [START, TOOL, STOP, json('{}'), ...END]],
    ['a JSON delta in a text block', [START, TEXT, json('{}'), STOP, ...END]],
    [
      'a text delta in a call',
      [
        START,
        TOOL,
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
        STOP,
        ...END,
      ],
    ],
    [
      'a delta that is no object',
      [START, TOOL, { type: 'content_block_delta', index: 0, delta: 'x' }, ...END],
    ],
    [
      'a piece that is no text',
      [
        START,
        TOOL,
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: {} } },
      ],
    ],
    ['two blocks with one index', [START, TOOL, TOOL, ...END]],
    ['a block without an index', [START, { ...TOOL, index: undefined }, ...END]],
    ['an index that is a text', [START, { ...TOOL, index: '0' }, ...END]],
    ['a block that is no object', [START, { ...TOOL, content_block: null }, ...END]],
    ['a call without a name', [START, { ...TOOL, content_block: { type: 'tool_use', id: 'a' } }, ...END]],
    ['a stop of nothing', [START, STOP, ...END]],
    ['a block before the start', [TOOL, STOP, ...END]],
    ['two starts', [START, START, ...END]],
    ['a block after the stop reason', [START, END[0] as Data, TOOL, STOP, END[1] as Data]],
    ['a list', [START, [] as unknown as Data]],
  ])('%s', (_, events) => {
    const decoded = read(...events);
    expect(decoded.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
    expect(decoded.some(({ kind }) => kind === 'call-end')).toBe(false);
  });

  test('data that is no JSON fails and is not passed over', () => {
    const text = `data: ${JSON.stringify(START)}\n\ndata: {"type":\n\ndata: ${JSON.stringify(END[1])}\n\n`;
    expect(decodeText(anthropic, text).at(-1)).toMatchObject({ code: 'model/stream-invalid' });
  });
});

describe('what may happen', () => {
  test('events of an unknown kind are passed over with a warning', () => {
    const decoded = read(START, { type: 'from_the_future' }, TOOL, json('{}'), STOP, ...END);
    expect(decoded.filter(({ kind }) => kind === 'warning')).toHaveLength(1);
    expect(decoded.at(-1)).toMatchObject({ kind: 'response-end', finish: 'tool-calls' });
  });

  test('the kind of an event may be said by its name alone', () => {
    const events = [START, ...END].map(
      ({ type, ...data }) => `event: ${String(type)}\ndata: ${JSON.stringify(data)}\n\n`,
    );
    expect(decodeText(anthropic, events.join('')).at(-1)).toMatchObject({ kind: 'response-end' });
  });

  test('a missing prefix of the arguments is not guessed', () => {
    const pieces = ['code', '":', ' "', 'upt', 'ime', '"}'].map((text) => json(text));
    expect(read(START, TOOL, ...pieces, STOP, ...END)).toContainEqual(
      expect.objectContaining({ kind: 'call-end', arguments: 'code": "uptime"}' }),
    );
  });

  const full = {
    ...TOOL,
    content_block: { type: 'tool_use', id: 'a', name: 'f', input: { path: 'a', n: 1 } },
  };

  test.each<[string, readonly Data[], string]>([
    ['no pieces follow', [], '{"path":"a","n":1}'],
    ['the pieces say the same', [json('{ "n": 1,'), json('"path":"a"}')], '{ "n": 1,"path":"a"}'],
  ])('the input of the start is the arguments when %s', (_, pieces, text) => {
    const ends = read(START, full, ...pieces, STOP, ...END).filter(({ kind }) => kind === 'call-end');
    expect(ends).toEqual([expect.objectContaining({ arguments: text })]);
  });

  test.each<[string, unknown, string]>([
    ['a text that holds JSON', '{"a":1}', '"{\\"a\\":1}"'],
    ['a list', [1], '[1]'],
    ['a number', 0, '0'],
    ['a blank text', ' ', '{}'],
    ['null', null, '{}'],
  ])('an input that is %s says the same in a stream and in a whole answer', (_, input, text) => {
    const block = { type: 'tool_use', id: 'a', name: 'f', input };
    const ends = read(START, { ...TOOL, content_block: block }, STOP, ...END).filter(
      ({ kind }) => kind === 'call-end',
    );
    expect(ends).toEqual([expect.objectContaining({ arguments: text })]);
    const body = { type: 'message', content: [block], stop_reason: 'tool_use' } as JsonValue;
    expect(anthropic.decodeResponse(body).value.items).toMatchObject([{ arguments: text }]);
  });

  test.each([null, ''])('a reason that is %j replaces none that was said', (reason) => {
    const again = { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 3 } };
    const events = read(START, TOOL, json('{}'), STOP, END[0] as Data, again, END[1] as Data);
    expect(events.at(-1)).toMatchObject({ kind: 'response-end', finish: 'tool-calls' });
  });

  test('a call that nobody stopped makes a clean end unknown', () => {
    const events = read(START, TOOL, json('{}'), ...END);
    expect(events.at(-1)).toMatchObject({ kind: 'response-end', finish: 'unknown' });
    expect(events.some(({ kind }) => kind === 'call-end')).toBe(false);
  });

  test('the input of a server tool that was cut off costs no answer', () => {
    const block = { type: 'server_tool_use', id: 's', name: 'web_search', input: {} };
    const cut = { type: 'message_delta', delta: { stop_reason: 'max_tokens' } };
    const events = read(START, { ...TOOL, content_block: block }, json('{"q":'), STOP, cut, END[1] as Data);
    expect(events.at(-1)).toMatchObject({ kind: 'response-end', finish: 'length' });
    expect(events.find(({ kind }) => kind === 'foreign')).toMatchObject({ item: { value: block } });
  });

  test('an input of the start that differs from the pieces fails the answer', () => {
    const decoded = read(START, full, json('{"path":"b"}'), STOP, ...END);
    expect(decoded.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
    expect(decoded.some(({ kind }) => kind === 'call-end')).toBe(false);
  });

  test('a call without an id gets one, the same each time', () => {
    const nameless = { ...TOOL, content_block: { type: 'tool_use', id: '', name: 'f', input: {} } };
    const ids = () =>
      read(START, nameless, STOP, ...END).flatMap((event) =>
        event.kind === 'call-end' ? [event.callId] : [],
      );
    expect(ids()).toEqual([expect.stringMatching(/^call_[0-9a-f]{24}$/)]);
    expect(ids()).toEqual(ids());
  });

  test('an end without a reason finishes no call', () => {
    const decoded = read(START, TOOL, json('{}'), STOP, { type: 'message_stop' });
    expect(decoded.at(-1)).toMatchObject({ kind: 'response-end', finish: 'unknown' });
    expect(decoded.some(({ kind }) => kind === 'call-end')).toBe(false);
  });

  test('nothing counts after the end', () => {
    expect(read(START, ...END, TOOL, json('{}'), STOP).at(-1)).toMatchObject({ kind: 'response-end' });
  });

  test('blocks without text are not free: a stream of them ends at the bound', () => {
    const decoder = anthropic.decodeStream({ maxTotalLength: 10_000 });
    const utf8 = new TextEncoder();
    decoder.push(utf8.encode(`data: ${JSON.stringify(START)}\n\n`));
    let events = decoder.push(utf8.encode(''));
    for (let index = 0; index < 1000 && events.at(-1)?.kind !== 'response-error'; index += 1) {
      const pair = [
        { ...TEXT, index },
        { ...STOP, index },
      ];
      events = decoder.push(utf8.encode(pair.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('')));
    }
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/response-too-large' });
  });
});

describe('a stream for a client', () => {
  test('blocks that interleave are put one behind the other', () => {
    const stream = anthropic.encodeStream();
    const text = [
      stream.push({ kind: 'response-start', id: 'm', model: 'x' }),
      stream.push({ kind: 'call-start', index: 0, callId: 'a', name: 'f' }),
      stream.push({ kind: 'call-start', index: 1, callId: 'b', name: 'g' }),
      stream.push({ kind: 'call-delta', index: 1, delta: '{"n":' }),
      stream.push({ kind: 'call-delta', index: 0, delta: '{}' }),
      stream.push({ kind: 'call-delta', index: 1, delta: '1}' }),
      stream.push({ kind: 'call-end', index: 1, callId: 'b', name: 'g', arguments: '{"n":1}' }),
      stream.push({ kind: 'call-end', index: 0, callId: 'a', name: 'f', arguments: '{}' }),
      stream.push({ kind: 'response-end', finish: 'tool-calls' }),
    ].join('');
    const order = [...text.matchAll(/"type":"(content_block_\w+)","index":(\d)/g)].map(
      ([, type, index]) => `${type} ${index}`,
    );
    expect(order).toEqual([
      'content_block_start 0',
      'content_block_delta 0',
      'content_block_stop 0',
      'content_block_start 1',
      'content_block_delta 1',
      'content_block_delta 1',
      'content_block_stop 1',
    ]);
    expect(decodeText(anthropic, text).filter(({ kind }) => kind === 'call-end')).toHaveLength(2);
  });

  test('counts that are known at the start stand in the start', () => {
    const stream = anthropic.encodeStream();
    stream.push({ kind: 'response-start', id: 'm', model: 'x' });
    stream.push({
      kind: 'usage',
      usage: { inputTotal: 9, cacheRead: 4, cacheWrite: null, outputTotal: 0, reasoning: null },
    });
    const text = stream.push({ kind: 'text-start', index: 0 });
    expect(text).toContain('"input_tokens":5');
    expect(text.indexOf('message_start')).toBeLessThan(text.indexOf('content_block_start'));
  });
});

test('members beside the end of a message are kept, and stand there again', () => {
  const cleared = { applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2 }] };
  const [delta, stop] = END;
  const events = read(START, { ...delta, context_management: cleared, later: 1 }, stop ?? {});
  const encoder = anthropic.encodeStream();
  const text = events.map((event) => encoder.push(event)).join('');
  const line = text.split('\n').find((one) => one.includes('"message_delta"')) ?? '';
  expect(JSON.parse(line.slice('data: '.length))).toMatchObject({
    delta: { later: 1 },
    context_management: cleared,
  });
});
