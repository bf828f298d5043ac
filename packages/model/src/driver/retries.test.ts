import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { ask, QUESTION } from '../../test-support/ask.ts';
import {
  connectionFailure,
  createFakeBody,
  createFakeFetch,
  type FetchStep,
} from '../../test-support/fake-fetch.ts';
import { anthropic } from '../anthropic/anthropic.ts';
import type { Codec } from '../codec/codec.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { gemini } from '../gemini/gemini.ts';
import { openaiChat } from '../openai-chat/openai-chat.ts';
import { openaiResponses } from '../openai-responses/openai-responses.ts';
import { createHttpModel } from './http-model.ts';
import type { RetryOptions } from './retry.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

const ANSWER = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ja' }, finish_reason: 'stop' }],
};

const answers: FetchStep = () => Response.json(ANSWER);
const fails =
  (status: number, headers: Readonly<Record<string, string>> = {}): FetchStep =>
  () =>
    new Response('{}', { status, headers });
const refuses =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): FetchStep =>
  () =>
    Response.json(body, { status, headers });
const breaks =
  (code: string): FetchStep =>
  () => {
    throw connectionFailure(code);
  };

const info = (retryDelay: unknown) => ({ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay });

/** Lets a model ask until it is done, moving the clock from timer to timer. */
async function run(
  steps: readonly FetchStep[],
  retry: RetryOptions = {},
  random: () => number = () => 0.5,
  codec: Codec = openaiChat,
) {
  const clock = createFakeClock({ now: NOW });
  const { fetch, requests } = createFakeFetch(...steps);
  const model = createHttpModel({
    codec,
    baseUrl: 'http://model.test/v1',
    model: 'm',
    fetch,
    clock,
    random,
    retry,
    timeouts: { firstEventMs: 'none', totalMs: 'none' },
  });
  let settled = false;
  const result = ask(model).then(
    (events) => ({ events, error: undefined }),
    (error: unknown) => ({ events: [] as readonly ModelEvent[], error }),
  );
  void result.then(() => {
    settled = true;
  });
  await clock.advance(0);
  while (!settled && (await clock.advanceToNext())) await clock.advance(0);
  return { ...(await result), requests, waitedMs: clock.now() - NOW, pending: clock.pending };
}

describe('a request is sent again', () => {
  test.each([408, 429, 500, 502, 503, 504, 529])('after status %i', async (status) => {
    const { events, requests } = await run([fails(status), answers]);
    expect(collectResponse(events).finish).toBe('stop');
    expect(requests).toHaveLength(2);
    expect(requests[0]?.body).toBe(requests[1]?.body);
  });

  test.each<[string, FetchStep]>([
    ['a rate that passes', refuses(429, { error: { code: 'rate_limit_exceeded', type: 'requests' } })],
    ['a word that is a sentence', refuses(429, { error: { code: { insufficient_quota: 1 }, type: 7 } })],
    [
      'an account, where the provider asks for it',
      refuses(429, { error: { code: 'insufficient_quota' } }, { 'x-should-retry': 'true' }),
    ],
    ['a lock, where the provider asks for it', fails(409, { 'x-should-retry': ' True ' })],
    ['a wish that is none', fails(503, { 'x-should-retry': 'later' })],
  ])('for %s', async (_, failing) => {
    const { events, requests } = await run([failing, answers]);
    expect(collectResponse(events).finish).toBe('stop');
    expect(requests).toHaveLength(2);
  });

  test.each(['ECONNRESET', 'ECONNREFUSED', 'UND_ERR_SOCKET', 'EPIPE', 'UND_ERR_CONNECT_TIMEOUT'])(
    'after a connection that failed with %s',
    async (code) => {
      const { events, requests } = await run([breaks(code), answers]);
      expect(collectResponse(events).finish).toBe('stop');
      expect(requests).toHaveLength(2);
    },
  );

  test('after a connection that broke before the first event', async () => {
    const body = createFakeBody();
    const { events, requests } = await run([
      () => {
        body.write(': waking up\n\n');
        body.break(connectionFailure('ECONNRESET'));
        return body.response;
      },
      answers,
    ]);
    expect(collectResponse(events).finish).toBe('stop');
    expect(requests).toHaveLength(2);
  });

  test('as often as it is allowed, and then fails with the last error', async () => {
    const { error, requests, pending } = await run([fails(500), fails(500), fails(503), answers]);
    expect(error).toMatchObject({ code: 'model/http-status', status: 503 });
    expect(requests).toHaveLength(3);
    expect(pending).toBe(0);
  });
});

