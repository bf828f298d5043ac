import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import type { McpError } from '../mcp-error.ts';
import { guardTransport, watchAnswer } from './guard-transport.ts';

async function guarded(maxUnasked: number) {
  const clock = createFakeClock();
  const given: McpError[] = [];
  const passed: unknown[] = [];
  let ended: (() => void) | undefined;
  let closed = false;
  const inner: Transport = {
    start: async () => undefined,
    send: async (_message, options) => {
      ended = options?.onRequestStreamEnd;
    },
    close: async () => {
      closed = true;
    },
  };
  const outer = guardTransport(inner, {
    maxUnasked,
    windowMs: 1_000,
    clock,
    onGiveUp: (error) => given.push(error),
  });
  outer.onmessage = (message) => passed.push(message);
  await outer.start();
  const receive = (message: object): void =>
    inner.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  return { clock, given, passed, inner, outer, receive, closed: () => closed, endStream: () => ended?.() };
}

const notice = { method: 'notifications/message', params: {} };

describe('an answer that is none', () => {
  test.each<[string, object]>([
    ['a result that is a list', { result: [1] }],
    ['a result that is a text', { result: 'x' }],
    ['an error that is a text', { error: 'x' }],
    ['an error with a code that is a text', { error: { code: 'x', message: 'y' } }],
  ])(
    'such as %s fails who waits for it at once, and counts as unasked where nobody does',
    async (_, said) => {
      const { outer, receive, passed, given } = await guarded(1);
      await outer.send({ jsonrpc: '2.0', id: 1, method: 'tools/call' });
      receive({ id: 1, ...said });
      expect(passed).toMatchObject([{ id: 1, result: { content: null } }]);
      receive({ id: 1, ...said });
      receive({ id: 1, ...said });
      expect(given).toMatchObject([{ code: 'mcp/flood' }]);
    },
  );
});

describe('a server that says', () => {
  test('what it may unasked is heard', async () => {
    const { receive, passed, given } = await guarded(5);
    for (let count = 0; count < 5; count += 1) receive(notice);
    expect([passed.length, given]).toEqual([5, []]);
  });

  test('more is given up once, with a name, and not heard any more', async () => {
    const { receive, passed, given, closed } = await guarded(5);
    for (let count = 0; count < 50; count += 1) receive(notice);
    expect([passed.length, given.length, closed()]).toEqual([5, 1, true]);
    expect(given[0]).toMatchObject({ code: 'mcp/flood' });
  });

  test('much over a long time is heard', async () => {
    const { clock, receive, passed, given } = await guarded(5);
    for (let second = 0; second < 20; second += 1) {
      for (let count = 0; count < 5; count += 1) receive(notice);
      await clock.advance(1_000);
    }
    expect([passed.length, given]).toEqual([100, []]);
  });

  test('answers to what it was asked is heard, however much that is', async () => {
    const { receive, passed, outer, given } = await guarded(5);
    for (let id = 0; id < 100; id += 1) {
      await outer.send({ jsonrpc: '2.0', id, method: 'ping' });
      receive({ id, result: {} });
    }
    expect([passed.length, given]).toEqual([100, []]);
  });

  test('answers whose ids are written as texts is heard, and whoever watches is told', async () => {
    const { receive, passed, outer, given } = await guarded(5);
    const results: unknown[] = [];
    for (let id = 0; id < 20; id += 1) {
      const onresumptiontoken = watchAnswer({ onResult: (result) => results.push(result) });
      await outer.send({ jsonrpc: '2.0', id, method: 'tools/call' }, { onresumptiontoken });
      receive({ id: String(id), result: { content: [], a: id } });
    }
    expect(results.map((result) => Reflect.get(Object(result), 'a'))).toEqual([...Array(20).keys()]);
    expect(passed[7]).toMatchObject({ id: 7 });
    expect(given).toEqual([]);
    for (let count = 0; count < 6; count += 1) receive({ id: '07', result: {} });
    expect(given).toMatchObject([{ code: 'mcp/flood' }]);
  });

  test('answers to what was cancelled answers nothing any more, and nothing is kept of it', async () => {
    const { receive, outer, given } = await guarded(5);
    for (let id = 0; id < 6; id += 1) {
      await outer.send({ jsonrpc: '2.0', id, method: 'tools/call' });
      await outer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    }
    for (let id = 0; id < 6; id += 1) receive({ id, result: {} });
    expect(given).toMatchObject([{ code: 'mcp/flood' }]);
  });

  test.each([
    ['answers to nothing', { id: 1, result: {} }],
    ['errors to nothing', { id: 1, error: { code: 1, message: 'x' } }],
    ['requests', { id: 'a', method: 'ping' }],
  ])('%s without end is given up', async (_what, message) => {
    const { receive, given } = await guarded(5);
    for (let count = 0; count < 6; count += 1) receive(message);
    expect(given).toMatchObject([{ code: 'mcp/flood' }]);
  });

  test('what cannot be read without end is given up', async () => {
    const { inner, given } = await guarded(5);
    for (let count = 0; count < 6; count += 1) inner.onerror?.(new Error('x'));
    expect(given).toMatchObject([{ code: 'mcp/flood' }]);
  });
});

describe('a stream that ends', () => {
  test('without the answer is told to who watches, once', async () => {
    let lost = 0;
    const { outer, endStream } = await guarded(5);
    await outer.send(
      { jsonrpc: '2.0', id: 1, method: 'tools/call' },
      { onresumptiontoken: watchAnswer({ onLost: () => (lost += 1) }) },
    );
    endStream();
    endStream();
    expect(lost).toBe(1);
  });

  test('after the answer is told to nobody', async () => {
    let lost = 0;
    const { outer, endStream, receive } = await guarded(5);
    await outer.send(
      { jsonrpc: '2.0', id: 1, method: 'tools/call' },
      { onresumptiontoken: watchAnswer({ onLost: () => (lost += 1) }) },
    );
    receive({ id: 1, result: {} });
    endStream();
    expect(lost).toBe(0);
  });
});
