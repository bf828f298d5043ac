import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test-support/ask.ts';
import { createFakeFetch } from '../../test-support/fake-fetch.ts';
import { type ServerAnswer, withWireServer } from '../../test-support/wire-server.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { PROTOCOLS } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import { collectResponse } from '../event/collect-response.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import type { Model } from '../model.ts';
import { createHttpModel } from './http-model.ts';

const ANSWER: ModelResponse = {
  id: 'r-1',
  model: 'm',
  items: [
    { kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'Grüße 😀' }] },
    { kind: 'tool-call', callId: 'call_1', name: 'find', arguments: '{"path":"ä"}' },
  ],
  finish: 'tool-calls',
  usage: null,
};

function modelFor(response: Response | (() => Response), maxResponseBytes = 10_000): Model {
  const step = typeof response === 'function' ? response : () => response;
  const { fetch } = createFakeFetch(step);
  return createHttpModel({
    codec: codecOf('openai-chat'),
    baseUrl: 'http://model.test/v1',
    model: 'm',
    maxResponseBytes,
    retry: { attempts: 1 },
    fetch,
  });
}

describe.each(PROTOCOLS)('an answer of %s', (protocol) => {
  const codec = codecOf(protocol);
  const encoder = codec.encodeStream({ includeUsage: true });
  const streamed = responseToEvents(ANSWER).map((event) => encoder.push(event));
  const whole = JSON.stringify(codec.encodeResponse(ANSWER).value);

  const over = (answer: ServerAnswer) =>
    withWireServer(
      () => answer,
      (address) => ask(createHttpModel({ codec, baseUrl: address, model: 'm' })),
    );

  test('gives the same items streamed, whole, and squeezed', async () => {
    const plain = await over({ type: 'text/event-stream', pieces: streamed });
    const unstreamed = await over({ type: 'application/json', pieces: [whole] });
    const squeezed = await over({
      type: 'text/event-stream',
      headers: { 'content-encoding': 'gzip' },
      pieces: [gzipSync(streamed.join(''))],
    });
    expect(collectResponse(plain).items).toMatchObject([
      { kind: 'message', parts: [{ text: 'Grüße 😀' }] },
      { kind: 'tool-call', name: 'find', arguments: '{"path":"ä"}' },
    ]);
    const names = (events: typeof plain) =>
      collectResponse(events).items.map((item) => (item.kind === 'tool-call' ? item.arguments : item.kind));
    expect(names(unstreamed)).toEqual(names(plain));
    expect(collectResponse(squeezed)).toEqual(collectResponse(plain));
  });

  test('may begin with the mark of its byte order, streamed and whole', async () => {
    const marked = await over({ type: 'text/event-stream', pieces: ['\ufeff', ...streamed] });
    const unstreamed = await over({ type: 'application/json', pieces: [`\ufeff${whole}`] });
    for (const events of [marked, unstreamed]) {
      expect(collectResponse(events).items).toMatchObject(ANSWER.items.map(({ kind }) => ({ kind })));
    }
  });

  test('that is an error with success as its status is a failure', async () => {
    const body = JSON.stringify(codec.encodeResponse({ ...ANSWER, finish: 'error' }).value);
    const { fetch } = createFakeFetch(
      () => new Response(body, { headers: { 'content-type': 'application/json' } }),
    );
    const config = { codec, baseUrl: 'http://model.test', model: 'm', fetch };
    const model = createHttpModel({ ...config, retry: { attempts: 1 } });
    const failed = await ask(model).then(
      (events) => events.at(-1),
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({
      code: expect.stringMatching(/^model\/(?:provider-error|response-invalid)$/),
    });
  });
});

describe('an answer that is none', () => {
  test.each([
    ['a page', 'text/html; charset=utf-8', '<!doctype html><title>Sign in</title>'],
    ['plain text', 'text/plain', 'ok'],
    ['another stream', 'application/x-ndjson', '{"message":{"content":"ja"}}\n'],
  ])('is refused by its type: %s', async (_, type, body) => {
    await expect(
      ask(modelFor(new Response(body, { headers: { 'content-type': type } }))),
    ).rejects.toMatchObject({
      code: 'model/response-invalid',
      message: 'The address answers, but not as a model: check baseUrl.',
    });
  });

  test.each([
    ['cut JSON', '{"choices":['],
    ['no JSON', 'ok'],
    ['nothing', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['an error with success', '{"error":"Unexpected endpoint"}'],
    ['no choice', '{"id":"a","choices":[]}'],
    ['a doubled member', '{"choices":[],"choices":[]}'],
    ['brackets without end', '['.repeat(5000)],
  ])('is a failure with a name: %s', async (_, body) => {
    const model = modelFor(new Response(body, { headers: { 'content-type': 'application/json' } }));
    const failed = await ask(model).then(
      (events) => events.at(-1),
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({
      code: expect.stringMatching(/^model\/(?:response-invalid|provider-error)$/),
    });
  });

  test.each([
    ['no body', null],
    ['an empty stream', ''],
    ['only comments', ': a\n\n: b\n\n'],
    ['only the end', 'data: [DONE]\n\n'],
  ])('with success and %s is not taken for an answer', async (_, body) => {
    const events = await ask(
      modelFor(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
    );
    expect(collectResponse(events).finish).not.toBe('stop');
    expect(events.at(-1)).not.toMatchObject({ kind: 'response-end', finish: 'tool-calls' });
  });
});

describe('an answer over its bound', () => {
  const text = 'x'.repeat(300);
  const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;

  test('ends as a failure when it is streamed, with what came before', async () => {
    let closed = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(chunk)),
      cancel: () => {
        closed = true;
      },
    });
    const events = await ask(
      modelFor(new Response(endless, { headers: { 'content-type': 'text/event-stream' } })),
    );
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/response-too-large' });
    expect(events.filter(({ kind }) => kind === 'text-delta').length).toBeGreaterThan(10);
    expect(closed).toBe(true);
  });

  test('is refused when it is whole, also when it only unpacks to that', async () => {
    const body = JSON.stringify({ choices: [{ index: 0, message: { content: 'x'.repeat(1_000_000) } }] });
    const packed = gzipSync(body);
    expect(packed.length).toBeLessThan(10_000);
    await withWireServer(
      () => ({ type: 'application/json', headers: { 'content-encoding': 'gzip' }, pieces: [packed] }),
      async (address) => {
        const model = createHttpModel({
          codec: codecOf('openai-chat'),
          baseUrl: address,
          model: 'm',
          maxResponseBytes: 10_000,
        });
        await expect(ask(model)).rejects.toMatchObject({ code: 'model/response-too-large' });
      },
    );
  });

  test('is cut when it is an error page', async () => {
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000).fill(120)),
    });
    await expect(ask(modelFor(new Response(endless, { status: 400 })))).rejects.toMatchObject({
      code: 'model/http-status',
      message: 'The provider refused the request (status 400).',
    });
  });
});

