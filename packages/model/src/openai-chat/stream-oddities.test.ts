import { describe, expect, test } from 'vitest';
import { calls, callsOf, chunks, collect, finished } from '../../test-support/chat-stream.ts';
import { decodeText } from '../../test-support/recordings.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiChat } from './openai-chat.ts';

const failure = (events: readonly ModelEvent[]) => events.at(-1);

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
