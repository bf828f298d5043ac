import { systemClock } from '@toolgate/core';
import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { rejection } from '../../test-support/mount-fixture.ts';
import type { McpError } from '../mcp-error.ts';
import { boundFetch } from './bound-fetch.ts';

/** Fetches these pieces, as what they are called, through a bound of 100 bytes. */
async function fetched(pieces: readonly string[], type: string, status = 200, asked?: object) {
  const told: McpError[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const answer = async () =>
    new Response(body, {
      status,
      headers: { ...(type === '' ? {} : { 'content-type': type }), 'x-kept': 'yes' },
    });
  const response = await boundFetch(
    answer,
    100,
    (error) => told.push(error),
    systemClock,
  )(
    'http://a.example/',
    asked === undefined ? undefined : { method: 'POST', body: JSON.stringify({ ...asked, jsonrpc: '2.0' }) },
  );
  return { response, told };
}

const tooLarge = { code: 'mcp/message-too-large' };

describe('a body', () => {
  test('within its bound is as it was, with state and headers', async () => {
    const { response, told } = await fetched(['{"a":', '1}'], 'application/json', 404);
    expect([response.status, response.headers.get('x-kept')]).toEqual([404, 'yes']);
    expect(await response.json()).toEqual({ a: 1 });
    expect(told).toEqual([]);
  });

  test.each([
    ['in one piece', ['x'.repeat(101)]],
    ['in many', Array.from({ length: 101 }, () => 'x')],
    ['in short lines', Array.from({ length: 60 }, () => 'x\n\n')],
  ])('that is too large %s fails, and somebody is told', async (_how, pieces) => {
    const { response, told } = await fetched(pieces, 'application/json');
    expect(await rejection(response.text())).toMatchObject(tooLarge);
    expect(told).toMatchObject([tooLarge]);
  });

  test('of no content has none', async () => {
    const answer = async () => new Response(null, { status: 204 });
    const response = await boundFetch(answer, 100, () => undefined, systemClock)('http://a.example/');
    expect(response.status).toBe(204);
  });
});

describe('a stream of events', () => {
  test.each([
    ['lines end in a line feed', '\n'],
    ['lines end in both', '\r\n'],
    ['lines end in a carriage return', '\r'],
  ])('may be endless while each event is small, when %s', async (_what, end) => {
    const event = `data: ${'x'.repeat(50)}${end}${end}`;
    const { response } = await fetched(
      Array.from({ length: 100 }, () => event),
      'text/event-stream; charset=utf-8',
    );
    expect(await response.text()).toBe(`data: ${'x'.repeat(50)}\n\n`.repeat(100));
  });

  test.each([
    ['one endless line', ['data: ', ...Array.from({ length: 100 }, () => 'xx')]],
    ['endless lines without an empty one', Array.from({ length: 30 }, () => 'data: x\n')],
    ['a large event after small ones', ['data: a\n\n', `data: ${'x'.repeat(101)}\n\n`]],
  ])('with %s fails', async (_what, pieces) => {
    const { response } = await fetched(pieces, 'text/event-stream');
    expect(await rejection(response.text())).toMatchObject(tooLarge);
  });
});

test.each(['\ufeff\ufeff', '\n\ufeff\ufeff', '\ufeff\n\ufeff', '\n\n\ufeff'])(
  'behind %j at its head a stream has no data, for whoever reads it on',
  async (head) => {
    const { response } = await fetched([`${head}data: {"a":1,"a":2}\n\n`], 'text/event-stream');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const lines = new TextDecoder().decode(bytes).split('\n');
    expect(lines.filter((line) => line.startsWith('data'))).toEqual([]);
  },
);

describe('a message that is ambiguous', () => {
  const ambiguous = { code: 'mcp/result-invalid', pointer: '/a/b' };

  test.each([
    ['a member twice', 'application/json', ['{"a":{"b":1,', '"b":2}}']],
    ['a member twice, once escaped', 'application/json', ['{"a":{"b":1,"\\u0062":2}}']],
    ['a member twice in an event', 'text/event-stream', ['data: {"a":{"b":1,', '"b":2}}\n', '\n']],
    [
      'a member twice in an event of many lines',
      'text/event-stream',
      ['data: {"a":{"b":1,\ndata: "b":2}}\r\r'],
    ],
  ])('with %s fails, and somebody is told where', async (_what, type, pieces) => {
    const { response, told } = await fetched(pieces, type);
    expect(await rejection(response.text())).toMatchObject(ambiguous);
    expect(told).toMatchObject([ambiguous]);
  });

  test.each([
    ['a half of a pair before it', '{"b":"\\ud800","a":{"b":1,"b":2}}'],
    ['a mark of the byte order before it', '\ufeff{"a":{"b":1,"b":2}}'],
  ])('fails whatever hides it, such as %s', async (_what, text) => {
    const { response } = await fetched([text], 'application/json');
    expect(await rejection(response.text())).toMatchObject(ambiguous);
  });

  test('is one, too, with a number that some readers take for infinite', async () => {
    const { response } = await fetched(['{"a":{"b":1e999}}'], 'application/json');
    expect(await rejection(response.text())).toMatchObject(ambiguous);
  });

  test('does not fail what came before it', async () => {
    const { response } = await fetched(['data: {"a":1}\n\n', 'data: {"a":1,"a":2}\n\n'], 'text/event-stream');
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: {"a":1}\n\n');
  });

  test.each(['{"a":"\\ud800"}', '{"a":12345678901234567890}', 'no json', ''])(
    'is not one with another fault: %s',
    async (text) => {
      const { response } = await fetched([text], 'application/json');
      expect(await response.text()).toBe(text);
    },
  );
});

describe('an answer', () => {
  const call = { id: 7, method: 'tools/call' };
  const said = { jsonrpc: '2.0', id: 7, result: { a: 1 } };

  test.each(['', 'text/plain', 'application/json-rpc', 'application/octet-stream'])(
    'of the type %j that is JSON is called so',
    async (type) => {
      const { response } = await fetched([JSON.stringify(said)], type, 200, call);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.json()).toEqual(said);
    },
  );

  test.each([
    ['that is a page', '<p>{"a":1}</p>', 200, call],
    ['of a state of failure', JSON.stringify(said), 500, call],
    ['to what is no message', JSON.stringify(said), 200, undefined],
  ])('%s keeps its type', async (_what, text, status, asked) => {
    const { response } = await fetched([text], 'text/plain', status, asked);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(await response.text()).toBe(text);
  });

  test('of another type is as bounded as any', async () => {
    const answer = fetched(['x'.repeat(101)], 'text/plain', 200, call);
    expect(await rejection(answer)).toMatchObject(tooLarge);
  });

  test.each([
    ['of a state of failure', 500, call],
    ['to what is no message', 200, undefined],
  ])('%s is nothing to mend', async (_what, status, asked) => {
    const text = '{"id":null,"error":{"code":1,"message":"x"},"result":null}';
    const { response } = await fetched([text], 'application/json', status, asked);
    expect(await response.text()).toBe(text);
  });

  test('is mended where its form alone is odd', async () => {
    const { response } = await fetched(
      ['{"id":7,"error":null,', '"result":{}}'],
      'application/json',
      200,
      call,
    );
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  test('in an event whose end is missing is given on when the stream ends, and half of one is not', async () => {
    const whole = await fetched(['data: {"jsonrpc":"2.0"', '}'], 'text/event-stream', 200, call);
    expect(await whole.response.text()).toBe('data: {"jsonrpc":"2.0"}\n\n');
    const half = await fetched([': a\n\ndata: {"jsonrpc":"2.0"'], 'text/event-stream', 200, call);
    expect(await half.response.text()).toBe(': a\n\n');
  });

  test.each([200, 202, 204])('of the state %j to what wants none says that it arrived', async (status) => {
    const answer = async () => new Response(status === 204 ? null : 'null', { status });
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const response = await boundFetch(
      answer,
      100,
      () => undefined,
      systemClock,
    )('http://a.example/', { method: 'POST', body });
    expect([response.status, await response.text()]).toEqual([202, '']);
  });
});

describe('a request that a server took with the state 202', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
  const answer = '{"jsonrpc":"2.0","id":1,"result":{}}';

  test.each([
    ['no body', '', '', 'text/event-stream', ''],
    ['a greeting', 'Accepted', 'text/plain', 'text/event-stream', ''],
    ['its answer', answer, 'application/json', 'application/json', answer],
    ['its answer without a type', answer, '', 'application/json', answer],
  ])('and %s has no other answer to wait for', async (_what, said, type, givenType, given) => {
    const server = async () => new Response(new Blob([said], { type }), { status: 202 });
    const ask = boundFetch(server, 1_000, () => undefined, systemClock);
    const response = await ask('http://a.example/', { method: 'POST', body });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      givenType,
      given,
    ]);
  });

  test('may be answered where a server is listened to', async () => {
    const server = async (_url: unknown, init?: RequestInit) =>
      init?.method === 'GET'
        ? new Response('', { headers: { 'content-type': 'text/event-stream' } })
        : new Response(null, { status: 202 });
    const ask = boundFetch(server, 1_000, () => undefined, systemClock);
    await ask('http://a.example/', { method: 'GET', headers: { accept: 'text/event-stream' } });
    expect((await ask('http://a.example/', { method: 'POST', body })).status).toBe(202);
  });
});

