import { expect, test } from 'vitest';
import { isCancelled, isOwnCancellation, throwIfCancelled } from './cancellation.ts';

const reason = new Error('the user went away');
const cancelled = { context: undefined, signal: AbortSignal.abort(reason) };
const running = { context: undefined, signal: new AbortController().signal };

test('a call that says itself whether it is cancelled is not asked for a signal', () => {
  const call = {
    context: undefined,
    cancelled: false,
    get signal(): never {
      throw new Error('was read');
    },
  };
  expect(isCancelled(call)).toBe(false);
});

test('a cancelled call throws the reason of its signal', () => {
  expect(() => throwIfCancelled(cancelled)).toThrow(reason);
  expect(() => throwIfCancelled(running)).not.toThrow();
});

test('only the reason of this very call is its cancellation', () => {
  const aborted = Object.assign(new Error('aborted', { cause: reason }), { name: 'AbortError' });
  expect(isOwnCancellation(cancelled, reason)).toBe(true);
  expect(isOwnCancellation(cancelled, aborted)).toBe(true);
  expect(isOwnCancellation(running, reason)).toBe(false);
  expect(isOwnCancellation(cancelled, new DOMException('x', 'AbortError'))).toBe(false);
  expect(isOwnCancellation(cancelled, new Error('x', { cause: reason }))).toBe(false);
  expect(isOwnCancellation(cancelled, undefined)).toBe(false);
});

test('an error that cannot be read is no cancellation', () => {
  const hostile = Object.defineProperty(new Error('x'), 'name', {
    get: () => {
      throw new Error('trap');
    },
  });
  expect(isOwnCancellation(cancelled, hostile)).toBe(false);
});
