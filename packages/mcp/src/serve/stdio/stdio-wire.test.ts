import { PassThrough, Writable } from 'node:stream';
import { systemClock } from '@toolgate/core';
import { expect, test } from 'vitest';
import { StdioWire } from './stdio-wire.ts';

test('gives the pipe up no sooner than the last of several answers is written', async () => {
  const written: string[] = [];
  const input = new PassThrough();
  const output = new Writable({
    write(chunk, _encoding, done) {
      setTimeout(() => {
        written.push(String(chunk));
        done();
      }, 20);
    },
  });
  let onGone: (() => void) | undefined;
  const gone = new Promise<void>((resolve) => {
    onGone = resolve;
  });
  const wire = new StdioWire({
    input,
    output,
    maxMessageBytes: 1_000,
    maxMessageDepth: 10,
    maxOpenRequests: 10,
    drainMs: 5_000,
    clock: systemClock,
    onGone: () => onGone?.(),
  });
  wire.onmessage = (message) => {
    if ('id' in message && message.id !== undefined)
      void wire.send({ jsonrpc: '2.0', id: message.id, result: {} });
  };
  await wire.start();
  const ping = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`;
  input.end(`${ping(1)}${ping(2)}${ping(3)}no message`);
  await gone;
  expect(written.map((line) => (JSON.parse(line) as { id: unknown }).id)).toEqual([1, 2, 3, null]);
});
