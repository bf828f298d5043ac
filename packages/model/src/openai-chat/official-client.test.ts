import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { decodePieces, recordings } from '../../test-support/recordings.ts';
import { type SeenRequest, withWireServer } from '../../test-support/wire-server.ts';
import type { ModelCall } from '../call/model-call.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { openaiChat } from './openai-chat.ts';

const ANSWER: ModelResponse = {
  id: 'chatcmpl-1',
  model: 'model-1',
  createdAt: 1_700_000_000,
  items: [
    { kind: 'reasoning', text: 'thinking' },
    { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'Let me look, 世界 😀.\n\n' }] },
    { kind: 'tool-call', callId: 'call_a', name: 'read', arguments: '{"path":"a"}' },
    { kind: 'tool-call', callId: 'call_b', name: 'list', arguments: '{}' },
  ],
  finish: 'tool-calls',
  usage: { inputTotal: 19, cacheRead: 4, cacheWrite: null, outputTotal: 10, reasoning: 3 },
};

const CALLS = [
  { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
  { id: 'call_b', type: 'function', function: { name: 'list', arguments: '{}' } },
];

const REQUEST: Omit<OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming, 'stream'> = {
  model: 'model-1',
  messages: [
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAEC' } },
      ],
    },
  ],
  tools: [{ type: 'function', function: { name: 'read', parameters: { type: 'object' } } }],
};

function clientOf(address: string): OpenAI {
  return new OpenAI({ apiKey: 'none', baseURL: `${address}/v1`, maxRetries: 0 });
}

function streamText(answer: ModelResponse): readonly string[] {
  const encoder = openaiChat.encodeStream({ includeUsage: true });
  return responseToEvents(answer).map((event) => encoder.push(event));
}

describe('the official client', () => {
  test('reads a whole answer', async () => {
    const body = JSON.stringify(openaiChat.encodeResponse(ANSWER).value);
    const answer = await withWireServer(
      () => ({ type: 'application/json', pieces: [body] }),
      (address) => clientOf(address).chat.completions.create({ ...REQUEST, stream: false }),
    );
    expect(answer.choices[0]?.message).toMatchObject({
      content: 'Let me look, 世界 😀.\n\n',
      tool_calls: CALLS,
    });
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
    expect(answer.usage).toMatchObject({ prompt_tokens: 19, completion_tokens: 10, total_tokens: 29 });
  });

  test('gathers a streamed answer to the same', async () => {
    const answer = await withWireServer(
      () => ({ type: 'text/event-stream', pieces: streamText(ANSWER) }),
      (address) => clientOf(address).chat.completions.stream(REQUEST).finalChatCompletion(),
    );
    expect(answer.choices[0]?.message.tool_calls).toMatchObject(CALLS);
    expect(answer.choices[0]?.message.content).toBe('Let me look, 世界 😀.\n\n');
    expect(answer.usage?.completion_tokens).toBe(10);
  });

  test('takes a failure in the middle of a stream as an error and not as an answer', async () => {
    const encoder = openaiChat.encodeStream();
    const pieces = [
      encoder.push({ kind: 'response-start', id: 'c1', model: 'm' }),
      encoder.push({ kind: 'text-start', index: 0 }),
      encoder.push({ kind: 'text-delta', index: 0, text: 'Par' }),
      encoder.push({ kind: 'response-error', code: 'model/stream-incomplete', message: 'secret host' }),
    ];
    expect(pieces.join('')).not.toContain('secret');
    expect(pieces.join('')).not.toContain('[DONE]');
    const stream = withWireServer(
      () => ({ type: 'text/event-stream', pieces }),
      (address) => clientOf(address).chat.completions.stream(REQUEST).finalChatCompletion(),
    );
    await expect(stream).rejects.toThrow('The model failed to answer.');
  });

  test.each(recordings('openai-chat').filter(({ whole }) => whole !== undefined))(
    'reads $name after it was decoded and encoded',
    async ({ name, bytes, whole }) => {
      const encoder = openaiChat.encodeStream({ includeUsage: true });
      const pieces = decodePieces(openaiChat, [bytes]).events.map((event) => encoder.push(event));
      const answer = await withWireServer(
        () => ({ type: 'text/event-stream', pieces }),
        async (address) => {
          const chunks = await clientOf(address).chat.completions.create({ ...REQUEST, stream: true });
          const events: OpenAI.Chat.Completions.ChatCompletionChunk[] = [];
          for await (const chunk of chunks) events.push(chunk);
          return events;
        },
      );
      const [choice] = (whole as unknown as OpenAI.Chat.Completions.ChatCompletion).choices;
      const said = answer.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
      expect(said, name).toBe(choice?.message.content ?? '');
      expect(answer.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual([
        choice?.finish_reason,
      ]);
    },
  );

  test('sends what is decoded to the neutral call', async () => {
    const seen: SeenRequest[] = [];
    await withWireServer(
      (request) => {
        seen.push(request);
        return {
          type: 'application/json',
          pieces: [JSON.stringify(openaiChat.encodeResponse(ANSWER).value)],
        };
      },
      (address) => clientOf(address).chat.completions.create({ ...REQUEST, stream: false }),
    );
    const { value, losses } = openaiChat.decodeRequest(JSON.parse(seen[0]?.body ?? 'null'));
    expect(seen[0]?.path).toBe('/v1/chat/completions');
    expect(losses).toEqual([]);
    expect(value).toEqual({
      model: 'model-1',
      instructions: [{ role: 'developer', text: 'Be brief.' }],
      items: [
        {
          kind: 'message',
          role: 'user',
          parts: [
            { kind: 'text', text: 'hi' },
            { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAEC' } },
          ],
        },
      ],
      tools: [{ kind: 'function', name: 'read', parameters: { type: 'object' } }],
      stream: false,
    } satisfies ModelCall);
  });
});
