import type { JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everyCut } from '../../test-support/in-pieces.ts';
import { decodePieces, decodeText, recordings } from '../../test-support/recordings.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { createOpenaiChatCodec, openaiChat } from './openai-chat.ts';

const RECORDINGS = recordings('openai-chat');
const WHOLE = RECORDINGS.filter(({ whole }) => whole !== undefined);

function collect(text: string): ModelResponse {
  const events = decodeText(openaiChat, text);
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return collectResponse(events);
}

function chunks(...deltas: readonly object[]): string {
  return deltas
    .map(
      (delta) =>
        `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, finish_reason: null, delta }] })}\n\n`,
    )
    .join('');
}

function finished(reason: unknown, done = true): string {
  const chunk = { id: 'c1', choices: [{ index: 0, delta: {}, finish_reason: reason }] };
  return `data: ${JSON.stringify(chunk)}\n\n${done ? 'data: [DONE]\n\n' : ''}`;
}

function calls(...entries: readonly object[]): object {
  return { tool_calls: entries };
}

function callsOf(response: ModelResponse): readonly object[] {
  return response.items.flatMap((item) => {
    return item.kind === 'tool-call'
      ? [{ callId: item.callId, name: item.name, arguments: item.arguments }]
      : [];
  });
}

const failure = (events: readonly ModelEvent[]) => events.at(-1);

describe('recordings', () => {
  test.each(RECORDINGS)('$name gives equal events for every cut', ({ bytes }) => {
    const whole = decodePieces(openaiChat, [bytes]);
    for (const pieces of everyCut(bytes)) expect(decodePieces(openaiChat, pieces)).toEqual(whole);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(decodePieces(openaiChat, single)).toEqual(whole);
  });

  test.each(RECORDINGS)('$name gives events in order', ({ bytes }) => {
    const order = createEventOrder();
    for (const event of decodePieces(openaiChat, [bytes]).events) order.push(event);
    expect(() => order.end()).not.toThrow();
  });

  test.each(WHOLE)('$name is the whole answer', ({ bytes, whole }) => {
    const { value } = openaiChat.decodeResponse(whole as never);
    expect(collectResponse(decodePieces(openaiChat, [bytes]).events)).toEqual(value);
  });

  test.each(RECORDINGS)('$name cut off anywhere never ends cleanly', ({ bytes }) => {
    const text = new TextDecoder().decode(bytes);
    const end = Math.max(text.lastIndexOf('"finish_reason":"'), 0);
    const cut = new TextEncoder().encode(text.slice(0, end));
    const events = decodePieces(openaiChat, [cut]).events;
    expect(failure(events)).toMatchObject({ kind: 'response-error', code: 'model/stream-incomplete' });
    expect(events.filter((event) => event.kind === 'call-end')).toEqual([]);
  });

  test('a failure in the stream is named and its words stay out', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'error-midway') ?? { bytes: new Uint8Array() };
    const { events } = decodePieces(openaiChat, [bytes]);
    expect(failure(events)).toMatchObject({ code: 'model/provider-error', providerCode: 'overloaded' });
    expect(JSON.stringify(events)).not.toContain('db-7');
  });

  test('an answer that was cut off has its call in incomplete', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'cut-off') ?? { bytes: new Uint8Array() };
    const response = collectResponse(decodePieces(openaiChat, [bytes]).events);
    expect(response).toMatchObject({
      finish: 'error',
      finishDetail: 'model/stream-incomplete',
      incomplete: ['call_a'],
    });
  });

  test('a call that parses is not finished when the answer was cut at its length', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'length') ?? { bytes: new Uint8Array() };
    const response = collectResponse(decodePieces(openaiChat, [bytes]).events);
    expect(response).toMatchObject({ finish: 'length', incomplete: ['call_a'] });
  });
});

