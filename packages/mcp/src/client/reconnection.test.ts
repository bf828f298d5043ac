import { expect, test } from 'vitest';
import { createFakeClock } from '../../../testing/src/clock/fake-clock.ts';
import { patientReconnection } from './reconnection.ts';

/** When a stream is taken up that ends at once each time, with what its server says of the delay. */
async function takenUp(delay: number, forMs: number): Promise<readonly number[]> {
  const clock = createFakeClock();
  const schedule = patientReconnection(clock);
  const begin = clock.now();
  const times: number[] = [];
  const again = (): void => {
    schedule(
      () => {
        times.push(clock.now() - begin);
        again();
      },
      delay,
      0,
    );
  };
  again();
  await clock.advance(forMs);
  return times;
}

test('a server that ends its streams at once and wants them back is taken up a few times in a minute', async () => {
  const times = await takenUp(0, 60_000);
  expect(times.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
  expect(times.length).toBeLessThan(20);
});

test('a delay that the server asks for is kept', async () => {
  expect((await takenUp(700, 2_500)).slice(0, 3)).toEqual([700, 1_400, 2_100]);
});

test('a delay that no timer can have is a long one, and not none', async () => {
  expect(await takenUp(2 ** 40, 30_000)).toEqual([30_000]);
});

test('after a quiet time the next ones are free again', async () => {
  const clock = createFakeClock();
  const schedule = patientReconnection(clock);
  for (let index = 0; index < 12; index += 1) schedule(() => undefined, 0, 0);
  await clock.advance(100_000);
  let done = false;
  schedule(
    () => {
      done = true;
    },
    0,
    0,
  );
  await clock.advance(1);
  expect(done).toBe(true);
});

test('one that is called off does not happen', async () => {
  const clock = createFakeClock();
  let done = false;
  const cancel = patientReconnection(clock)(
    () => {
      done = true;
    },
    10,
    0,
  );
  cancel?.();
  await clock.advance(1_000);
  expect([done, clock.pending]).toEqual([false, 0]);
});
