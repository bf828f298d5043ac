import { expect, test } from 'vitest';
import { withContext } from './with-context.ts';

test('everything but the context is that of the call', () => {
  const controller = new AbortController();
  const progress = () => undefined;
  const call = {
    context: 'outer',
    signal: controller.signal,
    callId: 'c',
    idempotencyKey: 'k',
    progress,
    cancelled: false,
  };
  const inner = withContext(call, 7);
  expect([inner.context, inner.callId, inner.idempotencyKey, inner.cancelled]).toEqual([7, 'c', 'k', false]);
  expect(inner.signal).toBe(controller.signal);
  expect(inner.progress).toBe(progress);
});

test('a signal that nobody reads is not made', () => {
  const call = {
    context: 1,
    cancelled: true,
    get signal(): never {
      throw new Error('was read');
    },
  };
  expect(withContext(call, 2).cancelled).toBe(true);
});
