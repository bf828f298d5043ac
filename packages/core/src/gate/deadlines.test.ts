import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { type Clock, systemClock } from './clock.ts';
import { Deadlines } from './deadlines.ts';

/** A fake clock that counts what is asked of it. */
function countingClock() {
  const fake = createFakeClock();
  const counts = { set: 0, cleared: 0 };
  const holds: boolean[] = [];
  const clock: Clock = {
    now: () => -1,
    elapsed: fake.now,
    setTimer: (callback, delayMs) => {
      counts.set += 1;
      return fake.setTimer(callback, delayMs);
    },
    clearTimer: (handle) => {
      counts.cleared += 1;
      fake.clearTimer(handle);
    },
    holdTimer: (_handle, hold) => holds.push(hold),
  };
  return { fake, clock, counts, holds };
}

describe('deadlines', () => {
  test('fall due at their time, each in its own length', async () => {
    const fake = createFakeClock();
    const deadlines = new Deadlines(fake);
    const due: [string, number][] = [];
    const start = (name: string, ms: number): void => {
      deadlines.start(
        deadlines.lane(ms),
        { onDeadline: () => due.push([name, fake.now()]) },
        deadlines.elapsed(),
      );
    };
    start('long', 600_000);
    start('short', 5);
    await fake.advance(3);
    start('short again', 5);
    await fake.advance(600_000);
    expect(due).toEqual([
      ['short', 5],
      ['short again', 8],
      ['long', 600_000],
    ]);
    expect(fake.pending).toBe(0);
  });

  test('that stop never fall due, also when they are stopped twice', async () => {
    const fake = createFakeClock();
    const deadlines = new Deadlines(fake);
    const due: string[] = [];
    const lane = deadlines.lane(10);
    const stopped = deadlines.start(lane, { onDeadline: () => due.push('stopped') }, 0);
    deadlines.start(lane, { onDeadline: () => due.push('kept') }, 0);
    deadlines.stop(stopped);
    deadlines.stop(stopped);
    await fake.advance(10);
    expect(due).toEqual(['kept']);
  });

  test('share one timer: a thousand calls one after the other set it once', () => {
    const { clock, counts } = countingClock();
    const deadlines = new Deadlines(clock);
    const lane = deadlines.lane(1_000);
    for (let index = 0; index < 1_000; index += 1) {
      deadlines.stop(deadlines.start(lane, { onDeadline: () => {} }, 0));
    }
    expect(counts).toEqual({ set: 1, cleared: 0 });
  });

  test('hold the process while one runs, and let go when none does', () => {
    const { clock, holds } = countingClock();
    const deadlines = new Deadlines(clock);
    const lane = deadlines.lane(1_000);
    const first = deadlines.start(lane, { onDeadline: () => {} }, 0);
    const second = deadlines.start(lane, { onDeadline: () => {} }, 0);
    deadlines.stop(first);
    expect(holds).toEqual([]);
    deadlines.stop(second);
    expect(holds).toEqual([false]);
    deadlines.stop(deadlines.start(lane, { onDeadline: () => {} }, 0));
    expect(holds).toEqual([false, true, false]);
  });

  test('leave no timer behind after rest, unless one runs', () => {
    const { clock, fake } = countingClock();
    const deadlines = new Deadlines(clock);
    const deadline = deadlines.start(deadlines.lane(1_000), { onDeadline: () => {} }, 0);
    deadlines.rest();
    expect(fake.pending).toBe(1);
    deadlines.stop(deadline);
    deadlines.rest();
    deadlines.rest();
    expect(fake.pending).toBe(0);
  });

  test('longer than a platform timer can be are split, not fired at once', async () => {
    const fake = createFakeClock();
    const deadlines = new Deadlines(fake);
    const due: number[] = [];
    const days = 86_400_000 * 40;
    deadlines.start(deadlines.lane(days), { onDeadline: () => due.push(fake.now()) }, 0);
    await fake.advance(days - 1);
    expect(due).toEqual([]);
    await fake.advance(1);
    expect(due).toEqual([days]);
  });

  test('are measured by the clock that is never set, not by the wall clock', async () => {
    const fake = createFakeClock();
    let wall = 0;
    const deadlines = new Deadlines({ ...fake, now: () => wall, elapsed: fake.now });
    const due: number[] = [];
    deadlines.start(deadlines.lane(100), { onDeadline: () => due.push(fake.now()) }, deadlines.elapsed());
    wall = 1_000_000_000;
    await fake.advance(99);
    expect(due).toEqual([]);
    await fake.advance(1);
    expect(due).toEqual([100]);
  });

  test('that start while others fall due are not forgotten', async () => {
    const fake = createFakeClock();
    const deadlines = new Deadlines(fake);
    const due: number[] = [];
    const again = (): void => {
      due.push(fake.now());
      if (due.length < 4) deadlines.start(deadlines.lane(due.length * 3), { onDeadline: again }, fake.now());
    };
    deadlines.start(deadlines.lane(9), { onDeadline: again }, 0);
    await fake.advance(100);
    expect(due).toEqual([9, 12, 18, 27]);
  });

  test('of lengths that come only once are forgotten, kept ones are not', async () => {
    const fake = createFakeClock();
    const deadlines = new Deadlines(fake);
    const due: number[] = [];
    const kept = deadlines.lane(7);
    for (let ms = 1; ms <= 50; ms += 1) {
      deadlines.start(deadlines.passingLane(ms), { onDeadline: () => due.push(ms) }, fake.now());
    }
    await fake.advance(100);
    expect(due).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(deadlines.lanes).toBe(1);
    deadlines.start(kept, { onDeadline: () => due.push(0) }, fake.now());
    await fake.advance(7);
    expect(due.at(-1)).toBe(0);
  });

  test('of a real clock fall due, and its timers can be held and let go', async () => {
    const deadlines = new Deadlines(systemClock);
    await new Promise<void>((resolve) => {
      const owner = { onDeadline: resolve };
      const stopped = deadlines.start(deadlines.lane(1), { onDeadline: () => {} }, deadlines.elapsed());
      deadlines.stop(stopped);
      deadlines.start(deadlines.lane(2), owner, deadlines.elapsed());
    });
    deadlines.rest();
    const handle = systemClock.setTimer(() => {}, 1_000);
    systemClock.holdTimer?.(handle, false);
    expect((handle as NodeJS.Timeout).hasRef()).toBe(false);
    systemClock.holdTimer?.(handle, true);
    expect((handle as NodeJS.Timeout).hasRef()).toBe(true);
    systemClock.clearTimer(handle);
    for (const foreign of [undefined, null, 5, {}]) {
      systemClock.holdTimer?.(foreign, true);
      systemClock.clearTimer(foreign);
    }
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
  });

  test('whatever starts and stops, each falls due once and on time, or was stopped', async () => {
    const step = fc.record({
      ms: fc.integer({ min: 1, max: 20 }),
      after: fc.nat({ max: 10 }),
      stopAt: fc.nat({ max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const fake = createFakeClock();
        const deadlines = new Deadlines(fake);
        const due: (number | undefined)[] = [];
        const expected: (number | undefined)[] = [];
        for (const [index, { ms, after, stopAt }] of steps.entries()) {
          await fake.advance(after);
          const at = fake.now();
          due[index] = undefined;
          const owner = {
            onDeadline: () => {
              due[index] = fake.now();
            },
          };
          const deadline = deadlines.start(deadlines.lane(ms), owner, at);
          fake.setTimer(() => deadlines.stop(deadline), stopAt);
          // A stop at the same instant comes second: the deadline's own timer was set before it, or earlier.
          expected[index] = stopAt < ms ? undefined : at + ms;
        }
        await fake.advance(100);
        for (const [index, { ms, stopAt }] of steps.entries()) {
          if (stopAt !== ms) expect(due[index]).toBe(expected[index]);
        }
        expect(fake.pending).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});
