import Anthropic from '@anthropic-ai/sdk';
import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { decodeInPieces } from '../../test-support/in-pieces.ts';
import { recordings } from '../../test-support/recordings.ts';
import { type SeenRequest, withWireServer } from '../../test-support/wire-server.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { anthropic } from './anthropic.ts';

const RESPONSE: ModelResponse = {
  id: 'msg_1',
  model: 'claude-test-1',
  items: [
    {
      kind: 'reasoning',
      text: 'Think.',
      opaque: { protocol: 'anthropic', form: 'signature', value: 'c2lnbmF0dXJl' },
    },
    { kind: 'reasoning', opaque: { protocol: 'anthropic', form: 'redacted', value: 'ZGF0YQ==' } },
    { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'Grüße 😀' }] },
    { kind: 'tool-call', callId: 'toolu_1', name: 'add', arguments: '{"a":2,"b":[3]}' },
    { kind: 'tool-call', callId: 'toolu_2', name: 'now', arguments: '' },
  ],
  finish: 'tool-calls',
  usage: { inputTotal: 30, cacheRead: 10, cacheWrite: 5, outputTotal: 20, reasoning: 4 },
};

const CONTENT = [
  { type: 'thinking', thinking: 'Think.', signature: 'c2lnbmF0dXJl' },
  { type: 'redacted_thinking', data: 'ZGF0YQ==' },
  { type: 'text', text: 'Grüße 😀' },
  { type: 'tool_use', id: 'toolu_1', name: 'add', input: { a: 2, b: [3] } },
  { type: 'tool_use', id: 'toolu_2', name: 'now', input: {} },
];

function client(baseURL: string): Anthropic {
  return new Anthropic({ baseURL, apiKey: 'test', maxRetries: 0 });
}

const REQUEST = {
  model: 'claude-test-1',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'hi' }],
};

describe('the official client', () => {
  test('reads our stream as the message that we meant', async () => {
    const stream = anthropic.encodeStream();
    const pieces = responseToEvents(RESPONSE).map((event) => stream.push(event));
    const message = await withWireServer(
      () => ({ type: 'text/event-stream', pieces }),
      (address) => client(address).messages.stream(REQUEST).finalMessage(),
    );
    expect(message).toMatchObject({
      id: 'msg_1',
      role: 'assistant',
      stop_reason: 'tool_use',
      content: CONTENT,
      usage: { output_tokens: 20, input_tokens: 15, cache_read_input_tokens: 10 },
    });
  });

  test('reads our whole answer', async () => {
    const { value } = anthropic.encodeResponse(RESPONSE);
    const message = await withWireServer(
      () => ({ type: 'application/json', pieces: [JSON.stringify(value)] }),
      (address) => client(address).messages.create(REQUEST),
    );
    expect(message).toMatchObject({ id: 'msg_1', stop_reason: 'tool_use', content: CONTENT });
  });

  test('fails where we pass on a failure, and gets none of the words of the one behind us', async () => {
    const stream = anthropic.encodeStream();
    const pieces = [
      stream.push({ kind: 'response-start', id: 'msg_1', model: 'm' }),
      stream.push({
        kind: 'response-error',
        code: 'model/provider-error',
        message: 'secret host',
        providerCode: 'x',
      }),
    ];
    const failure = await withWireServer(
      () => ({ type: 'text/event-stream', pieces }),
      (address) =>
        client(address)
          .messages.stream(REQUEST)
          .finalMessage()
          .catch((error: unknown) => error),
    );
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain('secret');
  });

  test('sends requests that we can read and write again without a change', async () => {
    const seen: SeenRequest[] = [];
    const body = {
      ...REQUEST,
      system: [{ type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' as const } }],
      tools: [
        {
          name: 'add',
          description: 'Adds.',
          input_schema: { type: 'object' as const, properties: { a: { type: 'number' } } },
          cache_control: { type: 'ephemeral' as const },
        },
      ],
      tool_choice: { type: 'auto' as const, disable_parallel_tool_use: true },
      thinking: { type: 'enabled' as const, budget_tokens: 2000, display: null },
      max_tokens: 4000,
      service_tier: 'auto' as const,
      metadata: { user_id: 'u' },
      messages: [
        { role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] },
        { role: 'assistant' as const, content: CONTENT as never },
        {
          role: 'user' as const,
          content: [
            {
              type: 'tool_result' as const,
              tool_use_id: 'toolu_1',
              content: [{ type: 'text' as const, text: '5' }],
            },
            { type: 'tool_result' as const, tool_use_id: 'toolu_2', is_error: true },
            { type: 'text' as const, text: 'go on' },
          ],
        },
      ],
    };
    await withWireServer(
      (request) => {
        seen.push(request);
        return {
          type: 'application/json',
          pieces: [JSON.stringify(anthropic.encodeResponse(RESPONSE).value)],
        };
      },
      (address) => client(address).messages.create(body),
    );
    const sent = JSON.parse(seen[0]?.body ?? '') as JsonValue;
    const decoded = anthropic.decodeRequest(sent);
    const encoded = anthropic.encodeRequest(decoded.value);
    expect(seen[0]?.path).toBe('/v1/messages');
    expect([...decoded.losses, ...encoded.losses]).toEqual([]);
    expect(JSON.parse(JSON.stringify(encoded.value.body))).toEqual(sent);
    expect(encoded.value.path).toBe('messages');
  });

  test.each(recordings('anthropic').filter(({ whole }) => whole !== undefined))(
    'reads the recording $name, decoded and encoded again, as it was',
    async ({ bytes }) => {
      const stream = anthropic.encodeStream();
      const pieces = decodeInPieces(anthropic, bytes, 50).map((event) => stream.push(event));
      const read = (content: readonly (string | Uint8Array)[]) =>
        withWireServer(
          () => ({ type: 'text/event-stream', pieces: content }),
          (address) => client(address).messages.stream(REQUEST).finalMessage(),
        );
      const [ours, theirs] = await Promise.all([read(pieces), read([bytes])]);
      expect(ours.content).toMatchObject(JSON.parse(JSON.stringify(theirs.content)) as object[]);
      expect(ours).toMatchObject({
        id: theirs.id,
        stop_reason: theirs.stop_reason,
        stop_sequence: theirs.stop_sequence,
      });
      expect(ours.usage).toMatchObject({ output_tokens: theirs.usage.output_tokens });
    },
  );
});