test.each([
  ['a page', 'text/html', 405],
  ['a greeting', 'application/json; charset=utf-8', 405],
  ['a stream', 'text/event-stream; charset=utf-8', 200],
  ['something without a type', '', 200],
])('%s where a stream should be is told from one', async (_what, type, status) => {
  const answer = async () =>
    new Response(new Blob(['x'], { type }), { headers: type === '' ? {} : { 'content-type': type } });
  const stream = { method: 'GET', headers: { accept: 'text/event-stream' } };
  const ask = boundFetch(answer, 100, () => undefined, systemClock);
  expect((await ask('http://a.example/', stream)).status).toBe(status);
  expect(
    (await ask('http://a.example/', { method: 'GET', headers: { accept: 'application/json' } })).status,
  ).toBe(200);
});

test('a stream that was taken up again begins with the event that it goes on from', async () => {
  const answer = async () =>
    new Response('data: a\n\n', { headers: { 'content-type': 'text/event-stream' } });
  const headers = { 'last-event-id': 'e1' };
  const response = await boundFetch(
    answer,
    100,
    () => undefined,
    systemClock,
  )('http://a.example/', { headers });
  expect(await response.text()).toBe('id: e1\ndata: \n\ndata: a\n\n');
});

describe('a stream that stays open behind its answer', () => {
  const opened = async () => {
    const clock = createFakeClock();
    let source: ReadableStreamDefaultController<Uint8Array> | undefined;
    let isLeft = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        source = controller;
      },
      cancel: () => {
        isLeft = true;
      },
    });
    const answer = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const ask = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call' }) };
    const response = await boundFetch(answer, 1_000, () => undefined, clock)('http://a.example/', ask);
    const text = response.text();
    const say = async (message: object): Promise<void> => {
      source?.enqueue(
        new TextEncoder().encode(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`),
      );
      await new Promise((resolve) => setImmediate(resolve));
    };
    return { clock, say, text, isLeft: () => isLeft, end: () => source?.close() };
  };

  test('is left a little later, and what it said until then is there', async () => {
    const { clock, say, text, isLeft } = await opened();
    await say({ method: 'notifications/message', params: {} });
    await clock.advance(60_000);
    await say({ id: 8, result: {} });
    await clock.advance(60_000);
    expect(isLeft()).toBe(false);
    await say({ id: 7, result: {} });
    await say({ method: 'notifications/message', params: { late: true } });
    expect(isLeft()).toBe(false);
    await clock.advance(1_000);
    expect(await text).toContain('late');
    await expect.poll(isLeft).toBe(true);
  });

  test('and ends in time ends by itself', async () => {
    const { clock, say, text, isLeft, end } = await opened();
    await say({ id: 7, result: {} });
    end();
    expect(await text).toContain('"id":7');
    await clock.advance(10_000);
    expect(isLeft()).toBe(false);
  });
});
