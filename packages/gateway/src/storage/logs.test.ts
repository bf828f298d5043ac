import { createFakeClock, type FakeClock } from '@toolgate/testing';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import type { CallEntry } from '../ports/call-log.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import { createCallLog } from './call-log.ts';
import { openStorage } from './open-storage.ts';
import { pruneRows } from './prune-rows.ts';
import type { Storage } from './storage.ts';
import { createTrafficLog } from './traffic-log.ts';

const call = (id: string, more: Partial<CallEntry> = {}): CallEntry => ({
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
  reason: 'completed',
  ...more,
});
const request = (id: string, more: Partial<TrafficEntry> = {}): TrafficEntry => ({
  id,
  at: 1_000,
  surface: 'anthropic',
  attempts: 1,
  streamed: true,
  status: 200,
  losses: [],
  durationMs: 5,
  requestBytes: 10,
  responseBytes: 20,
  calls: 0,
  generation: 1,
  ...more,
});

describe.each(storageEngines)('the logs in $name', (engine) => {
  let storage: Storage;
  let clock: FakeClock;
  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);
  beforeEach(async () => {
    storage = await openStorage(await engine.createUrl());
    clock = createFakeClock({ now: 1_000 });
  });
  afterEach(() => storage.close());

  test('give back what was recorded, without contents unless those are kept', async () => {
    const entry = call('a', { arguments: '{"amount":5}', result: { paid: true }, detail: 'x' });
    const { arguments: args, result, ...bare } = entry;
    expect({ args, result }).toBeDefined();
    const discreet = createCallLog({ storage, clock });
    discreet.record(entry);
    await discreet.flush();
    expect(await discreet.get('a')).toEqual(bare);
    const open = createCallLog({ storage, clock, contents: true });
    open.record({ ...entry, id: 'b' });
    await open.flush();
    expect(await open.get('b')).toEqual({ ...entry, id: 'b' });
    expect(await open.get('c')).toBeUndefined();
    const traffic = createTrafficLog({ storage, clock });
    const full = request('a', {
      principal: 'ana',
      route: 'chat',
      usage: { inputTotal: null, cacheRead: null, cacheWrite: null, outputTotal: 3, reasoning: null },
      losses: [{ code: 'dropped', path: '/a', severity: 'info', detail: 'gone' }],
    });
    traffic.record(full);
    await traffic.flush();
    expect(await traffic.get('a')).toEqual(full);
    for (const each of [discreet, open, traffic]) await each.close();
    expect(clock.pending).toBe(0);
  });

  test('are listed newest first, by time and then by id, page by page', async () => {
    const log = createCallLog({ storage, clock });
    for (const [id, at] of [
      ['a', 5],
      ['d', 7],
      ['b', 7],
      ['c', 6],
      ['e', 7],
    ] as const)
      log.record(call(id, { at }));
    await log.flush();
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await log.list({}, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(['e', 'd', 'b', 'c', 'a']);
    expect((await log.list({ since: 7 })).items).toHaveLength(3);
    expect((await log.list({ tool: 'pay', verdict: 'refused' })).items).toEqual([]);
    await log.close();
    const traffic = createTrafficLog({ storage, clock });
    traffic.record(request('x', { route: 'one' }));
    traffic.record(request('y', { at: 2_000, principal: 'ana', route: 'two' }));
    await traffic.flush();
    const ids = async (filter: Parameters<typeof traffic.list>[0]): Promise<readonly string[]> =>
      (await traffic.list(filter)).items.map(({ id }) => id);
    expect(await ids({})).toEqual(['y', 'x']);
    expect(await ids({ principal: 'ana' })).toEqual(['y']);
    expect(await ids({ route: 'one', surface: 'anthropic' })).toEqual(['x']);
    expect(await ids({ surface: 'gemini' })).toEqual([]);
    await traffic.close();
  });

  test('keep nothing that is too old', async () => {
    const log = createCallLog({ storage, clock, retentionMs: 10_000, pruneMs: 60_000 });
    log.record(call('old'));
    log.record(call('young', { at: 70_000 }));
    await log.flush();
    const left = async (): Promise<number> => (await log.list()).items.length;
    for (let turns = 0; turns < 2_000 && (await left()) > 1; turns++)
      await clock.advance(turns < 1 ? 60_000 : 0);
    expect((await log.list()).items.map(({ id }) => id)).toEqual(['young']);
    await log.close();
  });

  test('lose what is too old without keeping everything else from its turn', async () => {
    const rows = Array.from({ length: 500 }, (_, index) => ({
      at: index,
      principal: 'ana',
      place: 'm',
      tool: 't',
      verdict: 'allowed',
      request_id: 'r',
      entry: '{}',
      contents: null,
    }));
    for (let part = 0; part < 8; part++)
      await storage.write(async (transaction) => {
        const named = rows.map((row, index) => ({ ...row, id: `${part}-${index}` }));
        await transaction.insertInto('toolgate_calls').values(named).execute();
      });
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    try {
      await pruneRows(storage, 'toolgate_calls', 1_000);
    } finally {
      clearImmediate(next);
    }
    expect(turns).toBeGreaterThanOrEqual(4);
    const log = createCallLog({ storage, clock });
    expect((await log.list()).items).toEqual([]);
    await log.close();
  });

  test('take what a model or a client makes up, and the same id only once', async () => {
    const log = createCallLog({ storage, clock, contents: true });
    log.record(call('a', { tool: 'x\0\ud800\uffff', callId: '\0'.repeat(10_000), arguments: '\ud800"' }));
    log.record(call('a', { tool: 'second' }));
    log.record(call('b', { tool: 'é'.repeat(1_000) }));
    await log.flush();
    expect(log.dropped).toBe(0);
    expect(await log.get('a')).toMatchObject({ tool: 'x\u{fffd}\u{fffd}\u{fffd}', arguments: '\u{fffd}"' });
    expect((await log.get('a'))?.callId).toHaveLength(4_096);
    expect((await log.list({ tool: 'é'.repeat(1_000) })).items.map(({ id }) => id)).toEqual(['b']);
    await log.close();
  });

  test('drop an entry that has no text, and no other', async () => {
    const errors: unknown[] = [];
    const log = createCallLog({ storage, clock, onError: (error) => errors.push(error) });
    log.record(call('a'));
    log.record(call('b', { durationMs: 1n as never }));
    log.record(call('c'));
    await log.flush();
    expect((await log.list()).items.map(({ id }) => id)).toEqual(['c', 'a']);
    expect(log.dropped).toBe(1);
    expect(errors).toHaveLength(1);
    await log.close();
  });

  test('keep an entry as it was when it was recorded', async () => {
    const traffic = createTrafficLog({ storage, clock });
    const losses = [{ code: 'dropped', path: '/a', severity: 'info', detail: 'gone' }] as const;
    const entry = { ...request('a'), losses: [...losses] };
    traffic.record(entry);
    entry.losses.length = 0;
    await traffic.flush();
    expect((await traffic.get('a'))?.losses).toEqual(losses);
    await traffic.close();
  });

  test('are read as they were written by a gateway that said everything in the text', async () => {
    const old = call('a', { at: 1_000.5, principal: 'é', tool: 'x'.repeat(300) });
    const { id, at, place, principal, tool, verdict, requestId } = old;
    await storage.write(async (transaction) => {
      const columns = { id, at: Math.floor(at), place, principal, tool: tool.slice(0, 256), verdict };
      await transaction
        .insertInto('toolgate_calls')
        .values({ ...columns, request_id: requestId, entry: JSON.stringify(old), contents: null })
        .execute();
      await transaction
        .insertInto('toolgate_traffic')
        .values({
          id: 'a',
          at: 1_000,
          principal: null,
          route: null,
          surface: 'anthropic',
          entry: JSON.stringify(request('a')),
        })
        .execute();
    });
    const log = createCallLog({ storage, clock });
    expect(await log.get('a')).toEqual(old);
    log.record({ ...old, id: 'b' });
    await log.flush();
    expect(await log.get('b')).toEqual({ ...old, id: 'b' });
    await log.close();
    const traffic = createTrafficLog({ storage, clock });
    expect(await traffic.get('a')).toEqual(request('a'));
    const odd = request('b', { at: 1_000.5, principal: 'x'.repeat(300), route: 'é' });
    traffic.record(odd);
    await traffic.flush();
    expect(await traffic.get('b')).toEqual(odd);
    await traffic.close();
  });

  test('say each thing once in the database', async () => {
    const log = createCallLog({ storage, clock });
    log.record(call('planted-1', { tool: 'planted-2', durationMs: 3 }));
    await log.close();
    const traffic = createTrafficLog({ storage, clock });
    traffic.record(request('planted-3', { route: 'planted-4', model: 'm' }));
    await traffic.close();
    const entries = await storage.read(async (database) => [
      ...(await database.selectFrom('toolgate_calls').select('entry').execute()),
      ...(await database.selectFrom('toolgate_traffic').select('entry').execute()),
    ]);
    expect(entries.map(({ entry }) => entry).join()).not.toContain('planted');
    expect(entries).toHaveLength(2);
  });

  test('store any text at all', async () => {
    const log = createCallLog({ storage, clock, contents: true });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (tool, args) => {
        count += 1;
        const id = `t${count}`;
        log.record(call(id, { tool, arguments: args }));
        await log.flush();
        expect((await log.get(id))?.id).toBe(id);
      }),
      { numRuns: 30 },
    );
    expect(log.dropped).toBe(0);
    await log.close();
  });
});
