import type { Transport } from '@modelcontextprotocol/client';
import { createFakeClock } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { mountMcp } from './mount-mcp.ts';

const mounting = (open: () => Transport | Promise<Transport>, more: object = {}) =>
  mountMcp({ name: 'server', lock: 'off', transport: { kind: 'custom', open }, ...more });

test.each<[string, () => Promise<Transport>]>([
  [
    'throws',
    () => {
      throw new Error('no address');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no address'))],
])('a transport whose making %s is a server that cannot be reached', async (_how, open) => {
  await expect(mounting(open)).rejects.toMatchObject({
    code: 'mcp/unavailable',
    message: 'The server server could not be started or reached.',
    cause: { message: 'no address' },
  });
});

test('a transport that does not come is given up in time, and closed when it comes after all', async () => {
  const clock = createFakeClock();
  let come: (transport: Transport) => void = () => undefined;
  const open = (): Promise<Transport> => new Promise((resolve) => (come = resolve));
  const mounted = mounting(open, { clock, limits: { connectTimeoutMs: 1_000 } }).catch((error) => error);
  await clock.advance(1_000);
  expect(await mounted).toMatchObject({ code: 'mcp/unavailable' });
  let closed = 0;
  come({
    start: async () => undefined,
    send: async () => undefined,
    close: async () => {
      closed += 1;
    },
  });
  await clock.advance(0);
  expect([closed, clock.pending]).toEqual([1, 0]);
});

test('a transport that does not come keeps no mounting from being given up', async () => {
  const controller = new AbortController();
  const open = (): Promise<Transport> => new Promise(() => undefined);
  const mounted = mounting(open, { signal: controller.signal });
  await Promise.resolve();
  controller.abort(new Error('not wanted'));
  await expect(mounted).rejects.toThrow('not wanted');
});
