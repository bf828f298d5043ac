import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createClientStream } from './client-stream.ts';
import { createTurnWrites } from './turn-writes.ts';

/** A response that takes as much as a test says, and time that a test moves. */
function setUp() {
  const timers = new Map<number, { readonly at: number; readonly callback: () => void }>();
  let now = 0;
  let takes = true;
  let id = 0;
  const written: string[] = [];
  const emitter = new EventEmitter();
  const response = Object.assign(emitter, {
    destroyed: false,
    socket: { writableCorked: 1 } as object | null,
    writeHead: () => undefined,
    flushHeaders: () => undefined,
    write: (piece: string | Uint8Array) => {
      written.push(piece.toString());
      return takes;
    },
    end: () => {
      if (takes) emitter.emit('close');
    },
    destroy: () => {
      response.destroyed = true;
      emitter.emit('close');
    },
  });
  const clock = {
    now: () => now,
    setTimer: (callback: () => void, delayMs: number) => {
      id += 1;
      timers.set(id, { at: now + delayMs, callback });
      return id;
    },
    clearTimer: (handle: unknown) => void timers.delete(handle as number),
  };
  const stream = createClientStream(response as unknown as ServerResponse, {
    clock,
    turns: createTurnWrites(),
    head: () => ({}),
    keepAliveMs: 10,
    stuckMs: 35,
  });
  return {
    stream,
    written,
    response,
    timers,
    take: (more: boolean) => {
      takes = more;
      if (more) emitter.emit('drain');
    },
    pass: (ms: number) => {
      for (const end = now + ms; now < end; ) {
        now += 1;
        for (const [handle, { at, callback }] of [...timers]) {
          if (at > now) continue;
          timers.delete(handle);
          callback();
        }
      }
    },
  };
}

test('a stream that says nothing for long is kept alive, and one that speaks is not', () => {
  const { pass, stream, written } = setUp();
  stream.start();
  pass(9);
  stream.write('data: a\n\n');
  pass(9);
  expect(written).toEqual(['data: a\n\n']);
  pass(2);
  expect(written).toEqual(['data: a\n\n', ': keep-alive\n\n']);
});

test('a stream that has not begun is kept alive from when it is asked to be', () => {
  const { pass, stream, written } = setUp();
  pass(100);
  expect(written).toEqual([]);
  stream.keepAlive();
  pass(11);
  expect(stream.started).toBe(true);
  expect(written).toEqual([': keep-alive\n\n']);
  stream.keepAlive();
  pass(10);
  expect(written).toHaveLength(2);
});

test('a client that takes nothing gets no comments, and is cut off in the end', () => {
  const { pass, response, stream, take, timers, written } = setUp();
  take(false);
  stream.write('data: a\n\n');
  expect(stream.full).toBe(true);
  pass(34);
  expect([written.length, response.destroyed]).toEqual([1, false]);
  pass(2);
  expect([response.destroyed, stream.ended, timers.size]).toEqual([true, true, 0]);
});

test('a client that takes more again is not cut off', () => {
  const { pass, response, stream, take } = setUp();
  let drained = 0;
  stream.onDrain(() => {
    drained += 1;
  });
  take(false);
  stream.write('data: a\n\n');
  pass(20);
  take(true);
  pass(100);
  expect([drained, stream.full, response.destroyed]).toEqual([1, false, false]);
});

test('nothing is written behind the end, and no timer stays', () => {
  const { stream, timers, written } = setUp();
  stream.write('data: a\n\n');
  stream.end();
  stream.write('data: b\n\n');
  expect([written, timers.size]).toEqual([['data: a\n\n'], 0]);
});

test('a client that does not take the end is cut off, too', () => {
  const { pass, response, stream, take, timers } = setUp();
  stream.write('data: a\n\n');
  take(false);
  stream.end();
  pass(34);
  expect(response.destroyed).toBe(false);
  pass(20);
  expect([response.destroyed, timers.size]).toEqual([true, 0]);
});

test('a client that is slow about the end has its time from when it last took something', () => {
  const { pass, response, stream, take } = setUp();
  stream.onDrain(() => undefined);
  take(false);
  stream.write('data: a\n\n');
  stream.end();
  pass(30);
  response.emit('drain');
  pass(30);
  expect(response.destroyed).toBe(false);
  pass(20);
  expect(response.destroyed).toBe(true);
});

test('a stream that waits for another answer on its connection waits as long as that takes', () => {
  const { pass, response, stream, take } = setUp();
  const { socket } = response;
  response.socket = null;
  take(false);
  stream.write('data: a\n\n');
  stream.end();
  pass(500);
  expect(response.destroyed).toBe(false);
  response.socket = socket;
  pass(50);
  expect(response.destroyed).toBe(true);
});
