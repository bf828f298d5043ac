import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { withGateway } from '../../test-support/gateway-fixture.ts';

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('a gateway that is stopped does not wait for connections over which nothing came', async () => {
  await withGateway({ providers: {} }, async ({ gateway, url }) => {
    const silent = await open(url);
    // It was taken by the time that another one is answered.
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const closed = once(silent, 'close');
    await gateway.close(3_600_000);
    await closed;
  });
});

test('a request of which a part came has its time', async () => {
  await withGateway({ providers: {} }, async ({ gateway, url }) => {
    const socket = await open(url);
    socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const closing = gateway.close(3_600_000);
    const answer = once(socket, 'data');
    socket.write('\r\n');
    expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 503 /);
    await closing;
  });
});
