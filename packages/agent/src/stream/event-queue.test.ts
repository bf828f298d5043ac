import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEventQueue } from './event-queue.ts';

test('what was pushed comes out in order, and then nothing', async () => {
  const queue = createEventQueue<number>();
  for (const value of [1, 2, 3]) expect(queue.push(value)).toBeUndefined();
  queue.end();
  expect([await queue.next(), await queue.next(), await queue.next(), await queue.next()]).toEqual([
    1,
    2,
    3,
    undefined,
  ]);
});

test('who pushes into a full queue waits until there is room', async () => {
  const queue = createEventQueue<number>(2);
  void queue.push(1);
  let resumed = false;
  const full = queue.push(2)?.then(() => {
    resumed = true;
  });
  await Promise.resolve();
  expect(resumed).toBe(false);
  await queue.next();
  await full;
  expect(resumed).toBe(true);
});

test.each(['end', 'abandon'] as const)(
  '%s lets everybody go who waits, and takes nothing more',
  async (way) => {
    const queue = createEventQueue<number>(1);
    const waiting = queue.push(1);
    queue[way]();
    await waiting;
    void queue.push(2);
    queue.offer(3);
    expect(await queue.next()).toBe(way === 'end' ? 1 : undefined);
    expect(await queue.next()).toBeUndefined();
  },
);

test('an offer into a full queue is dropped', async () => {
  const queue = createEventQueue<number>(2);
  queue.offer(1);
  queue.offer(2);
  queue.offer(3);
  queue.end();
  expect([await queue.next(), await queue.next(), await queue.next()]).toEqual([1, 2, undefined]);
});

test('no pushed event is lost or doubled, whatever the turns of pushing and taking', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { maxLength: 200 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, room) => {
        const queue = createEventQueue<number>(room);
        const taken: Promise<number | undefined>[] = [];
        let pushed = 0;
        for (const push of steps) {
          if (push) void queue.push(pushed++);
          else {
            // One call at a time.
            await Promise.race([taken.at(-1), Promise.resolve()]);
            if (taken.length <= pushed) taken.push(queue.next());
            if (taken.length > pushed) void queue.push(pushed++);
          }
        }
        queue.end();
        const all: (number | undefined)[] = await Promise.all(taken);
        for (let event = await queue.next(); event !== undefined; event = await queue.next()) all.push(event);
        expect(all).toEqual(Array.from({ length: pushed }, (_, at) => at));
      },
    ),
  );
});
