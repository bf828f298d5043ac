import { createFakeClock } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { type ApprovalChanges, watchApprovals } from './approval-changes.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets so many microtasks go by. */
async function later(count: number): Promise<void> {
  for (let index = 0; index < count; index++) await Promise.resolve();
}

test('a look that is asked for at whatever moment of the one before takes place, without waiting for the clock', async () => {
  const real = await openStorage('sqlite::memory:');
  let onRead: () => void = () => undefined;
  let begun = 0;
  const storage: Storage = {
    ...real,
    read: async (work) => {
      begun += 1;
      const rows = await real.read(work);
      onRead();
      return rows;
    },
  };
  const unexpected: unknown[] = [];
  const changes: ApprovalChanges = await watchApprovals({
    storage,
    clock: createFakeClock(),
    pollMs: 1_000_000,
    onError: (error) => unexpected.push(error),
  });
  const settle = async (): Promise<void> => {
    for (let before = -1; before !== begun; ) {
      before = begun;
      for (let turns = 0; turns < 5; turns++) await turn();
    }
  };
  for (let depth = 0; depth < 24; depth++) {
    let kickedAt: number | undefined;
    onRead = () => {
      onRead = () => undefined;
      void later(depth).then(() => {
        kickedAt = begun;
        changes.kick();
      });
    };
    changes.kick();
    await settle();
    expect(begun, `after ${depth} microtasks`).toBeGreaterThan(kickedAt ?? begun);
  }
  expect(unexpected).toEqual([]);
  await changes.close();
  await real.close();
});

test('a look that fails is not begun again and again', async () => {
  const real = await openStorage('sqlite::memory:');
  const clock = createFakeClock();
  let fails = false;
  let begun = 0;
  const storage: Storage = {
    ...real,
    read: async (work) => {
      begun += 1;
      if (fails) throw new Error('away');
      return real.read(work);
    },
  };
  const errors: unknown[] = [];
  const changes = await watchApprovals({
    storage,
    clock,
    pollMs: 1_000_000,
    onError: (error) => errors.push(error),
  });
  fails = true;
  begun = 0;
  changes.kick();
  for (let turns = 0; turns < 20; turns++) await turn();
  expect([begun, errors.length]).toEqual([1, 1]);
  await changes.close();
  await real.close();
});
