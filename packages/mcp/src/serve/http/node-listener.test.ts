import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { type FetchHandler, nodeListener } from './node-listener.ts';

let server: Server | undefined;
afterEach(
  () =>
    new Promise<void>((resolve) => {
      if (server === undefined) resolve();
      else server.close(() => resolve());
      server?.closeAllConnections();
      server = undefined;
    }),
);

async function listen(handle: FetchHandler): Promise<{ readonly url: string; readonly port: number }> {
  const listening = createServer(nodeListener(handle));
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const address = listening.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, port };
}

test('method, address, headers and body come in, status, headers and body go out', async () => {
  const { url } = await listen(async (request) => {
    const seen = [
      request.method,
      new URL(request.url).pathname,
      request.headers.get('x-one'),
      await request.text(),
    ];
    return new Response(JSON.stringify(seen), { status: 201, headers: { 'x-two': '2' } });
  });
  const response = await fetch(`${url}path?query`, {
    method: 'POST',
    body: 'ä'.repeat(100_000),
    headers: { 'x-one': '1' },
  });
  expect([response.status, response.headers.get('x-two')]).toEqual([201, '2']);
  expect(await response.json()).toEqual(['POST', '/path', '1', 'ä'.repeat(100_000)]);
});

test('a body that is given up while it arrives ends the connection and nothing else', async () => {
  const { url, port } = await listen(async (request) => {
    if (request.method === 'GET') return new Response('alive');
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return new Response(null, { status: 413 });
  });
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n');
    const feed = (error?: Error | null): void => {
      if (error === undefined || error === null) socket.write('x'.repeat(10_000), feed);
    };
    feed();
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  expect(await (await fetch(url)).text()).toBe('alive');
});

test('a client that goes away aborts its request and cancels its answer', async () => {
  const seen: string[] = [];
  const { url } = await listen(async ({ signal }) => {
    signal.addEventListener('abort', () => seen.push('aborted'));
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('first')),
      cancel: () => void seen.push('cancelled'),
    });
    return new Response(body);
  });
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  await response.body?.getReader().read();
  controller.abort();
  await vi.waitUntil(() => seen.length === 2, { timeout: 20_000 });
  expect(seen.toSorted()).toEqual(['aborted', 'cancelled']);
});

test('a request that is complete is not aborted', async () => {
  let signal: AbortSignal | undefined;
  const { url } = await listen(async (request) => {
    signal = request.signal;
    return new Response('done');
  });
  expect(await (await fetch(url)).text()).toBe('done');
  await new Promise((resolve) => setImmediate(resolve));
  expect(signal?.aborted).toBe(false);
});

test('an answer that breaks in the middle does not look complete', async () => {
  const { url } = await listen(async () => {
    let sent = false;
    const body = new ReadableStream({
      pull: (controller) => {
        if (sent) controller.error(new Error('x'));
        else controller.enqueue(Buffer.from('half'));
        sent = true;
      },
    });
    return new Response(body);
  });
  await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
});

test('an answer is asked for no faster than it is taken', async () => {
  let pulled = 0;
  const { port } = await listen(async () => {
    const body = new ReadableStream(
      {
        pull: (controller) => {
          pulled += 1;
          controller.enqueue(new Uint8Array(100_000));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body);
  });
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await vi.waitUntil(() => pulled > 0, { timeout: 20_000 });
  let before = -1;
  while (before !== pulled) {
    before = pulled;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(pulled).toBeLessThan(500);
  socket.destroy();
});
