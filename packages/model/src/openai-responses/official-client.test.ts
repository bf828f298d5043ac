import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { decodePieces, recordings } from '../../test-support/recordings.ts';
import { type SeenRequest, withWireServer } from '../../test-support/wire-server.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { openaiResponses } from './openai-responses.ts';

const ANSWER: ModelResponse = {
  id: 'resp_1',
  model: 'model-1',
  createdAt: 1_700_000_000,
  items: [
    {
      kind: 'reasoning',
      summary: ['First', 'Second'],
      opaque: { protocol: 'openai-responses', form: 'encrypted', value: 'gAAA+/=' },
      id: 'rs_1',
    },
    {
      kind: 'message',
      role: 'assistant',
      id: 'msg_1',
      parts: [
        { kind: 'text', text: 'Look, 世界 😀.\n\n' },
        { kind: 'refusal', text: 'No.' },
      ],
    },
    { kind: 'tool-call', callId: 'call_a', name: 'read', arguments: '{"path":"a"}', id: 'fc_1' },
    { kind: 'tool-call', callId: 'call_b', name: 'list', arguments: '{}' },
  ],
  finish: 'tool-calls',
  usage: { inputTotal: 19, cacheRead: 4, cacheWrite: 0, outputTotal: 10, reasoning: 3 },
};

function clientOf(address: string): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL: `${address}/v1`, maxRetries: 0 });
}

function encodeAll(events: readonly ModelEvent[]): readonly string[] {
  const encoder = openaiResponses.encodeStream();
  return events.map((event) => encoder.push(event));
}

const REQUEST = { model: 'model-1', input: 'hi', instructions: 'Be brief.' } as const;

describe('the official client', () => {
  test('reads a whole answer', async () => {
    const body = JSON.stringify(openaiResponses.encodeResponse(ANSWER).value);
    const answer = await withWireServer(
      () => ({ type: 'application/json', pieces: [body] }),
      (address) => clientOf(address).responses.create(REQUEST),
    );
    expect(answer.output_text).toBe('Look, 世界 😀.\n\n');
    expect(answer.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ]);
    expect(answer.usage?.total_tokens).toBe(29);
  });

  test('gathers a streamed answer to the same', async () => {
    const pieces = encodeAll(responseToEvents(ANSWER));
    const final = await withWireServer(
      () => ({ type: 'text/event-stream', pieces }),
      (address) => clientOf(address).responses.stream(REQUEST).finalResponse(),
    );
    const whole = openaiResponses.encodeResponse(ANSWER).value;
    expect(JSON.parse(JSON.stringify(final))).toMatchObject({ ...whole, output: expect.anything() });
    expect(final.output.map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'function_call',
      'function_call',
    ]);
    expect(final.output_text).toBe('Look, 世界 😀.\n\n');
    expect(final.output[2]).toMatchObject({
      call_id: 'call_a',
      arguments: '{"path":"a"}',
      status: 'completed',
    });
  });

  test('takes a failure in the middle of a stream as a failed answer', async () => {
    const pieces = encodeAll([
      { kind: 'response-start', id: 'resp_1', model: 'm' },
      { kind: 'text-start', index: 0 },
      { kind: 'text-delta', index: 0, text: 'Par' },
      { kind: 'response-error', code: 'model/stream-incomplete', message: 'secret host' },
    ]);
    expect(pieces.join('')).not.toContain('secret');
    expect(pieces.join('')).not.toContain('response.completed');
    const events: string[] = [];
    await withWireServer(
      () => ({ type: 'text/event-stream', pieces }),
      async (address) => {
        const stream = await clientOf(address).responses.create({ ...REQUEST, stream: true });
        for await (const event of stream) events.push(event.type);
      },
    );
    expect(events.at(-1)).toBe('response.failed');
  });

  test('throws for a failure before the start', async () => {
    const pieces = encodeAll([{ kind: 'response-error', code: 'model/timeout', message: 'secret host' }]);
    const answer = withWireServer(
      () => ({ type: 'text/event-stream', pieces }),
      async (address) => {
        const stream = await clientOf(address).responses.create({ ...REQUEST, stream: true });
        for await (const event of stream) expect(event).toBe('an error');
      },
    );
    await expect(answer).rejects.toThrow('The model failed to answer: the provider did not answer in time.');
  });

  test.each(recordings('openai-responses').filter(({ name }) => !/error|failed|cut/.test(name)))(
    'reads $name after it was decoded and encoded',
    async ({ bytes }) => {
      const events = decodePieces(openaiResponses, [bytes]).events;
      const final = await withWireServer(
        () => ({ type: 'text/event-stream', pieces: encodeAll(events) }),
        (address) => clientOf(address).responses.stream(REQUEST).finalResponse(),
      );
      const whole = openaiResponses.encodeResponse(collectResponse(events)).value;
      expect(final.output.map(({ type }) => type)).toEqual(
        (whole['output'] as { type: string }[]).map(({ type }) => type),
      );
      expect(final.status).toBe(whole['status']);
    },
  );

  test('sends what is decoded to the neutral call', async () => {
    const seen: SeenRequest[] = [];
    await withWireServer(
      (request) => {
        seen.push(request);
        return {
          type: 'application/json',
          pieces: [JSON.stringify(openaiResponses.encodeResponse(ANSWER).value)],
        };
      },
      (address) => clientOf(address).responses.create(REQUEST),
    );
    expect(seen[0]?.path).toBe('/v1/responses');
    expect(openaiResponses.decodeRequest(JSON.parse(seen[0]?.body ?? 'null')).value).toEqual({
      model: 'model-1',
      instructions: [{ role: 'system', text: 'Be brief.' }],
      items: [{ kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
    });
  });
});
