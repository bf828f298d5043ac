import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from './fake-clock.ts';

describe('a fake clock', () => {
  test('stands still until it is moved', async () => {
    const clock = createFakeClock({ now: 1_000 });
    const fired: string[] = [];
    clock.setTimer(() => fired.push('a'), 5);
    expect([clock.now(), clock.pending, fired]).toEqual([1_000, 1, []]);
    await clock.advance(4);
    expect([clock.now(), clock.pending, fired]).toEqual([1_004, 1, []]);
    await clock.advance(1);
    expect([clock.now(), clock.pending, fired]).toEqual([1_005, 0, ['a']]);
  });

  test('fires by due time, then by order of setting, each at its own time', async () => {
    const clock = createFakeClock();
    const fired: [string, number][] = [];
    for (const [name, delayMs] of [
      ['late', 30],
      ['first', 10],
      ['second', 10],
      ['zero', 0],
    ] as const) {
      clock.setTimer(() => fired.push([name, clock.now()]), delayMs);
    }
    await clock.advance(100);
    expect(fired).toEqual([
      ['zero', 0],
      ['first', 10],
      ['second', 10],
      ['late', 30],
    ]);
    expect(clock.now()).toBe(100);
  });

  test('a timer that a callback or a promise reaction sets on the way counts', async () => {
    const clock = createFakeClock();
    const fired: number[] = [];
    const wait = (delayMs: number): Promise<void> =>
      new Promise((resolve) => void clock.setTimer(resolve, delayMs));
    const chain = (async () => {
      for (let step = 0; step < 3; step += 1) {
        await wait(10);
        fired.push(clock.now());
      }
    })();
    await clock.advance(30);
    await chain;
    expect(fired).toEqual([10, 20, 30]);
  });

  test('a cleared timer never fires, and clearing anything else changes nothing', async () => {
    const clock = createFakeClock();
    const other = createFakeClock();
    const fired: string[] = [];
    const cleared = clock.setTimer(() => fired.push('cleared'), 1);
    clock.setTimer(() => fired.push('kept'), 1);
    clock.clearTimer(cleared);
    for (const foreign of [cleared, other.setTimer(() => {}, 1), undefined, null, 0, {}])
      clock.clearTimer(foreign);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(fired).toEqual(['kept']);
  });

  test('advanceToNext jumps exactly one timer far and says when there is none', async () => {
    const clock = createFakeClock();
    const fired: number[] = [];
    clock.setTimer(() => fired.push(clock.now()), 2_000_000_000);
    clock.setTimer(() => fired.push(clock.now()), 7);
    expect(await clock.advanceToNext()).toBe(true);
    expect(fired).toEqual([7]);
    expect(await clock.advanceToNext()).toBe(true);
    expect(await clock.advanceToNext()).toBe(false);
    expect([clock.now(), fired]).toEqual([2_000_000_000, [7, 2_000_000_000]]);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53])(
    'refuses a timer of %d ms',
    (delayMs) => {
      const clock = createFakeClock();
      expect(() => clock.setTimer(() => {}, delayMs)).toThrow(RangeError);
      expect(clock.pending).toBe(0);
    },
  );

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to move by %d ms', async (ms) => {
    const clock = createFakeClock();
    await expect(clock.advance(ms)).rejects.toThrow(RangeError);
    expect(clock.now()).toBe(0);
  });

  test('what a callback throws comes out of advance, and later timers stay set', async () => {
    const clock = createFakeClock();
    const thrown = new Error('from the callback');
    clock.setTimer(() => {
      throw thrown;
    }, 5);
    clock.setTimer(() => {}, 6);
    await expect(clock.advance(10)).rejects.toBe(thrown);
    expect([clock.now(), clock.pending]).toEqual([5, 1]);
  });

  test('any set of delays fires in sorted order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 }), async (delays) => {
        const clock = createFakeClock();
        const fired: number[] = [];
        for (const delayMs of delays) clock.setTimer(() => fired.push(delayMs), delayMs);
        await clock.advance(50);
        expect(fired).toEqual(delays.toSorted((a, b) => a - b));
      }),
      { numRuns: 20 },
    );
  });
});
