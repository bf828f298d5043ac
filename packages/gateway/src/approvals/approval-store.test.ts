import { createFakeClock, type FakeClock } from '@toolgate/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PAY, payment } from '../../test-support/approval-fixtures.ts';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { appendRecords } from '../audit/append-records.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import type { ApprovalRecord, ApprovalStore } from '../ports/approval-store.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createApprovalStore } from './approval-store.ts';
import { checkApproval } from './check-approval.ts';

const approve = { verdict: 'approve', by: 'rita' } as const;
const decline = { verdict: 'decline', by: 'rob' } as const;

describe.each(storageEngines)('approvals in $name', (engine) => {
  let url: string;
  let clock: FakeClock;
  let storage: Storage;
  let store: ApprovalStore;
  let errors: unknown[];
  const opened: { close(): Promise<void> }[] = [];

  /** Looks for changes and sweeps so seldom that a test sees it only when it wants to. */
  const openGateway = async (pollMs = 1_000_000_000): Promise<{ storage: Storage; store: ApprovalStore }> => {
    const storage = await openStorage(url, { onError: (error) => errors.push(error) });
    const store = await createApprovalStore({
      storage,
      clock,
      pollMs,
      sweepMs: 2_000_000_000,
      onError: (error) => errors.push(error),
    });
    opened.push(store, storage);
    return { storage, store };
  };
  const auditKinds = async (): Promise<readonly string[]> => {
    const kinds: string[] = [];
    for await (const { kind, actor } of createAuditLog({ storage, clock }).read())
      kinds.push(`${kind} ${actor}`);
    return kinds;
  };
  /** Moves the clock by what a poll takes until something holds; the database answers in its own time. */
  const untilMoving = async (holds: () => boolean): Promise<void> => {
    for (let turns = 0; !holds(); turns++) {
      if (turns === 2_000) throw new Error('it never came to hold');
      await clock.advance(100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  /** As if made one after the other, with audit records that say something else. */
  const insertMany = async (count: number): Promise<void> => {
    await storage.write(async (transaction) => {
      const entry = { kind: 'gateway-start', actor: 'system', data: {} } as const;
      await appendRecords(
        transaction,
        Array.from({ length: count }, () => entry),
        0,
      );
      const rows = Array.from({ length: count }, (_, index) =>
        checkApproval(payment(`n${index}`), index + 1),
      );
      await transaction.insertInto('toolgate_approvals').values(rows).execute();
    });
  };

  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);
  beforeEach(async () => {
    url = await engine.createUrl();
    clock = createFakeClock({ now: 1_000 });
    errors = [];
    ({ storage, store } = await openGateway());
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    expect(clock.pending).toBe(0);
  });

  test('keep the exact call, and give it back deeply frozen', async () => {
    const made = await store.create(payment('a', { filled: ['/amount'] }));
    expect(await store.get('a')).toEqual(made);
    expect(made).toMatchObject({
      status: 'pending',
      origin: 'llm',
      place: 'chat',
      keyId: 'key-1',
      requestId: 'request-1',
      principal: 'ana',
      tool: 'pay',
      class: 'external',
      expiresAt: 61_000,
      definition: PAY,
      request: payment('a', { filled: ['/amount'] }).request,
    });
    expect(made.settlement).toBeUndefined();
    for (const part of [made, made.request, made.request?.arguments, made.definition?.inputSchema])
      expect(Object.isFrozen(part)).toBe(true);
    expect(await store.get('b')).toBeUndefined();
  });

  test('of the same id are refused', async () => {
    await store.create(payment('a'));
    await expect(store.create(payment('a'))).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/approval-exists' }),
    );
    expect(await auditKinds()).toEqual(['approval-create ana']);
  });

  test('count the first decision and show it to whoever comes second', async () => {
    await store.create(payment('a'));
    const first = await store.decide('a', { ...approve, reason: 'fine' });
    expect(first).toMatchObject({ kind: 'decided', record: { status: 'approved' } });
    const second = await store.decide('a', decline);
    expect(second).toMatchObject({
      kind: 'conflict',
      record: { status: 'approved', settlement: { by: 'rita', at: 1_000, reason: 'fine' } },
    });
    expect(await store.decide('b', approve)).toEqual({ kind: 'unknown' });
    expect(await auditKinds()).toEqual(['approval-create ana', 'approval-approve rita']);
  });

  test('are decided once, however many reviewers of however many gateways race', async () => {
    await store.create(payment('a'));
    const other = (await openGateway()).store;
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? store : other).decide('a', {
          verdict: index % 3 === 0 ? 'approve' : 'decline',
          by: `reviewer-${index}`,
        }),
      ),
    );
    const decided = results.filter(({ kind }) => kind === 'decided');
    expect(decided).toHaveLength(1);
    const records = results.map((result) => ('record' in result ? result.record : undefined));
    expect(new Set(records.map((record) => record?.settlement?.by)).size).toBe(1);
    expect(await auditKinds()).toHaveLength(2);
  });

  test('are used up exactly once, however many gateways try', async () => {
    await store.create(payment('a'));
    await store.decide('a', approve);
    const other = (await openGateway()).store;
    const used = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? store : other).consume('a')),
    );
    expect(used.filter((each) => each)).toHaveLength(1);
    expect(await store.consume('a')).toBe(false);
    expect((await store.get('a'))?.consumedAt).toBe(1_000);
    expect((await auditKinds()).filter((kind) => kind.startsWith('approval-consume'))).toHaveLength(1);
  });

  test('are used up by nothing but a yes in its time', async () => {
    for (const id of ['pending', 'declined', 'expired', 'late', 'cancelled']) await store.create(payment(id));
    await store.decide('declined', decline);
    await store.decide('late', approve);
    await store.cancel('cancelled', 'The client went away.');
    for (const id of ['pending', 'declined', 'cancelled', 'nobody'])
      expect(await store.consume(id)).toBe(false);
    await clock.advance(60_000);
    expect(await store.consume('late')).toBe(false);
    expect(await store.consume('expired')).toBe(false);
    expect((await store.get('late'))?.status).toBe('approved');
  });

  test('carry edited arguments with their digest', async () => {
    await store.create(payment('a'));
    const edited = { amount: 4, note: 'less' };
    await store.decide('a', { ...approve, arguments: edited });
    edited.amount = 4_000;
    const settlement = (await store.get('a'))?.settlement;
    expect(settlement?.arguments).toEqual({ amount: 4, note: 'less' });
    expect(settlement?.argumentsDigest).toMatch(/^sha256:/);
  });

  test('take a reason that no database could store as it is', async () => {
    await store.create(payment('a'));
    await store.decide('a', { ...decline, reason: 'no\0pe \ud800 \u{1f600}' });
    expect((await store.get('a'))?.settlement?.reason).toBe('no\u{fffd}pe \u{fffd} \u{1f600}');
  });

  test('expire by the system when nobody decides, which is no decision of a person', async () => {
    await store.create(payment('a'));
    await clock.advance(59_999);
    expect((await store.get('a'))?.status).toBe('pending');
    await clock.advance(1);
    expect(await store.decide('a', approve)).toMatchObject({
      kind: 'expired',
      record: { status: 'expired', settlement: { by: 'system' } },
    });
    expect(await auditKinds()).toEqual(['approval-create ana', 'approval-expire system']);
  });

  test('expire after a restart at the time that was written down', async () => {
    await store.create(payment('a'));
    await store.close();
    await clock.advance(100_000);
    const again = (await openGateway()).store;
    expect((await again.list({ status: 'pending' })).items).toEqual([]);
    expect((await again.get('a'))?.status).toBe('expired');
  });

  test('without expiry never expire', async () => {
    await store.create(payment('a', { expiresAt: 'none' }));
    await clock.advance(10_000_000_000);
    expect(await store.get('a')).toMatchObject({ status: 'pending', expiresAt: 'none' });
  });

  test('can be given more time while they wait, and never less', async () => {
    await store.create(payment('a'));
    expect(await store.extend('a', 121_000, 'rita')).toMatchObject({
      expiresAt: 121_000,
      request: { expiresAt: 121_000 },
    });
    for (const shorter of [61_000, 0, Number.NaN, 121_000.5])
      expect((await store.extend('a', shorter, 'rita'))?.expiresAt).toBe(121_000);
    await clock.advance(100_000);
    expect((await store.get('a'))?.status).toBe('pending');
    await clock.advance(20_000);
    expect(await store.extend('a', 500_000, 'rita')).toBeUndefined();
    expect((await store.get('a'))?.status).toBe('expired');
  });

  test('can be cancelled while they wait', async () => {
    await store.create(payment('a'));
    expect(await store.cancel('a', 'The client went away.')).toBe(true);
    expect(await store.cancel('a', 'The client went away.')).toBe(false);
    expect(await store.decide('a', approve)).toMatchObject({
      kind: 'conflict',
      record: { status: 'cancelled', settlement: { by: 'system' } },
    });
  });

  test('end a wait when they are decided, through this gateway or another', async () => {
    const here = (await openGateway(100)).store;
    for (const id of ['a', 'b']) await here.create(payment(id));
    const waits = ['a', 'b', 'b'].map((id) => here.wait(id));
    await here.decide('a', approve);
    expect(await waits[0]).toMatchObject({ id: 'a', status: 'approved' });
    await store.decide('b', decline);
    let ended: readonly ApprovalRecord[] = [];
    const all = Promise.all(waits).then((records) => {
      ended = records;
    });
    await untilMoving(() => ended.length === 3);
    await all;
    expect(ended.map(({ status }) => status)).toEqual(['approved', 'declined', 'declined']);
    expect(await store.wait('b')).toMatchObject({ id: 'b', status: 'declined' });
  });

  test('end a wait when their time is over, and not before', async () => {
    await store.create(payment('a'));
    let ended: ApprovalRecord | undefined;
    const wait = store.wait('a').then((record) => {
      ended = record;
    });
    await store.get('a');
    await clock.advance(59_000);
    expect(ended).toBeUndefined();
    await clock.advance(1_000);
    await wait;
    expect(ended).toMatchObject({ status: 'expired' });
  });

  test('are not changed by a wait that was given up', async () => {
    await store.create(payment('a'));
    const stop = new AbortController();
    const wait = store.wait('a', stop.signal);
    const reason = new Error('enough');
    stop.abort(reason);
    await expect(wait).rejects.toBe(reason);
    await expect(store.wait('a', stop.signal)).rejects.toBe(reason);
    expect((await store.get('a'))?.status).toBe('pending');
    expect(await store.decide('a', approve)).toMatchObject({ kind: 'decided' });
  });

  test('end waits with an error when the store closes, and when there is no such approval', async () => {
    await store.create(payment('a'));
    await expect(store.wait('b')).rejects.toThrow(expect.objectContaining({ code: 'gateway/entry-invalid' }));
    const wait = store.wait('a');
    const ended = expect(wait).rejects.toThrow(expect.objectContaining({ code: 'gateway/closed' }));
    await store.close();
    await ended;
    await expect(store.get('a')).rejects.toThrow(expect.objectContaining({ code: 'gateway/closed' }));
  });

  test('are listed newest first, page by page, and by what they are', async () => {
    for (let index = 0; index < 7; index++)
      await store.create({ ...payment(`a${index}`), place: index % 2 === 0 ? 'chat' : 'other' });
    await store.decide('a3', approve);
    const ids = ({ items }: { readonly items: readonly ApprovalRecord[] }): readonly string[] =>
      items.map(({ id }) => id);
    const first = await store.list({}, { limit: 3 });
    expect(ids(first)).toEqual(['a6', 'a5', 'a4']);
    const second = await store.list({}, { limit: 3, cursor: first.cursor ?? '' });
    expect(ids(second)).toEqual(['a3', 'a2', 'a1']);
    const third = await store.list({}, { limit: 3, cursor: second.cursor ?? '' });
    expect(ids(third)).toEqual(['a0']);
    expect(third.cursor).toBeUndefined();
    expect(ids(await store.list({ status: 'approved' }))).toEqual(['a3']);
    expect(ids(await store.list({ status: 'pending', place: 'other' }))).toEqual(['a5', 'a1']);
    expect(ids(await store.list({ principal: "' or 1=1 --" }))).toEqual([]);
    expect(ids(await store.list({}, { cursor: 'nonsense' }))).toEqual([]);
  });

  test('are found again by the exact call while a decision about it counts', async () => {
    const same = (await store.create(payment('a'))).request;
    if (same === undefined) throw new Error('the request is there');
    const { class: executionClass, principal, tool, contractDigest, argumentsDigest } = same;
    const exact = { principal, tool, class: executionClass, contractDigest, argumentsDigest };
    const call = { ...exact, origin: 'llm', place: 'chat' } as const;
    expect((await store.findSame(call))?.id).toBe('a');
    for (const other of [
      { principal: 'ben' },
      { principal: undefined },
      { place: 'x' },
      { origin: 'mcp' },
      { class: 'write' },
    ] as const)
      expect(await store.findSame({ ...call, ...other })).toBeUndefined();
    await store.decide('a', approve);
    expect(await store.findSame(call)).toMatchObject({ id: 'a', status: 'approved' });
    await store.consume('a');
    expect(await store.findSame(call)).toBeUndefined();
    await store.create(payment('b'));
    await store.decide('b', decline);
    expect(await store.findSame(call)).toMatchObject({ id: 'b', status: 'declined' });
    await clock.advance(60_000);
    expect(await store.findSame(call)).toBeUndefined();
  });

  test('tell listeners of every change, also those of another gateway, in order', async () => {
    const here = (await openGateway(100)).store;
    const heard: ApprovalRecord[] = [];
    const words = (): readonly string[] => heard.map(({ id, status }) => `${id} ${status}`);
    const end = here.subscribe((record) => heard.push(record));
    here.subscribe(() => {
      throw new Error('a listener that fails');
    });
    await store.create(payment('a'));
    await untilMoving(() => heard.length === 1);
    await here.decide('a', approve);
    await untilMoving(() => heard.length === 2);
    await store.create(payment('b'));
    await untilMoving(() => heard.length === 3);
    expect(words()).toEqual(['a pending', 'a approved', 'b pending']);
    expect(heard.map(({ revision }) => revision)).toEqual([1, 2, 3]);
    const replayed: string[] = [];
    here.subscribe(({ id, status }) => replayed.push(`${id} ${status}`), 0);
    await untilMoving(() => replayed.length === 2);
    expect(replayed).toEqual(['a approved', 'b pending']);
    end();
    await here.consume('a');
    await untilMoving(() => replayed.length === 3);
    expect(heard).toHaveLength(3);
    expect(errors).not.toEqual([]);
  });

  test('that changed while nobody listened are told to a listener that says how far it knows', async () => {
    await insertMany(450);
    const here = (await openGateway(100)).store;
    const heard: number[] = [];
    here.subscribe(({ revision }) => heard.push(revision), 10);
    await here.create(payment('last'));
    await untilMoving(() => heard.length === 441);
    expect(heard).toEqual(Array.from({ length: 441 }, (_, index) => index + 11));
  });

  test('are told to a listener although storage failed while it read what it had missed', async () => {
    await insertMany(250);
    let faults = 0;
    const failing: Storage = {
      ...storage,
      read: async (work) => {
        if (faults > 0) {
          faults -= 1;
          throw new Error('storage failed');
        }
        return storage.read(work);
      },
    };
    const onError = (error: unknown) => errors.push(error);
    const here = await createApprovalStore({ storage: failing, clock, pollMs: 100, sweepMs: 2e9, onError });
    opened.unshift(here);
    const heard: number[] = [];
    faults = 1;
    here.subscribe(({ revision }) => heard.push(revision), 10);
    await untilMoving(() => errors.length === 1);
    await here.create(payment('last'));
    await untilMoving(() => heard.length === 241);
    expect(heard).toEqual(Array.from({ length: 241 }, (_, index) => index + 11));
  });

  test('that were declined hold, with their contents, for as long as they were asked for', async () => {
    const day = 24 * 3_600_000;
    const made = await store.create(payment('a', { expiresAt: 40 * day }));
    await store.decide('a', decline);
    await clock.advance(39 * day);
    await store.sweep();
    const call = {
      principal: 'ana',
      origin: 'llm',
      place: 'chat',
      tool: 'pay',
      class: made.class,
      contractDigest: made.contractDigest,
      argumentsDigest: made.argumentsDigest,
    } as const;
    expect(await store.findSame(call)).toMatchObject({ id: 'a', request: { arguments: { amount: 5 } } });
    await clock.advance(day);
    await store.sweep();
    expect((await store.list()).items).toEqual([]);
  });

  test('lose their contents some time after they are over, and the row after the retention', async () => {
    for (const id of ['used', 'open', 'declined']) await store.create(payment(id, { expiresAt: 'none' }));
    await store.decide('used', { ...approve, arguments: { amount: 1 } });
    await store.consume('used');
    await store.decide('open', approve);
    await store.decide('declined', decline);
    await clock.advance(3_600_001);
    await store.sweep();
    for (const id of ['used', 'declined']) {
      const record = await store.get(id);
      expect(record).toMatchObject({ id, tool: 'pay' });
      expect(record?.request).toBeUndefined();
      expect(record?.settlement?.arguments).toBeUndefined();
    }
    expect((await store.get('used'))?.settlement?.argumentsDigest).toMatch(/^sha256:/);
    expect((await store.get('open'))?.request?.arguments).toEqual({ amount: 5 });
    expect(await store.consume('open')).toBe(true);
    await clock.advance(31 * 24 * 3_600_000);
    await store.sweep();
    expect((await store.list()).items).toEqual([]);
  });
});
