import { describe, expect, test } from 'vitest';
import { calls, callsOf, chunks, collect, finished } from '../../test-support/chat-stream.ts';
import { decodeText } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiChat } from './openai-chat.ts';

const failure = (events: readonly ModelEvent[]) => events.at(-1);

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
