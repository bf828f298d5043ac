import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { systemClock } from '@toolgate/core';
import { codecOf } from '@toolgate/model';
import { expect, it } from 'vitest';
import { refuse } from '../http/refusal.ts';
import { createTurnWrites } from '../http/turn-writes.ts';
import { type ClientAnswer, createClientAnswer } from './client-answer.ts';

/** Lets one request come, answers it, and gives what the client read of that. */
async function answered(
  act: (answer: ClientAnswer, response: ServerResponse, client: Socket, server: Server) => void,
  status = 503,
): Promise<string> {
  const faults: unknown[] = [];
  const sent: number[] = [];
  const server = createServer((_request, response) => {
    response.on('error', (error) => faults.push(error));
    const answer = createClientAnswer({
      response,
      codec: codecOf('openai-chat'),
      requestId: 'r1',
      stream: false,
      includeUsage: false,
      clock: systemClock,
      turns: createTurnWrites(),
      keepAliveMs: 1_000,
      stuckMs: 1_000,
      onSent: (status) => sent.push(status),
    });
    act(answer, response, socket, server);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    text += piece;
  });
  socket.write('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  await setImmediate();
  server.close();
  expect(faults).toEqual([]);
  expect(sent).toEqual([status]);
  return text;
}

it('sends an answer once, head and body together', async () => {
  const text = await answered((answer) => {
    answer.refuse(refuse('draining'));
    answer.refuse(refuse('overloaded'));
  });
  expect(text).toMatch(/^HTTP\/1\.1 503 /);
  expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(text).toContain('"code":"draining"');
});

it('sends nothing to a client that went away before its answer was written', async () => {
  const text = await answered((answer, response) => {
    answer.refuse(refuse('draining'));
    response.destroy();
  });
  expect(text).toBe('');
});

it('sends a long answer whole to a slow client, although idle connections are closed meanwhile', async () => {
  const body = Buffer.alloc(16 * 1024 * 1024, 'a');
  const text = await answered((answer, _response, client, server) => {
    client.pause();
    const writer = answer.open(true, []);
    writer.emit({ events: [], raw: [body] });
    writer.end();
    void setImmediate().then(() => {
      server.closeIdleConnections();
      client.resume();
    });
  }, 200);
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toHaveLength(body.byteLength);
});