describe('a request is not sent again', () => {
  test.each([400, 401, 403, 404, 409, 413, 422, 501, 505])('after status %i', async (status) => {
    const { error, requests } = await run([fails(status), answers]);
    expect(error).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test.each([
    ['its code', { error: { code: 'insufficient_quota', message: 'You exceeded your current quota' } }],
    ['its type', { error: { code: null, type: 'exceeded_current_quota_error' } }],
    ['a list', [{ error: { type: 'usage_limit_reached' } }]],
    ['a body without an error', { code: 'billing_not_active' }],
  ])('to an account that is used up, by %s, whatever the status means elsewhere', async (_, body) => {
    const { error, requests } = await run([refuses(429, body), answers]);
    expect(error).toMatchObject({ code: 'model/http-status', status: 429 });
    expect(requests).toHaveLength(1);
  });

  test.each([429, 500, 529])('after status %i, when the provider asks for that', async (status) => {
    const { error, requests } = await run([fails(status, { 'x-should-retry': 'false' }), answers]);
    expect(error).toMatchObject({ status });
    expect(requests).toHaveLength(1);
  });

  test.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ENOTFOUND', 'UND_ERR_HEADERS_TIMEOUT'])(
    'after a connection that failed for good with %s',
    async (code) => {
      const { error, requests } = await run([breaks(code), answers]);
      expect(error).toMatchObject({ code: 'model/connection-failed' });
      expect(requests).toHaveLength(1);
    },
  );

  test('after the first event', async () => {
    const body = createFakeBody();
    const { events, requests } = await run([
      () => {
        body.write(
          `data: ${JSON.stringify({ ...ANSWER, choices: [{ index: 0, delta: { content: 'ja' } }] })}\n\n`,
        );
        setImmediate(() => body.break(connectionFailure('ECONNRESET')));
        return body.response;
      },
      answers,
    ]);
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/stream-incomplete' });
    expect(collectResponse(events).items).toMatchObject([{ parts: [{ text: 'ja' }] }]);
    expect(requests).toHaveLength(1);
  });

  test('when retries are turned off', async () => {
    const { requests } = await run([fails(500), answers], { attempts: 1 });
    expect(requests).toHaveLength(1);
  });

  test('after a redirect, which is not followed either', async () => {
    const { error, requests } = await run([fails(307, { location: 'http://169.254.169.254/' }), answers]);
    expect(error).toMatchObject({
      code: 'model/http-status',
      status: 307,
      message: expect.not.stringContaining('169.254'),
    });
    expect(requests).toHaveLength(1);
  });

  test('after an answer that is no model', async () => {
    const page: FetchStep = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const { error, requests } = await run([page, answers]);
    expect(error).toMatchObject({ code: 'model/response-invalid', status: 200 });
    expect(requests).toHaveLength(1);
  });
});

const streams =
  (...events: readonly unknown[]): FetchStep =>
  () =>
    new Response(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });

const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', usage: { input_tokens: 1 } };
const begun = { id: 'r', status: 'in_progress', output: [] };
const tried = { id: 'c', model: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] };

