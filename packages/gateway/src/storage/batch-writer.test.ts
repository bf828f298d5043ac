import { createFakeClock } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { createBatchWriter } from './batch-writer.ts';

test('items are written in order, in batches, without anybody waiting', async () => {
  const clock = createFakeClock();
  const batches: (readonly number[])[] = [];
  const writer = createBatchWriter<number>({
    clock,
    batch: 3,
    delayMs: 50,
    write: async (items) => void batches.push(items),
    onError: () => undefined,
  });
  for (let item = 0; item < 7; item++) writer.add(item);
  expect(batches).toEqual([]);
  await clock.advance(50);
  await writer.flush();
  expect(batches).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  await writer.close();
  expect(clock.pending).toBe(0);
  expect(writer.dropped).toBe(0);
});

test('what is too much is counted and dropped, newest first, while storage stands still', async () => {
  const clock = createFakeClock();
  let goOn: () => void = () => undefined;
  const written: number[] = [];
  const writer = createBatchWriter<number>({
    clock,
    maxWaiting: 5,
    batch: 2,
    write: async (items) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      written.push(...items);
    },
    onError: () => undefined,
  });
  for (let item = 0; item < 9; item++) writer.add(item);
  expect(writer.dropped).toBe(4);
  const flushed = writer.flush();
  while (written.length < 5) {
    goOn();
    await clock.advance(0);
  }
  await flushed;
  expect(written).toEqual([0, 1, 2, 3, 4]);
  writer.add(9);
  expect(writer.dropped).toBe(4);
  const closing = writer.close();
  while (written.length < 6) {
    goOn();
    await clock.advance(0);
  }
  await closing;
  writer.add(10);
  expect(writer.dropped).toBe(5);
});

test('what takes too much is counted and dropped, and what is smaller still fits', async () => {
  const written: string[] = [];
  const writer = createBatchWriter<string>({
    clock: createFakeClock(),
    batch: 1,
    sizeOf: (text) => text.length,
    maxSize: 10,
    write: async (items) => void written.push(...items),
    onError: () => undefined,
  });
  for (const text of ['1234567', '1234', '123', '1']) writer.add(text);
  expect(writer.dropped).toBe(2);
  await writer.flush();
  writer.add('1234567890');
  writer.add('12345678901');
  await writer.close();
  expect(written).toEqual(['1234567', '123', '1234567890']);
  expect(writer.dropped).toBe(3);
});

test('a batch that fails is tried again, and given up after three times', async () => {
  const clock = createFakeClock();
  const errors: unknown[] = [];
  const tried: (readonly string[])[] = [];
  let broken = true;
  const writer = createBatchWriter<string>({
    clock,
    batch: 2,
    delayMs: 10,
    write: async (items) => {
      tried.push(items);
      if (broken || items.includes('poison')) throw new Error('no');
    },
    onError: (error) => errors.push(error),
  });
  writer.add('a');
  await clock.advance(10);
  expect(errors).toHaveLength(1);
  broken = false;
  await clock.advance(10);
  expect(tried).toEqual([['a'], ['a']]);
  for (const item of ['poison', 'b', 'c']) writer.add(item);
  await writer.flush();
  expect(tried.slice(2)).toEqual([['poison', 'b'], ['poison', 'b'], ['poison', 'b'], ['c']]);
  expect(writer.dropped).toBe(2);
  expect(errors).toHaveLength(4);
  await writer.close();
});

test('items are kept while storage is away, and given up by who closes', async () => {
  const clock = createFakeClock();
  const written: number[] = [];
  let away = true;
  const writer = createBatchWriter<number>({
    clock,
    batch: 2,
    delayMs: 10,
    write: async (items) => {
      if (away) throw new Error('away');
      written.push(...items);
    },
    passes: (error) => error instanceof Error && error.message === 'away',
    onError: () => undefined,
  });
  for (let item = 0; item < 5; item++) writer.add(item);
  await clock.advance(1_000);
  expect(writer.dropped).toBe(0);
  away = false;
  await writer.flush();
  expect(written).toEqual([0, 1, 2, 3, 4]);
  away = true;
  writer.add(5);
  await writer.close();
  expect(writer.dropped).toBe(1);
});

test('several flushes at once write everything once', async () => {
  const written: number[] = [];
  const writer = createBatchWriter<number>({
    clock: createFakeClock(),
    batch: 1,
    write: async (items) => void written.push(...items),
    onError: () => undefined,
  });
  for (let item = 0; item < 4; item++) writer.add(item);
  await Promise.all([writer.flush(), writer.flush(), writer.close()]);
  expect(written).toEqual([0, 1, 2, 3]);
});

test('a whole batch does not wait, and a part of one waits for others again', async () => {
  const clock = createFakeClock();
  const batches: (readonly number[])[] = [];
  const writer = createBatchWriter<number>({
    clock,
    batch: 3,
    delayMs: 50,
    write: async (items) => {
      if (batches.push(items) === 1) writer.add(5);
    },
    onError: () => undefined,
  });
  for (let item = 0; item < 5; item++) writer.add(item);
  while (batches.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toEqual([
    [0, 1, 2],
    [3, 4, 5],
  ]);
  writer.add(6);
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(batches).toHaveLength(2);
  await clock.advance(50);
  expect(batches[2]).toEqual([6]);
  await writer.close();
});

test('what somebody else wrote is not written again, and is not dropped', async () => {
  const clock = createFakeClock();
  const written: number[] = [];
  let during: readonly number[] | undefined;
  const writer = createBatchWriter<number>({
    clock,
    batch: 4,
    sizeOf: () => 1,
    maxSize: 4,
    write: async (items) => {
      during = writer.first();
      written.push(...items);
    },
    onError: () => undefined,
  });
  for (let item = 0; item < 3; item++) writer.add(item);
  expect(writer.first()).toEqual([0, 1, 2]);
  writer.written(2);
  expect(clock.pending).toBe(1);
  writer.written(1);
  expect(clock.pending).toBe(0);
  for (let item = 3; item < 7; item++) writer.add(item);
  await writer.close();
  expect(during).toEqual([]);
  expect(written).toEqual([3, 4, 5, 6]);
  expect(writer.dropped).toBe(0);
});