describe('an error answer', () => {
  test.each([
    [400, 'The provider refused the request (status 400): said'],
    [401, 'The provider did not accept the key (status 401): said'],
    [403, 'The key may not use this model or address (status 403): said'],
    [404, 'The model or the address does not exist (status 404): said'],
    [429, 'The provider limits the rate or the quota is used up (status 429): said'],
    [500, 'The provider failed (status 500): said'],
    [529, 'The provider is overloaded (status 529): said'],
  ])('of status %i is one clear sentence', async (status, message) => {
    await expect(
      ask(modelFor(Response.json({ error: { message: 'said' } }, { status }))),
    ).rejects.toMatchObject({
      code: 'model/http-status',
      status,
      message,
    });
  });

  test.each([
    ['long', { error: { message: 'a'.repeat(5000) } }, /^.{0,60}: a{300}…$/],
    ['on many lines', { error: { message: 'one\n\u0000\u202etwo\r\n' } }, /: one two$/],
    ['in the member message', { message: 'said' }, /: said$/],
    ['in the member detail', { detail: 'said' }, /: said$/],
    ['in the member error', { error: 'said' }, /: said$/],
    ['missing', { error: { code: 3 } }, /\(status 400\)\.$/],
    ['no text', { error: { message: { a: 1 } } }, /\(status 400\)\.$/],
  ])('whose message is %s is quoted safely', async (_, body, message) => {
    await expect(ask(modelFor(Response.json(body, { status: 400 })))).rejects.toThrow(message);
  });

  test('without a body says in its cause what was sent, without content', async () => {
    const model = modelFor(() => new Response(null, { status: 400 }));
    const error = await ask(model, {
      model: 'm',
      items: [
        { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'private' }] },
        { kind: 'tool-call', callId: 'c1', name: 'find', arguments: '{"who":"private"}' },
        { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'private' }] },
      ],
    }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message: 'The provider refused the request (status 400).',
      cause: {
        message: expect.stringMatching(
          /^The request had 1 message, 1 tool-call, 1 tool-result; 0 tools; \d+ characters; every call had one result\.$/,
        ),
      },
    });
  });

  test.each(['x-request-id', 'request-id', 'apim-request-id'])('keeps the id in %s', async (name) => {
    const response = new Response('', { status: 500, headers: { [name]: 'req-7' } });
    await expect(ask(modelFor(response))).rejects.toMatchObject({ requestId: 'req-7' });
  });

  test('keeps no id that is more than an id', async () => {
    const response = new Response('', { status: 500, headers: { 'x-request-id': '<b>id</b>' } });
    await expect(ask(modelFor(response))).rejects.toMatchObject({ requestId: undefined });
  });
});

test('a connection that nobody answers is one clear sentence', async () => {
  // The port was free a moment ago: the server that had it is closed.
  const address = await withWireServer(
    () => ({ type: 'application/json', pieces: [] }),
    async (at) => at,
  );
  const model = createHttpModel({
    codec: codecOf('anthropic'),
    baseUrl: address,
    model: 'm',
    retry: { attempts: 1 },
  });
  await expect(ask(model)).rejects.toMatchObject({
    code: 'model/connection-failed',
    message: 'The provider could not be reached: nothing listens at the base URL (ECONNREFUSED).',
  });
});
