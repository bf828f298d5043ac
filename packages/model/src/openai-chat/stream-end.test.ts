import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { calls, chunks, collect, finished } from '../../test-support/chat-stream.ts';
import { decodeText } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createOpenaiChatCodec, openaiChat } from './openai-chat.ts';

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
