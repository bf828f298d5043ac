import { createFakeClock } from '@toolgate/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAuditLog } from '../audit/audit-log.ts';
import type { CallEntry } from '../ports/call-log.ts';
import { createCallLog } from './call-log.ts';
import { openStorage } from './open-storage.ts';
import type { Passenger } from './passengers.ts';
import type { Steps } from './steps.ts';
import type { Storage, WriteStepsOptions } from './storage.ts';

let storage: Storage;
beforeEach(async () => {
  storage = await openStorage('sqlite::memory:');
});
afterEach(() => storage.close());

const call = (id: string): CallEntry => ({
  id,
  at: 1_000,
  requestId: 'r1',
  origin: 'llm',
  place: 'chat',
  principal: 'ana',
  keyId: 'key',
  callId: 'c1',
  tool: 'pay',
  verdict: 'allowed',
  reason: 'permitted',
});
function* setHead(seq: number): Steps<number> {
  yield { sql: 'update toolgate_audit_head set seq = ?', parameters: [seq] };
  return seq;
}
function* fail(): Steps<void> {
  yield { sql: 'insert into toolgate_audit_head (id, seq, digest) values (1, 0, 0)', parameters: [] };
}
const headSeq = async (): Promise<unknown> =>
  storage.read(async (database) =>
    database.selectFrom('toolgate_audit_head').select('seq').executeTakeFirst(),
  );
/** A storage that tells how often it writes. */
function counted(): { writes: number; readonly storage: Storage } {
  const state = {
    writes: 0,
    storage: {
      ...storage,
      writeSteps: async <Result>(make: Parameters<Storage['writeSteps']>[0], options?: WriteStepsOptions) => {
        state.writes += 1;
        return storage.writeSteps(make, options) as Promise<Result>;
      },
    } as Storage,
  };
  return state;
}

test('a log is written with the audit entries that nobody waits for', async () => {
  const clock = createFakeClock();
  const counting = counted();
  const audit = createAuditLog({ storage: counting.storage });
  const calls = createCallLog({ storage: counting.storage, clock });
  calls.record(call('a'));
  await audit.append({ kind: 'call-allow', actor: 'ana', data: {} }, { soon: true });
  expect((await calls.list()).items).toEqual([call('a')]);
  expect(counting.writes).toBe(1);
  await calls.flush();
  expect(counting.writes).toBe(1);
  calls.record(call('b'));
  await audit.append({ kind: 'call-allow', actor: 'ana', data: {} });
  expect((await calls.list()).items).toEqual([call('a')]);
  for (const each of [calls, audit]) await each.close();
  expect((await calls.list()).items.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(clock.pending).toBe(0);
});

test('a log rides along with no group that has an entry somebody waits for', async () => {
  const calls = createCallLog({ storage, clock: createFakeClock() });
  const audit = createAuditLog({ storage });
  const entry = { kind: 'call-allow', actor: 'ana', data: {} } as const;
  // Two groups.
  const appended = Array.from({ length: 999 }, async () => audit.append(entry));
  calls.record(call('a'));
  await Promise.all(appended);
  expect((await calls.list()).items).toEqual([]);
  await audit.append(entry, { soon: true });
  expect((await calls.list()).items).toEqual([call('a')]);
  for (const each of [calls, audit]) await each.close();
});

test('what rides along is written with the rest, and only where that is asked for', async () => {
  let waiting = 2;
  const passenger: Passenger = {
    board: () => (waiting === 0 ? undefined : record(waiting)),
    arrive: () => {
      waiting = 0;
    },
  };
  function* record(count: number): Steps<void> {
    yield { sql: 'update toolgate_audit_head set seq = seq + ?', parameters: [count] };
  }
  const leave = storage.carry(passenger);
  await storage.writeSteps(() => setHead(10));
  expect([waiting, await headSeq()]).toEqual([2, { seq: 10 }]);
  expect(await storage.writeSteps(() => setHead(20), { together: true })).toBe(20);
  expect([waiting, await headSeq()]).toEqual([0, { seq: 22 }]);
  waiting = 1;
  leave();
  await storage.writeSteps(() => setHead(30), { together: true });
  expect([waiting, await headSeq()]).toEqual([1, { seq: 30 }]);
});

test('what cannot be written keeps nobody from writing', async () => {
  let arrived = 0;
  const count = (): void => {
    arrived += 1;
  };
  storage.carry({ board: () => setNothing(), arrive: count });
  storage.carry({ board: fail, arrive: count });
  expect(await storage.writeSteps(() => setHead(10), { together: true })).toBe(10);
  expect(await headSeq()).toEqual({ seq: 10 });
  await expect(storage.writeSteps(fail, { together: true })).rejects.toThrow(
    expect.objectContaining({ code: 'gateway/storage-unavailable' }),
  );
  expect(arrived).toBe(0);
});

function* setNothing(): Steps<void> {
  yield { sql: 'update toolgate_audit_head set seq = seq', parameters: [] };
}