describe('calls are told apart', () => {
  const a = { index: 0, id: 'call_a', function: { name: 'read', arguments: '{"path":"a"}' } };
  const b = { callId: 'call_b', name: 'read', arguments: '{"path":"b"}' };
  const CASES: readonly [name: string, deltas: readonly object[], expected: readonly object[]][] = [
    [
      'a new id at the same index is another call',
      [calls(a), calls({ ...a, id: 'call_b', function: { name: 'read', arguments: '{"path":"b"}' } })],
      [{ callId: 'call_a', name: 'read', arguments: '{"path":"a"}' }, b],
    ],
    [
      'two entries with one index in one chunk are one call',
      [
        calls(
          { index: 0, id: 'c1', function: { name: 'search' } },
          { index: 0, function: { arguments: '{"q"' } },
        ),
        calls({ index: 0, function: { arguments: ':"x"}' } }),
      ],
      [{ callId: 'c1', name: 'search', arguments: '{"q":"x"}' }],
    ],
    [
      'a missing index is inferred from the id',
      [
        calls({ id: 'c1', function: { name: 'f', arguments: '{"a"' } }),
        calls({ id: 'c2', function: { name: 'g', arguments: '{' } }),
        calls({ id: 'c1', function: { arguments: ':1}' } }),
        calls({ id: 'c2', function: { arguments: '}' } }),
      ],
      [
        { callId: 'c1', name: 'f', arguments: '{"a":1}' },
        { callId: 'c2', name: 'g', arguments: '{}' },
      ],
    ],
    [
      'a piece without index and id belongs to the only call',
      [calls({ id: 'c1', function: { name: 'f', arguments: '{' } }), calls({ function: { arguments: '}' } })],
      [{ callId: 'c1', name: 'f', arguments: '{}' }],
    ],
    [
      'the given index wins over the place in the list, and placeholder ids are none',
      [
        calls(
          { index: 0, id: 'c1', function: { name: 'f', arguments: '' } },
          { index: 1, id: 'c2', function: { name: 'g', arguments: '' } },
        ),
        calls({ index: 1, id: 'null', function: { arguments: '{"b":2}' } }),
        calls({ index: 0, id: '', function: { arguments: '{"a":1}' } }),
        calls({ index: 1, id: 'undefined', function: { name: '', arguments: '' } }),
      ],
      [
        { callId: 'c1', name: 'f', arguments: '{"a":1}' },
        { callId: 'c2', name: 'g', arguments: '{"b":2}' },
      ],
    ],
    [
      'arguments before the name are kept',
      [
        calls({ index: 0, function: { arguments: '{"a"' } }),
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: ':1}' } }),
      ],
      [{ callId: 'c1', name: 'f', arguments: '{"a":1}' }],
    ],
    [
      'a server that repeats id and name in every chunk makes one call',
      [
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a"' } }),
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: ':1}' } }),
      ],
      [{ callId: 'c1', name: 'f', arguments: '{"a":1}' }],
    ],
    [
      'an id that comes back under another index is no second call',
      [
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{' } }),
        calls({ index: 1, id: 'c1', function: { arguments: '}' } }),
      ],
      [{ callId: 'c1', name: 'f', arguments: '{}' }],
    ],
    [
      'interleaved indexes are kept apart',
      [
        calls({ index: 1, id: 'c2', function: { name: 'g', arguments: '{' } }),
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '[' } }),
        calls({ index: 1, function: { arguments: '}' } }, { index: 0, function: { arguments: ']' } }),
      ],
      [
        { callId: 'c2', name: 'g', arguments: '{}' },
        { callId: 'c1', name: 'f', arguments: '[]' },
      ],
    ],
    [
      'arguments as an object become their text',
      [calls({ index: 0, id: 'c1', function: { name: 'f', arguments: { b: 1, a: [2] } } })],
      [{ callId: 'c1', name: 'f', arguments: '{"a":[2],"b":1}' }],
    ],
    [
      'an index that is no index counts as absent',
      [
        calls({ index: -1, id: 'c1', function: { name: 'f', arguments: '{' } }),
        calls({ index: 'x', id: 'c1', function: { arguments: '}' } }),
      ],
      [{ callId: 'c1', name: 'f', arguments: '{}' }],
    ],
    [
      'a start and its pieces may have different types',
      [
        calls({ index: 0, type: 'tool_use', id: 'c1', function: { name: 'f', arguments: '' } }),
        calls({ index: 0, type: 'input_json_delta', function: { arguments: '{}' } }),
      ],
      [{ callId: 'c1', name: 'f', arguments: '{}' }],
    ],
    [
      'a call that is said in the old form as well is one call',
      [
        {
          ...calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }),
          function_call: { name: 'f', arguments: '{"a":1}' },
        },
        { function_call: { arguments: '' } },
      ],
      [{ callId: 'c1', name: 'f', arguments: '{"a":1}' }],
    ],
    [
      'a text that is cut although the answer ended stays as it is',
      [calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a":["b' } })],
      [{ callId: 'c1', name: 'f', arguments: '{"a":["b' }],
    ],
    [
      'no arguments are empty text',
      [calls({ index: 0, id: 'c1', function: { name: 'f' } })],
      [{ callId: 'c1', name: 'f', arguments: '' }],
    ],
  ];

  test.each(CASES)('%s', (_name, deltas, expected) => {
    const response = collect(chunks(...deltas) + finished('tool_calls'));
    expect(callsOf(response)).toEqual(expected);
    expect(response).toMatchObject({ finish: 'tool-calls' });
    expect(response.incomplete).toBeUndefined();
  });

  test.each<[string, readonly object[]]>([
    [
      'with the first piece',
      [
        calls({
          index: 0,
          id: 'c1',
          type: 'function',
          function: { name: 'f', arguments: '{', strict: true, description: null },
          extra_content: { google: { thought_signature: 'S' } },
          parts: [],
        }),
        calls({ index: 0, function: { arguments: '}' } }),
      ],
    ],
    [
      'before the name',
      [
        calls({
          index: 0,
          function: { strict: true },
          extra_content: { google: { thought_signature: 'S' } },
        }),
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }),
      ],
    ],
  ])('members of a call that come %s are kept, and go back with it', (_name, deltas) => {
    const { items } = collect(chunks(...deltas) + finished('tool_calls'));
    const members = { extra_content: { google: { thought_signature: 'S' } }, function: { strict: true } };
    expect(items).toEqual([
      {
        kind: 'tool-call',
        callId: 'c1',
        name: 'f',
        arguments: '{}',
        extensions: { protocol: 'openai-chat', members },
      },
    ]);
    const { losses, value } = openaiChat.encodeRequest({ model: 'm', items });
    expect(value.body['messages']).toMatchObject([
      { tool_calls: [{ id: 'c1', ...members, function: { name: 'f', arguments: '{}', strict: true } }] },
    ]);
    expect(losses).toEqual([]);
  });

  const AMBIGUOUS: readonly [string, readonly object[]][] = [
    [
      'a piece without index and id when two calls are open',
      [
        calls({ id: 'c1', function: { name: 'f' } }),
        calls({ id: 'c2', function: { name: 'g' } }),
        calls({ function: { arguments: '{}' } }),
      ],
    ],
    [
      'another name at an index whose arguments are not whole',
      [
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a"' } }),
        calls({ index: 0, function: { name: 'g', arguments: ':1}' } }),
      ],
    ],
    [
      'another name under the same id',
      [
        calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }),
        calls({ index: 0, id: 'c1', function: { name: 'g', arguments: '' } }),
      ],
    ],
    ['a call that never gets a name', [calls({ index: 0, id: 'c1', function: { arguments: '{}' } })]],
  ];

  test.each(AMBIGUOUS)('%s fails the answer', (_name, deltas) => {
    const events = decodeText(openaiChat, chunks(...deltas) + finished('tool_calls'));
    expect(failure(events)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
    expect(collectResponse(events)).toMatchObject({ finish: 'error' });
  });

  test('a call that goes on after its end fails the answer', () => {
    const events = decodeText(openaiChat, chunks(calls(a)) + finished('stop', false) + chunks(calls(a)));
    expect(failure(events)).toMatchObject({ code: 'model/stream-invalid' });
  });

  describe('of a server that writes the word for the end into every chunk', () => {
    const chunk = (delta: object, reason: string | null): string =>
      `data: ${JSON.stringify({ id: 'c1', choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const call = (index: number, id: string, more: object = {}) =>
      calls({ index, id, function: { name: 'f', arguments: '{}' }, ...more });
    const first = chunk({ reasoning_content: 'hm' }, 'stop') + chunk(call(0, 'a'), 'stop');
    const DONE = 'data: [DONE]\n\n';

    test('are all whole, whatever tells them apart', () => {
      for (const second of [call(1, 'b'), call(0, 'b')]) {
        const response = collect(`${first}${chunk(second, 'stop')}${chunk({ content: 'x' }, 'stop')}${DONE}`);
        expect(callsOf(response)).toMatchObject([{ callId: 'a' }, { callId: 'b' }]);
        expect(response).toMatchObject({ finish: 'tool-calls' });
        expect(response.incomplete).toBeUndefined();
      }
    });

    describe('behind every piece of a call', () => {
      const piece = (text: string, more: object = {}): object =>
        calls({ index: 0, ...more, function: { arguments: text, ...(text === '' ? { name: 'f' } : {}) } });
      const aside = chunk({}, 'stop');
      const begun = chunk(piece('', { id: 'a' }), null) + aside + chunk(piece('{"a":'), null) + aside;

      test.each(['stop', 'tool_calls'])('is whole with all of them, at an end of %s', (reason) => {
        const response = collect(`${begun}${chunk(piece('1}'), null)}${aside}${chunk({}, reason)}${DONE}`);
        expect(callsOf(response)).toEqual([{ callId: 'a', name: 'f', arguments: '{"a":1}' }]);
        expect(response).toMatchObject({ finish: 'tool-calls' });
        expect(response.incomplete).toBeUndefined();
      });

      test('is not finished before its end is known', () => {
        const events = decodeText(openaiChat, begun).filter(({ kind }) => kind === 'call-end');
        const cut = collect(`${begun}${chunk({}, 'length')}${DONE}`);
        expect([events.length, cut.finish, cut.incomplete]).toEqual([1, 'length', ['a']]);
        const more = decodeText(openaiChat, `${begun}${chunk(piece('1'), null)}`);
        expect(more.some(({ kind }) => kind === 'call-end')).toBe(false);
      });
    });

    test('are not whole where no word comes behind them, or that of a cut', () => {
      const open = collect(`${first}${chunk(call(1, 'b'), null)}${DONE}`);
      expect(open.incomplete).toEqual(['b']);
      const cut = collect(`${first}${chunk(call(1, 'b'), 'length')}${DONE}`);
      expect(cut).toMatchObject({ finish: 'length', incomplete: ['b'] });
      const broken = decodeText(openaiChat, first + chunk(call(1, 'b'), null));
      expect(failure(broken)).toMatchObject({ code: 'model/stream-incomplete' });
    });

    test.each([
      ['length', 'length'],
      ['content_filter', 'content-filter'],
      ['error', 'error'],
    ])('a cut of %s stays one, whatever comes behind it', (reason, finish) => {
      const text = `${chunk(call(0, 'a'), null)}${chunk({}, reason)}${chunk(call(1, 'b'), 'stop')}${DONE}`;
      expect(collect(text)).toMatchObject({ finish, finishDetail: reason, incomplete: ['a', 'b'] });
    });

    test('a cut counts although a clean end was said before', () => {
      const text = `${chunk({ content: 'a' }, 'stop')}${chunk({ content: 'b' }, 'length')}${DONE}`;
      expect(collect(text)).toMatchObject({ finish: 'length', finishDetail: 'length' });
    });
  });

  test('calls without ids get ids that are the same each time and differ from each other', () => {
    const text =
      chunks(
        calls(
          { function: { name: 'f', arguments: '{"a":1}' } },
          { function: { name: 'f', arguments: '{"a":1}' } },
        ),
      ) + finished('tool_calls');
    const response = collect(text);
    const ids = callsOf(response).map((call) => (call as { callId: string }).callId);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
    expect(collect(text)).toEqual(response);
    const whole = {
      id: 'c1',
      choices: [
        {
          message: {
            tool_calls: [
              { function: { name: 'f', arguments: '{"a":1}' } },
              { function: { name: 'f', arguments: '{"a":1}' } },
            ],
          },
          finish_reason: 'tool_calls',
        },
      ],
    };
    expect(openaiChat.decodeResponse(whole).value).toEqual(response);
  });

  test('an answer that comes whole in a stream of one is that answer', () => {
    const tool_calls = [
      { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { id: 'c2', type: 'function', function: { name: 'f', arguments: '{"a":2}' } },
    ];
    const message = { role: 'assistant', content: 'Both.', tool_calls };
    const body = { id: 'c1', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] };
    const response = collect(`data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`);
    expect(response).toEqual(openaiChat.decodeResponse(JSON.parse(JSON.stringify(body))).value);
    expect(callsOf(response)).toHaveLength(2);
  });

  test('a whole answer behind its pieces says nothing twice', () => {
    const message = { role: 'assistant', content: 'Both.' };
    const last = { id: 'c1', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    const response = collect(`${chunks({ content: 'Both.' })}data: ${JSON.stringify(last)}\n\n`);
    expect(response).toMatchObject({ finish: 'stop', items: [{ parts: [{ text: 'Both.' }] }] });
  });

  test('a call that is said in the old form as well is one call in a whole answer, too', () => {
    const called = { name: 'f', arguments: '{}' };
    const message = { tool_calls: [{ id: 'c1', function: called }], function_call: called };
    const { value, losses } = openaiChat.decodeResponse({
      choices: [{ message, finish_reason: 'tool_calls' }],
    });
    expect(callsOf(value)).toEqual([{ callId: 'c1', name: 'f', arguments: '{}' }]);
    expect(losses).toContainEqual(expect.objectContaining({ code: 'dropped' }));
  });

  test('a text that looks like a call stays text', () => {
    const content = '{"name":"get_weather","arguments":{"city":"Chennai"}}';
    const response = collect(chunks({ content }) + finished('stop'));
    expect(response).toMatchObject({
      finish: 'stop',
      items: [{ kind: 'message', parts: [{ kind: 'text', text: content }] }],
    });
  });
});

describe('the end of an answer', () => {
  const FINISHES: readonly [unknown, object, string, readonly string[] | undefined][] = [
    ['stop', {}, 'stop', undefined],
    [
      'stop',
      calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }),
      'tool-calls',
      undefined,
    ],
    ['tool_calls', {}, 'stop', undefined],
    ['function_call', calls({ index: 0, id: 'c1', function: { name: 'f' } }), 'tool-calls', undefined],
    ['length', calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }), 'length', ['c1']],
    ['content_filter', calls({ index: 0, id: 'c1', function: { name: 'f' } }), 'content-filter', ['c1']],
    [null, { content: '.' }, 'unknown', undefined],
    ['', calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }), 'unknown', ['c1']],
    ['odd', calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }), 'unknown', ['c1']],
    // Words of servers and of other wires.
    ['eos', calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } }), 'tool-calls', undefined],
    ['end', { content: '.' }, 'stop', undefined],
    ['end_turn', { content: '.' }, 'stop', undefined],
    ['STOP', { content: '.' }, 'stop', undefined],
    ['tool_use', calls({ index: 0, id: 'c1', function: { name: 'f' } }), 'tool-calls', undefined],
    ['max_tokens', calls({ index: 0, id: 'c1', function: { name: 'f' } }), 'length', ['c1']],
    ['sensitive', { content: '.' }, 'content-filter', undefined],
    ['network_error', calls({ index: 0, id: 'c1', function: { name: 'f' } }), 'error', ['c1']],
    ['abort', { content: '.' }, 'error', undefined],
    [7, {}, 'unknown', undefined],
  ];

  test.each(FINISHES)('%j after %j is %s', (reason, delta, finish, incomplete) => {
    const response = collect(chunks(delta) + finished(reason));
    expect(response.finish).toBe(finish);
    expect(response.incomplete).toEqual(incomplete);
  });

  test.each(['tool_use', '', 'tool', null])(
    'the type %j of a call is no other call, in the whole answer either',
    (type) => {
      const call = { index: 0, id: 'c1', type, function: { name: 'f', arguments: '{}' } };
      const whole = { id: 'c1', choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] };
      const expected = [{ kind: 'tool-call', callId: 'c1', name: 'f', arguments: '{}' }];
      expect(collect(chunks(calls(call)) + finished('tool_calls')).items).toEqual(expected);
      expect(openaiChat.decodeResponse(whole as JsonValue).value.items).toEqual(expected);
    },
  );

  test('a custom call of a cut answer is given to nobody, in the whole answer either', () => {
    const custom = { index: 0, id: 'c1', type: 'custom', custom: { name: 'sql', input: 'DROP' } };
    const streamed = collect(chunks(calls(custom)) + finished('length'));
    const whole = { id: 'c1', choices: [{ message: { tool_calls: [custom] }, finish_reason: 'length' }] };
    expect(streamed).toMatchObject({ finish: 'length', items: [] });
    expect(openaiChat.decodeResponse(whole).value).toEqual(streamed);
  });

  test('an empty reason in every chunk is not latched', () => {
    const chunk = (reason: string) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content: 'a' }, finish_reason: reason }] })}\n\n`;
    const response = collect(`${chunk('')}${chunk('')}${finished('length')}`);
    expect(response).toMatchObject({ finish: 'length', items: [{ parts: [{ text: 'aa' }] }] });
  });

  test('a reason without [DONE] is an end, [DONE] without a reason is an unknown one', () => {
    expect(collect(chunks({ content: 'a' }) + finished('stop', false))).toMatchObject({ finish: 'stop' });
    expect(collect(`${chunks({ content: 'a' })}data: [DONE]\n\n`)).toMatchObject({
      finish: 'unknown',
      items: [{ kind: 'message' }],
    });
  });

  describe('of a server that leaves its reason out', () => {
    const lenient = createOpenaiChatCodec({ missingFinish: 'stop' });
    const call = calls({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' } });
    const body = (reason: unknown) => ({
      id: 'c1',
      choices: [{ index: 0, message: { content: null, ...call }, finish_reason: reason }],
    });

    test.each([null, '', undefined])(
      'is whole with %j where that is asked for, and unknown by default',
      (reason) => {
        const text = chunks(call) + finished(reason);
        expect(collectResponse(decodeText(lenient, text))).toMatchObject({ finish: 'tool-calls' });
        expect(collectResponse(decodeText(lenient, text)).incomplete).toBeUndefined();
        expect(collect(text)).toMatchObject({ finish: 'unknown', incomplete: ['c1'] });
        const whole = JSON.parse(JSON.stringify(body(reason)));
        expect(lenient.decodeResponse(whole).value).toEqual(collectResponse(decodeText(lenient, text)));
        expect(openaiChat.decodeResponse(whole).value).toMatchObject({ incomplete: ['c1'] });
      },
    );

    test.each([
      ['breaks off before [DONE]', chunks(call) + finished(null, false)],
      ['gives a word that nobody knows', chunks(call) + finished('odd')],
      ['was cut at its length', chunks(call) + finished('length')],
    ])('is not whole when it %s', (_name, text) => {
      expect(collectResponse(decodeText(lenient, text)).incomplete).toEqual(['c1']);
    });
  });

  test('the last counts win and null counts are none', () => {
    const usage = (value: unknown) => `data: ${JSON.stringify({ choices: [], usage: value })}\n\n`;
    const counts = { prompt_tokens: 5, completion_tokens: 2 };
    const text =
      usage(null) +
      usage({ prompt_tokens: 1 }) +
      chunks({ content: 'a' }) +
      usage(counts) +
      usage(null) +
      finished('stop');
    expect(collect(text).usage).toEqual({
      inputTotal: 5,
      cacheRead: null,
      cacheWrite: null,
      outputTotal: 2,
      reasoning: null,
    });
    expect(collect(chunks({ content: 'a' }) + finished('stop')).usage).toBeNull();
  });
});

describe('garbage', () => {
  const GARBAGE: readonly [string, string, string][] = [
    ['data that is no JSON', 'data: {"choices":[{]}\n\n', 'model/stream-invalid'],
    ['data with a member twice', 'data: {"id":"a","id":"b"}\n\n', 'model/stream-invalid'],
    ['a half event at the end', 'data: {"choices":[{"del', 'model/stream-incomplete'],
    ['an array', 'data: []\n\n', 'model/stream-invalid'],
    ['a choice that is no object', 'data: {"choices":[1]}\n\n', 'model/stream-invalid'],
    ['nothing', '', 'model/stream-incomplete'],
    ['only [DONE]', 'data: [DONE]\n\n', 'model/stream-incomplete'],
    ['a page', '<html>\n\n</html>', 'model/stream-incomplete'],
  ];

  test.each(GARBAGE)('%s is one named failure', (_name, text, code) => {
    const events = decodeText(openaiChat, text);
    expect(events.filter((event) => event.kind === 'response-error')).toEqual([
      expect.objectContaining({ code }),
    ]);
    expect(failure(events)?.kind).toBe('response-error');
  });

  test('nothing after the terminal event is read', () => {
    const decoder = openaiChat.decodeStream();
    const bytes = new TextEncoder().encode(`${chunks({ content: 'a' })}${finished('stop')}`);
    expect(decoder.push(bytes).at(-1)).toMatchObject({ kind: 'response-end' });
    expect(decoder.push(bytes)).toEqual([]);
    expect(decoder.end()).toEqual([]);
  });

  test('an answer over the bound is refused before it is gathered', () => {
    const decoder = openaiChat.decodeStream({ maxTotalLength: 1000 });
    const piece = new TextEncoder().encode(
      chunks(calls({ index: 0, function: { arguments: 'x'.repeat(300) } })),
    );
    const events = [1, 2, 3, 4, 5].flatMap(() => [...decoder.push(piece)]);
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/response-too-large' });
  });

  test('whatever the chunks hold, the events are in order and end once', () => {
    const entry = fc.record(
      {
        index: fc.oneof(fc.nat(2), fc.constant(null), fc.constant('0')),
        id: fc.constantFrom('a', 'b', '', 'null', null),
        type: fc.constantFrom('function', 'custom'),
        function: fc.oneof(
          fc.record(
            {
              name: fc.constantFrom('f', 'g', '', null),
              arguments: fc.oneof(fc.constantFrom('', '{', '}', '{}', '"'), fc.jsonValue({ maxDepth: 1 })),
            },
            { requiredKeys: [] },
          ),
          fc.constant(null),
        ),
      },
      { requiredKeys: [] },
    );
    const delta = fc.oneof(
      fc.record(
        {
          content: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 })),
          refusal: fc.constantFrom('r', null),
          reasoning_content: fc.constantFrom('t', ''),
        },
        { requiredKeys: [] },
      ),
      fc.record({ tool_calls: fc.oneof(fc.array(entry, { maxLength: 3 }), fc.constant(null)) }),
      fc.record({ function_call: entry.map((one) => one.function ?? null) }),
    );
    const chunk = fc.record(
      {
        id: fc.constantFrom('c1', null),
        choices: fc.oneof(
          {
            weight: 9,
            arbitrary: fc.array(
              fc.record({
                index: fc.constantFrom(0, 0, 0, 1),
                delta,
                finish_reason: fc.constantFrom(null, null, null, '', 'stop', 'length', 'odd'),
              }),
              { maxLength: 2 },
            ),
          },
          fc.jsonValue({ maxDepth: 1 }),
        ),
        usage: fc.oneof(
          fc.constant(null),
          fc.record({ prompt_tokens: fc.oneof(fc.nat(), fc.constant(-1), fc.constant('x')) }),
        ),
      },
      { requiredKeys: ['choices'] },
    );
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), fc.boolean(), (list, done) => {
        const text =
          list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + (done ? 'data: [DONE]\n\n' : '');
        const events = decodeText(openaiChat, text);
        const order = createEventOrder();
        for (const event of events) order.push(event);
        order.end();
        collectResponse(events);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what servers write beside the letter', () => {
  const said = { content: 'hi' };

  test.each([
    ['no member', {}],
    ['empty members', { index: 0, id: '', type: 'function', function: { name: '', arguments: '' } }],
    ['nulls', { index: 0, id: null, function: { name: null, arguments: null } }],
    ['an index alone', { index: 3 }],
    ['an id alone', { index: 3, id: 'c9', type: 'function', function: { name: '', arguments: '' } }],
  ])('an entry of a call with %s is no call, beside a text or behind a call', (_, entry) => {
    const text = collect(chunks(said, calls(entry)) + finished('stop'));
    expect([text.finish, text.items]).toEqual([
      'stop',
      [{ kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'hi' }] }],
    ]);
    const whole = { index: 0, id: 'c1', function: { name: 'a', arguments: '{}' } };
    const called = collect(chunks(calls(whole), calls(entry)) + finished('tool_calls'));
    expect(callsOf(called)).toEqual([{ callId: 'c1', name: 'a', arguments: '{}' }]);
    expect(called.finish).toBe('tool-calls');
  });

  test('a call may be announced by an entry of nothing', () => {
    const entry = { index: 0, id: 'c1', function: { name: 'a', arguments: '{}' } };
    const answer = collect(chunks(calls({ index: 0 }), calls(entry)) + finished('tool_calls'));
    expect(callsOf(answer)).toEqual([{ callId: 'c1', name: 'a', arguments: '{}' }]);
  });

  test('an announced call and the next one at its index are two', () => {
    const first = { index: 0, id: 'c1', function: { name: 'a', arguments: '{"x":1}' } };
    const second = { index: 0, id: 'c2', function: { name: 'b', arguments: '{}' } };
    const pieces = [calls({ index: 0 }), calls(first), calls({ index: 0 }), calls(second)];
    const answer = collect(chunks(...pieces) + finished('tool_calls'));
    expect(callsOf(answer)).toEqual([
      { callId: 'c1', name: 'a', arguments: '{"x":1}' },
      { callId: 'c2', name: 'b', arguments: '{}' },
    ]);
  });

  test('a call with arguments and no name fails its answer', () => {
    const entry = { index: 0, id: 'c1', function: { arguments: '{}' } };
    const events = decodeText(openaiChat, chunks(calls(entry)) + finished('tool_calls'));
    expect(failure(events)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
  });

  test('a call that stands where the list of calls should is a call', () => {
    const entry = { index: 0, id: 'c1', function: { name: 'a', arguments: '{"x":1}' } };
    const answer = collect(chunks({ tool_calls: entry }) + finished('tool_calls'));
    expect(callsOf(answer)).toEqual([{ callId: 'c1', name: 'a', arguments: '{"x":1}' }]);
    const word = decodeText(openaiChat, chunks({ tool_calls: 'a' }) + finished('tool_calls'));
    expect(failure(word)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
  });

  test('an error without an object around it is an error, streamed or whole', () => {
    const body = {
      object: 'error',
      message: 'at 10.0.0.1: out of memory',
      type: 'ServiceUnavailable',
      code: 503,
    };
    const events = decodeText(openaiChat, `${chunks(said)}data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n`);
    expect(failure(events)).toMatchObject({
      kind: 'response-error',
      code: 'model/provider-error',
      providerCode: 'ServiceUnavailable',
    });
    expect(JSON.stringify(events)).not.toContain('10.0.0.1');
    expect(() => openaiChat.decodeResponse(body)).toThrow(
      expect.objectContaining({ code: 'model/provider-error', providerCode: 'ServiceUnavailable' }),
    );
  });

  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
  test.each([
    ['in the choice', { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }],
    [
      'in a member of its own',
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { usage } },
    ],
  ])('counts that stand %s are counts', (_, last) => {
    const answer = collect(`${chunks(said)}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
    expect(answer.usage).toMatchObject({ inputTotal: 3, outputTotal: 4 });
  });

  test('counts at their place win over those in the choice', () => {
    const other = { ...usage, prompt_tokens: 9 };
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage: other }], usage };
    const answer = collect(`${chunks(said)}data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n`);
    expect(answer.usage?.inputTotal).toBe(3);
  });
});
