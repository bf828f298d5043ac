import { createFakeClock } from '@toolgate/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStandstill } from './standstill.ts';
import { withinTime } from './within-time.ts';

const change = fc.record({
  afterMs: fc.integer({ min: 0, max: 50 }),
  call: fc.nat({ max: 2 }),
  does: fc.constantFrom('asks', 'hears', 'ends'),
});

test('the time of a run is over when it has passed while nobody was asked, whoever asks and ends in which order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 12 }),
      fc.integer({ min: 1, max: 200 }),
      async (changes, ms) => {
        const clock = createFakeClock();
        const standstill = createStandstill(clock);
        const questions = [standstill.question(), standstill.question(), standstill.question()];
        const asked = new Set<number>();
        const ended = new Set<number>();
        let worked = 0;
        let stood = 0;
        let signal: AbortSignal | undefined;
        let finish = (): void => undefined;
        const work = withinTime(ms, clock, standstill, async (given) => {
          signal = given;
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
        });
        for (const { afterMs, call, does } of changes) {
          for (let passed = 0; passed < afterMs; passed += 1) {
            await clock.advance(1);
            if (asked.size > 0) stood += 1;
            else worked += 1;
            expect([signal?.aborted, standstill.totalMs()]).toEqual([worked >= ms, stood]);
          }
          if (does === 'ends') questions[call]?.end();
          else questions[call]?.asking(does === 'asks');
          if (does === 'asks' && !ended.has(call)) asked.add(call);
          else asked.delete(call);
          if (does === 'ends') ended.add(call);
          expect(standstill.still).toBe(asked.size > 0);
        }
        finish();
        await work;
        expect(clock.pending).toBe(0);
      },
    ),
    { numRuns: 50 },
  );
});
