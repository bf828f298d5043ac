import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createQueueWatch } from './queued-responses.ts';

/** Sends three requests at once, and tells how often each of their responses was closed. */
async function closings(act: (responses: readonly ServerResponse[]) => void): Promise<readonly number[]> {
  const watch = createQueueWatch();
  const responses: ServerResponse[] = [];
  const closed = [0, 0, 0];
  const server = createServer((request, response) => {
    watch(response, request.socket);
    const index = responses.push(response) - 1;
    response.on('close', () => {
      closed[index] = (closed[index] ?? 0) + 1;
    });
    if (responses.length < 3) return;
    act(responses);
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').resume();
  const gone = new Promise((resolve) => server.once('connection', (each) => each.once('close', resolve)));
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n'.repeat(3));
  await gone;
  server.close();
  await expect.poll(() => closed.every((count) => count > 0)).toBe(true);
  expect(responses.every(({ destroyed }) => destroyed)).toBe(true);
  return closed;
}

test('every response of a connection that closes is closed, also those behind another one', async () => {
  expect(await closings(([first]) => first?.destroy())).toEqual([1, 1, 1]);
});

test('a response is closed once, whether it went out or not', async () => {
  const act = ([first, second, third]: readonly ServerResponse[]): void => {
    third?.end('c');
    first?.end('a', () => setImmediate(() => second?.destroy()));
  };
  expect(await closings(act)).toEqual([1, 1, 1]);
});

test('responses that go out one after the other are closed once each', async () => {
  const act = (responses: readonly ServerResponse[]): void => {
    for (const response of responses) response.end('a');
  };
  expect(await closings(act)).toEqual([1, 1, 1]);
});
