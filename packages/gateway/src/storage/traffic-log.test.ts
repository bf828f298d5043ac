import { createFakeClock } from '@toolgate/testing';
import { expect, test } from 'vitest';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import { openStorage } from './open-storage.ts';
import { createTrafficLog } from './traffic-log.ts';

test('many small losses count for what may wait', async () => {
  const storage = await openStorage('sqlite::memory:');
  const log = createTrafficLog({ storage, clock: createFakeClock() });
  const loss = { code: 'dropped', path: '', severity: 'info', detail: '' } as const;
  const entry: TrafficEntry = {
    id: 'a',
    at: 1_000,
    surface: 'anthropic',
    attempts: 1,
    streamed: true,
    status: 200,
    losses: Array.from({ length: 10_000 }, () => loss),
    durationMs: 5,
    requestBytes: 10,
    responseBytes: 20,
    calls: 0,
    generation: 1,
  };
  for (let count = 0; count < 70; count++) log.record(entry);
  // A million characters each; 64 Mi may wait.
  expect(log.dropped).toBe(3);
  // Nothing of it has to be written.
  await storage.close();
  await log.close();
});

test('the candidates that failed are kept with the request', async () => {
  const storage = await openStorage('sqlite::memory:');
  const log = createTrafficLog({ storage, clock: createFakeClock() });
  const failures = [{ candidate: 'one/a', error: 'upstream_misconfigured' }];
  log.record({
    id: 'a',
    at: 1_000,
    surface: 'anthropic',
    attempts: 2,
    failures,
    streamed: true,
    status: 200,
    losses: [],
    durationMs: 5,
    requestBytes: 10,
    responseBytes: 20,
    calls: 0,
    generation: 1,
  });
  await log.flush();
  expect(await log.get('a')).toMatchObject({ failures });
  await log.close();
  await storage.close();
});
