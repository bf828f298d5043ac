import { expect, test } from 'vitest';
import { boundedBody } from './bounded-body.ts';

/** A response whose body is written by hand. */
function source() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
    cancel: () => {
      cancelled = true;
    },
  });
  return {
    response: new Response(body, { status: 201, headers: { 'content-type': 'text/event-stream' } }),
    write: (text: string) => controller?.enqueue(Buffer.from(text)),
    close: () => controller?.close(),
    fail: () => controller?.error(new Error('x')),
    isCancelled: () => cancelled,
  };
}

/** Lets promise reactions and stream steps run to their end. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a body that is read goes through as it is', async () => {
  const ends: boolean[] = [];
  const { response, write, close } = source();
  const bounded = boundedBody(response, { maxWaitingBytes: 10, onEnd: (complete) => ends.push(complete) });
  write('one');
  write('two');
  close();
  expect(await bounded.text()).toBe('onetwo');
  expect([bounded.status, bounded.headers.get('content-type'), ends]).toEqual([
    201,
    'text/event-stream',
    [true],
  ]);
});

test('a reader that takes nothing loses the stream, and its source is told', async () => {
  const ends: boolean[] = [];
  const { response, write, isCancelled } = source();
  const bounded = boundedBody(response, { maxWaitingBytes: 4, onEnd: (complete) => ends.push(complete) });
  write('12345');
  await settle();
  expect(ends).toEqual([]);
  write('6');
  await settle();
  expect([ends, isCancelled()]).toEqual([[false], true]);
  await expect(bounded.text()).rejects.toThrow('too slowly');
});

test('a reader that goes away is told once', async () => {
  const ends: boolean[] = [];
  const { response, write, isCancelled } = source();
  const bounded = boundedBody(response, { maxWaitingBytes: 100, onEnd: (complete) => ends.push(complete) });
  write('1');
  await bounded.body?.cancel();
  await settle();
  expect([ends, isCancelled()]).toEqual([[false], true]);
});

test('a source that fails is an incomplete body', async () => {
  const ends: boolean[] = [];
  const { response, fail } = source();
  const bounded = boundedBody(response, { maxWaitingBytes: 100, onEnd: (complete) => ends.push(complete) });
  fail();
  await expect(bounded.text()).rejects.toThrow();
  expect(ends).toEqual([false]);
});

test('a response without a body ends at once', () => {
  const ends: boolean[] = [];
  boundedBody(new Response(null, { status: 202 }), {
    maxWaitingBytes: 1,
    onEnd: (complete) => ends.push(complete),
  });
  expect(ends).toEqual([true]);
});
