import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectPaused, type PausedClient } from '../../test-support/paused-client.ts';
import { writeWhole } from './write-whole.ts';

const STUCK_MS = 1_000;
/** More than the system takes for a client that reads nothing. */
const LARGE = Buffer.alloc(32 * 1024 * 1024, 'a');

let client: PausedClient['socket'];
let ask: PausedClient['ask'];
let close: PausedClient['close'];
let now: number;
let timers: Map<number, { readonly at: number; readonly callback: () => void }>;
let made: number;

const clock = {
  now: () => now,
  setTimer: (callback: () => void, delayMs: number) => {
    made += 1;
    timers.set(made, { at: now + delayMs, callback });
    return made;
  },
  clearTimer: (handle: unknown) => void timers.delete(handle as number),
};

function pass(ms: number): void {
  now += ms;
  for (const [handle, { at, callback }] of [...timers]) {
    if (at > now) continue;
    timers.delete(handle);
    callback();
  }
}

function answer(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-length': String(body.byteLength) });
  writeWhole(response, body, { clock, stuckMs: STUCK_MS });
}

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; !holds(); round += 1) {
    if (round > 5_000) throw new Error('It does not come about.');
    await wait(1);
  }
}

beforeEach(async () => {
  now = 0;
  made = 0;
  timers = new Map();
  ({ socket: client, ask, close } = await connectPaused());
});

afterEach(() => close());

describe('a whole answer', () => {
  test.each([0, 1, 16_384, 16_385, 262_144, 262_145, 600_000])(
    'of %d bytes arrives as it is and leaves no timer',
    async (size) => {
      const body = Buffer.from(Array.from({ length: size }, (_, index) => index % 251));
      const pieces: Buffer[] = [];
      client.on('data', (piece: Buffer) => pieces.push(piece)).resume();
      const response = await ask();
      const closed = new Promise((resolve) => response.once('close', resolve));
      answer(response, body);
      await closed;
      const read = () => Buffer.concat(pieces);
      await until(() => read().length >= size + read().indexOf('\r\n\r\n') + 4);
      expect(
        read()
          .subarray(read().indexOf('\r\n\r\n') + 4)
          .equals(body),
      ).toBe(true);
      expect(timers.size).toBe(0);
    },
  );

  test.each([1, 16_384, 60_000])(
    'of %d bytes, which the system takes at once, needs no timer',
    async (size) => {
      const response = await ask();
      answer(response, Buffer.alloc(size, 'a'));
      await until(() => response.writableFinished);
      await wait(1);
      expect(made).toBe(0);
    },
  );

  test('that its client does not take is cut off', async () => {
    const response = await ask();
    answer(response, LARGE);
    await until(() => timers.size === 1);
    pass(STUCK_MS - 1);
    expect(response.destroyed).toBe(false);
    pass(1);
    expect(response.destroyed).toBe(true);
    await until(() => timers.size === 0);
  });

  test('that its client takes slowly has its time from when it last took something, and arrives whole', async () => {
    let read = 0;
    client.on('data', (piece: Buffer) => {
      read += piece.byteLength;
      client.pause();
    });
    const response = await ask();
    answer(response, LARGE);
    await until(() => timers.size === 1);
    while (!response.writableFinished) {
      const before = read;
      while (read < before + 4 * 1024 * 1024 && read < LARGE.byteLength) {
        client.resume();
        await wait(0);
      }
      pass(STUCK_MS - 1);
      expect(response.destroyed).toBe(response.writableFinished);
    }
    await until(() => {
      client.resume();
      return read > LARGE.byteLength;
    });
    expect(timers.size).toBe(0);
  });

  test('that is small, behind others that nobody reads, is cut off, too', async () => {
    const small = Buffer.alloc(10_000, 'a');
    let response = await ask();
    for (answer(response, small); timers.size === 0; answer(response, small)) response = await ask();
    pass(STUCK_MS);
    expect(response.destroyed).toBe(true);
  });

  test('that waits for another one on its connection waits as long as that takes', async () => {
    const first = await ask('/first');
    const second = await ask('/second');
    answer(second, Buffer.from('b'));
    expect(timers.size).toBe(1);
    for (let round = 0; round < 5; round += 1) pass(STUCK_MS);
    expect(second.destroyed).toBe(false);
    answer(first, Buffer.from('a'));
    client.resume();
    await until(() => second.writableFinished && timers.size === 0);
  });

  test('whose client goes away leaves no timer', async () => {
    const response = await ask();
    answer(response, LARGE);
    await until(() => timers.size === 1);
    client.destroy();
    await until(() => timers.size === 0);
    writeWhole(response, LARGE, { clock, stuckMs: STUCK_MS });
    writeWhole(response, Buffer.from('a'), { clock, stuckMs: STUCK_MS });
    await wait(5);
    expect(timers.size).toBe(0);
  });
});
