import { createFakeClock } from '@toolgate/testing';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createMetrics } from '../observe/metrics.ts';
import { registerOperationsRoutes } from './operations-routes.ts';

const sources = {
  dropped: () => ({ calls: 0, traffic: 0 }),
  generation: () => 1,
  servers: () => [],
  pendingApprovals: () => 0,
};

async function serve(ping: () => Promise<boolean>) {
  const clock = createFakeClock();
  const app = Fastify();
  const metrics = createMetrics(sources, { process: false });
  await registerOperationsRoutes(app, { clock, metrics, draining: () => false, ping, stuckMs: 60_000 });
  return { app, clock };
}

test('whether it can serve is told in time, although storage says nothing, and storage is asked once for all', async () => {
  let asked = 0;
  let answer: (answers: boolean) => void = () => undefined;
  const { app, clock } = await serve(() => {
    asked += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  const probe = async (): Promise<number> => (await app.inject('/readyz')).statusCode;
  const probes = Promise.all(Array.from({ length: 50 }, probe));
  while (clock.pending < 50) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(2_000);
  expect(new Set(await probes)).toEqual(new Set([503]));
  expect(asked).toBe(1);
  const next = probe();
  while (clock.pending < 1) await new Promise((resolve) => setImmediate(resolve));
  answer(true);
  expect(await next).toBe(200);
  expect([asked, clock.pending]).toEqual([1, 0]);
});

test('a fault of storage is a no, and asks anew the next time', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve(true)];
  const { app } = await serve(() => answers.shift() ?? Promise.resolve(false));
  expect((await app.inject('/readyz')).json()).toEqual({
    status: 'not-ready',
    storage: false,
    draining: false,
  });
  expect((await app.inject('/readyz')).statusCode).toBe(200);
});

test.each(['/healthz', '/readyz', '/metrics'])('%s is kept by no cache', async (address) => {
  const { app } = await serve(() => Promise.resolve(true));
  expect((await app.inject(address)).headers['cache-control']).toBe('no-store');
});
