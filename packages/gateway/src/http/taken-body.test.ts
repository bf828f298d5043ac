import type { ServerResponse } from 'node:http';
import { createFakeClock } from '@toolgate/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectPaused, type PausedClient } from '../../test-support/paused-client.ts';
import { takenBody } from './taken-body.ts';

const STUCK_MS = 1_000;

let client: PausedClient['socket'];
let ask: PausedClient['ask'];
let close: PausedClient['close'];

beforeEach(async () => {
  ({ socket: client, ask, close } = await connectPaused());
});

afterEach(() => close());

/** More than the system takes for a client that reads nothing. */
const LARGE = 'a€🙂'.repeat(4 * 1024 * 1024);

async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'line\n'.repeat(1_000);
}

/** Writes a body to a client that has not read anything yet. */
async function write(body: string | AsyncIterable<string>, clock = createFakeClock()) {
  const response = await ask();
  response.setHeader('connection', 'close');
  takenBody(response, body, { clock, stuckMs: STUCK_MS }).pipe(response);
  return { clock, response };
}

/** Waits until nothing more is taken. */
async function untilFull({ response }: { readonly response: ServerResponse }): Promise<void> {
  for (let before = -1, same = 0; same < 20; ) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const written = response.socket?.bytesWritten ?? 0;
    same = written === before && written > 0 ? same + 1 : 0;
    before = written;
  }
}

test.each([
  ['a long text', LARGE],
  ['a body without an end', endless()],
])('a client that takes nothing of %s is cut off, and not before its time', async (_what, body) => {
  const written = await write(body);
  await untilFull(written);
  await written.clock.advance(STUCK_MS - 1);
  expect(written.response.destroyed).toBe(false);
  const closed = new Promise((resolve) => written.response.once('close', resolve));
  await written.clock.advance(STUCK_MS);
  await closed;
  expect([written.response.destroyed, written.clock.pending]).toEqual([true, 0]);
});

test('a client that is slow gets all of it, however long it takes', async () => {
  const { clock, response } = await write(LARGE);
  const from = clock.now();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let due = 0;
  client.on('data', (piece: Buffer) => {
    pieces.push(piece);
    bytes += piece.byteLength;
    // More than the system keeps, so that some of it was taken from us since.
    if (bytes < due) return;
    due = bytes + 10_000_000;
    client.pause();
    void clock.advance(STUCK_MS - 1).then(() => client.resume());
  });
  await new Promise((resolve) => client.resume().once('close', resolve));
  expect(clock.now() - from).toBeGreaterThan(2 * STUCK_MS);
  const text = Buffer.concat(pieces).toString();
  expect(text.match(/€/gu)).toHaveLength(4 * 1024 * 1024);
  expect(text).not.toContain('\u{fffd}');
  expect([response.writableFinished, clock.pending]).toEqual([true, 0]);
});
