import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { endResponse } from './end-response.ts';

/** How much a client gets that reads nothing until idle connections were closed. */
async function readSlowly(write: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_request, response) => {
    write(response);
    endResponse(response);
    void setImmediate().then(() => {
      server.closeIdleConnections();
      socket.resume();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').pause();
  let bytes = 0;
  socket.on('data', ({ byteLength }: Buffer) => {
    bytes += byteLength;
  });
  socket.write('GET / HTTP/1.0\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  server.close();
  return bytes;
}

test('a response goes out whole to a slow client, although idle connections are closed meanwhile', async () => {
  const size = 16 * 1024 * 1024;
  const bytes = await readSlowly((response) => {
    response.sendDate = false;
    response.writeHead(200);
    response.write(Buffer.alloc(size, 'a'));
  });
  expect(bytes).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'.length + size);
});

test('a response whose client takes everything ends at once', async () => {
  const bytes = await readSlowly((response) => {
    response.sendDate = false;
    response.write('a');
  });
  expect(bytes).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\na'.length);
});
