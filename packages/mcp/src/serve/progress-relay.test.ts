import type { ServerContext } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { progressRelay } from './progress-relay.ts';

/** A client that takes each notice when the test says so. */
function slowClient(token: string | undefined) {
  const taken: unknown[] = [];
  const waiting: (() => void)[] = [];
  const mcpReq = {
    ...(token === undefined ? {} : { _meta: { progressToken: token } }),
    notify: ({ params }: { params?: unknown }) => {
      taken.push(params);
      return new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
  const context = { mcpReq } as unknown as ServerContext;
  return { context, taken, take: () => waiting.shift()?.() };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('who sends no token gets no progress', () => {
  expect(progressRelay(slowClient(undefined).context)).toBeUndefined();
});

test('one notice is on its way at a time, and of the others only the last is kept', async () => {
  const { context, taken, take } = slowClient('t');
  const relay = progressRelay(context);
  for (let progress = 1; progress <= 10_000; progress += 1) relay?.report({ progress });
  expect(taken).toEqual([{ progressToken: 't', progress: 1 }]);
  take();
  await settle();
  expect(taken).toEqual([
    { progressToken: 't', progress: 1 },
    { progressToken: 't', progress: 10_000 },
  ]);
});

test('only growing values are sent, and none after the end', async () => {
  const { context, taken, take } = slowClient('t');
  const relay = progressRelay(context);
  for (const progress of [2, 2, 1, -1]) {
    relay?.report({ progress, total: 3, message: 'x'.repeat(2_000) });
    take();
    await settle();
  }
  await relay?.finish();
  relay?.report({ progress: 3 });
  await settle();
  expect(taken).toEqual([{ progressToken: 't', progress: 2, total: 3, message: 'x'.repeat(1_000) }]);
});

test('the end waits for what is on its way', async () => {
  const { context, taken, take } = slowClient('t');
  const relay = progressRelay(context);
  relay?.report({ progress: 1 });
  relay?.report({ progress: 2 });
  let ended = false;
  const end = relay?.finish().then(() => {
    ended = true;
  });
  await settle();
  expect(ended).toBe(false);
  take();
  await settle();
  take();
  await end;
  expect(taken).toHaveLength(2);
});
