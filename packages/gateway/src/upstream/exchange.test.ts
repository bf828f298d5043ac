import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { startExchange } from './exchange.ts';

const CLOCK = { now: () => 0, setTimer: () => undefined, clearTimer: () => undefined };
const TIMEOUTS = { firstByteMs: 1_000, idleMs: 1_000, totalMs: 1_000 };

test('what came with the head of an answer is not kept while the rest of it comes', () => {
  const controller: Partial<Dispatcher.DispatchController> = {};
  const heads: [number, IncomingHttpHeaders][] = [];
  const dispatch = (_request: unknown, handler: Dispatcher.DispatchHandler): boolean => {
    const given = controller as Dispatcher.DispatchController;
    handler.onRequestStart?.(given, {});
    // Views of the first bytes that were read, however many these are.
    given.rawHeaders = [Buffer.from('content-type'), Buffer.from('text/event-stream')];
    handler.onResponseStart?.(given, 200, { 'content-type': 'text/event-stream' });
    return true;
  };
  startExchange(
    {
      dispatcher: { dispatch } as unknown as Dispatcher,
      request: { method: 'POST', path: '/' },
      timeouts: TIMEOUTS,
      clock: CLOCK,
    },
    {
      head: (status, headers) => heads.push([status, headers]),
      data: () => undefined,
      end: () => undefined,
      fail: () => undefined,
    },
  );
  expect(heads).toEqual([[200, { 'content-type': 'text/event-stream' }]]);
  expect(controller.rawHeaders).toBeNull();
});