describe('an answer that begins with a failure which passes is asked for again', () => {
  test.each<[string, Codec, FetchStep]>([
    ['Chat, by a word', openaiChat, streams({ error: { message: 'busy', type: 'overloaded' } })],
    ['Chat, by a status', openaiChat, streams({ error: { message: 'busy', code: 502 } })],
    ['Chat, after an empty start', openaiChat, streams(tried, { error: { code: 'server_error' } })],
    [
      'Anthropic',
      anthropic,
      streams({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
    ],
    [
      'Anthropic, after its start and a ping',
      anthropic,
      streams(
        { type: 'message_start', message },
        { type: 'ping' },
        { type: 'error', error: { type: 'api_error', message: 'Internal' } },
      ),
    ],
    [
      'Responses',
      openaiResponses,
      streams(
        { type: 'response.created', response: begun },
        {
          type: 'response.failed',
          response: { ...begun, status: 'failed', error: { code: 'rate_limit_exceeded', message: 'x' } },
        },
      ),
    ],
    ['Responses, alone', openaiResponses, streams({ type: 'error', code: 'server_error', message: 'x' })],
    [
      'Gemini',
      gemini,
      streams({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
    ],
    ['Gemini, by its status', gemini, streams({ error: { code: 429, message: 'x' } })],
    ['a whole answer', openaiChat, () => Response.json({ error: { type: 'server_error' } })],
  ])('%s', async (_, codec, failing) => {
    const whole = codec.encodeResponse({
      id: 'a',
      model: 'm',
      items: [{ kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: 'ja' }] }],
      finish: 'stop',
      usage: null,
    }).value;
    const { events, requests } = await run(
      [failing, failing, () => Response.json(whole)],
      {},
      () => 0.5,
      codec,
    );
    expect(collectResponse(events)).toMatchObject({ id: codec === gemini ? 'a' : expect.any(String) });
    expect(collectResponse(events)).toMatchObject({ finish: 'stop', items: [{ parts: [{ text: 'ja' }] }] });
    expect(events.filter(({ kind }) => kind === 'response-start')).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  const busy = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

  test('as often as a request may be sent, and then it is the failure that it is', async () => {
    const failing = streams({ type: 'message_start', message }, busy);
    const { events, requests } = await run([failing, failing, failing], {}, () => 0.5, anthropic);
    expect(requests).toHaveLength(3);
    const given = events.filter(({ kind }) => kind !== 'warning');
    expect(given.map(({ kind }) => kind)).toEqual(['response-start', 'usage', 'response-error']);
    expect(events.at(-1)).toMatchObject({ code: 'model/provider-error', providerCode: 'overloaded_error' });
  });

  test.each([
    'insufficient_quota',
    'invalid_request_error',
    'context_length_exceeded',
    'authentication_error',
  ])('but not for %s', async (type) => {
    const { events, requests } = await run([streams({ error: { type } }), answers]);
    expect(requests).toHaveLength(1);
    expect(events.filter(({ kind }) => kind !== 'warning')).toEqual([
      expect.objectContaining({ kind: 'response-error', providerCode: type }),
    ]);
  });

  test('but not when something of it was given', async () => {
    const text = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hal' } };
    const failing = streams({ type: 'message_start', message }, text, busy);
    const { events, requests } = await run([failing, answers], {}, () => 0.5, anthropic);
    expect(requests).toHaveLength(1);
    expect(collectResponse(events)).toMatchObject({ finish: 'error', items: [{ parts: [{ text: 'Hal' }] }] });
  });

  test('but not for a stream that breaks the rules', async () => {
    const { events, requests } = await run([streams('no object'), answers]);
    expect(requests).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ code: 'model/stream-invalid' });
  });

  test('and what was held back for that is bounded', async () => {
    const unknown = Array.from({ length: 100 }, () => ({ type: 'from_the_future' }));
    const failing = streams({ type: 'message_start', message }, ...unknown, busy);
    const { events, requests } = await run([failing, answers], {}, () => 0.5, anthropic);
    expect(requests).toHaveLength(1);
    const told = events.filter((event) => event.kind === 'warning' && event.code === 'unknown-event');
    expect(told).toHaveLength(100);
    expect(events.at(-1)).toMatchObject({ kind: 'response-error' });
  });
});

describe('the wait before a request is sent again', () => {
  test.each([
    ['seconds', { 'retry-after': '7' }, 7000],
    ['a fraction of a second', { 'retry-after': '0.25' }, 250],
    ['a date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:12 GMT' }, 12_000],
    ['a date in the past', { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
    ['milliseconds', { 'retry-after-ms': '1234', 'retry-after': '9' }, 1234],
    ['nothing that can be read', { 'retry-after': 'soon' }, 250],
    ['a number in another form', { 'retry-after': '1e9' }, 250],
    ['a negative number', { 'retry-after': '-5' }, 250],
  ])('is what the provider asks for in %s', async (_, headers, waitedMs) => {
    expect(await run([fails(429, headers), answers])).toMatchObject({ error: undefined, waitedMs });
  });

  test.each<[string, unknown, Readonly<Record<string, string>>, number]>([
    ['whole seconds', { error: { details: [{ reason: 'X' }, info('7s')] } }, {}, 7000],
    ['a fraction', { error: { details: [info('1.204037906s')] } }, {}, 1204.037906],
    ['a list', [{ error: { details: [info('7s')] } }], {}, 7000],
    ['a header besides', { error: { details: [info('7s')] } }, { 'retry-after': '2' }, 2000],
    ['a number', { error: { details: [info(7)] } }, {}, 250],
    ['another form', { error: { details: [info('-7s'), info('1e3s')] } }, {}, 250],
    ['another detail', { error: { details: [{ '@type': 'x', retryDelay: '7s' }, null] } }, {}, 250],
    ['no details', { error: { details: 'RetryInfo 7s' } }, {}, 250],
  ])('is what the provider asks for in the body, with %s', async (_, body, headers, waitedMs) => {
    const limited: FetchStep = () => Response.json(body, { status: 429, headers });
    const result = await run([limited, answers]);
    expect(result.error).toBeUndefined();
    expect(result.waitedMs).toBeCloseTo(waitedMs);
  });

  test.each(['31', '9'.repeat(400), 'Fri, 01 Jan 2027 00:00:00 GMT'])(
    'ends the retries when the provider asks for more than is allowed: %s',
    async (asked) => {
      const { error, requests, waitedMs } = await run([fails(429, { 'retry-after': asked }), answers], {
        maxDelayMs: 1000,
      });
      expect(error).toMatchObject({ status: 429 });
      expect(requests).toHaveLength(1);
      expect(waitedMs).toBe(0);
    },
  );

  test('is drawn from the whole of a window that doubles up to its bound', async () => {
    const steps = [fails(500), fails(500), fails(500), fails(500), answers];
    const retry = { attempts: 5, baseDelayMs: 100, maxDelayMs: 300 };
    expect((await run(steps, retry, () => 0)).waitedMs).toBe(0);
    expect((await run(steps, retry, () => 0.999_999)).waitedMs).toBe(99 + 199 + 299 + 299);
  });

  test('ends when the caller cancels', async () => {
    const clock = createFakeClock();
    const { fetch, requests } = createFakeFetch(fails(429, { 'retry-after': '20' }), answers);
    const model = createHttpModel({
      codec: openaiChat,
      baseUrl: 'http://model.test',
      model: 'm',
      fetch,
      clock,
    });
    const controller = new AbortController();
    const result = ask(model, QUESTION, controller.signal);
    const refused = expect(result).rejects.toMatchObject({ code: 'model/cancelled' });
    await clock.advance(10_000);
    controller.abort();
    await refused;
    expect(requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});
