import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../../testing/src/clock/fake-clock.ts';
import { readBody } from './read-body.ts';

const post = (body: BodyInit | null, headers: Record<string, string> = {}) =>
  new Request('http://localhost/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);

describe('a body', () => {
  const limits = { maxBytes: 10, timeoutMs: 1_000, clock: createFakeClock() };

  test('of the allowed size is read whole', async () => {
    const read = await readBody(post('0123456789'), limits);
    expect(read.kind === 'read' && Buffer.from(read.bytes).toString()).toBe('0123456789');
    expect(limits.clock.pending).toBe(0);
  });

  test('that is not there is empty', async () => {
    expect(await readBody(post(null), limits)).toEqual({ kind: 'read', bytes: new Uint8Array() });
  });

  test('that says that it is too large is not read', async () => {
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: () => {
          pulled += 1;
        },
      },
      { highWaterMark: 0 },
    );
    expect(await readBody(post(body, { 'content-length': '11' }), limits)).toEqual({ kind: 'too-large' });
    expect(pulled).toBe(0);
  });

  test('that lies about its size is read no further than the limit', async () => {
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pieces += 1;
        controller.enqueue(new Uint8Array(4));
      },
    });
    expect(await readBody(post(body, { 'content-length': '4' }), limits)).toEqual({ kind: 'too-large' });
    expect(pieces).toBeLessThan(8);
  });

  test('that stops in the middle is given up when its time is over', async () => {
    const clock = createFakeClock();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(1)),
    });
    const read = readBody(post(body), { ...limits, clock });
    await clock.advance(1_000);
    expect(await read).toEqual({ kind: 'too-slow' });
  });

  test('that breaks is broken', async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error('x')) });
    expect(await readBody(post(body), limits)).toEqual({ kind: 'broken' });
  });
});
