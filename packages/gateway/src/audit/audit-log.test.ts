import { type JsonObject, readJson } from '@toolgate/core';
import { createFakeClock } from '@toolgate/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import type { AuditEntry, AuditLog, AuditRecord } from '../ports/audit-log.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createAuditLog } from './audit-log.ts';
import { sealRecord, writeRecord } from './audit-record.ts';
import { verifyExport } from './chain-check.ts';

const entry = (data: JsonObject = {}): AuditEntry => ({ kind: 'call-allow', actor: 'ana', data });

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe.each(storageEngines)('the audit in $name', (engine) => {
  let url: string;
  let storage: Storage;
  let audit: AuditLog;

  const appendMany = async (count: number): Promise<readonly AuditRecord[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => audit.append(entry({ index }))));
  /** What somebody does who may change the database, triggers and all. */
  const tamper = async (statement: string): Promise<void> => {
    await storage.write(async (transaction) => {
      if (storage.kind === 'postgres') {
        await sql`drop trigger if exists toolgate_audit_append_only on toolgate_audit`.execute(transaction);
      } else {
        for (const action of ['update', 'delete'])
          await sql`drop trigger if exists ${sql.raw(`toolgate_audit_no_${action}`)}`.execute(transaction);
      }
      for (const each of statement.split(';')) await sql`${sql.raw(each)}`.execute(transaction);
    });
  };

  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);
  beforeEach(async () => {
    url = await engine.createUrl();
    storage = await openStorage(url);
    audit = createAuditLog({ storage, clock: createFakeClock({ now: 1_000 }) });
  });
  afterEach(async () => {
    await audit.close();
    await storage.close();
  });

  test('chains what is appended, in order, and verifies', async () => {
    expect(await audit.head()).toEqual({ seq: 0, digest: `sha256:${'0'.repeat(64)}` });
    expect(await audit.verify()).toMatchObject({ ok: true, records: 0 });
    const records = await appendMany(1_203);
    expect(records.map(({ seq }) => seq)).toEqual(Array.from({ length: 1_203 }, (_, index) => index + 1));
    for (const [index, record] of records.entries())
      expect(record.previous).toBe(records[index - 1]?.digest ?? `sha256:${'0'.repeat(64)}`);
    expect(await collect(audit.read())).toEqual(records);
    expect(await audit.verify()).toEqual({ ok: true, records: 1_203, head: await audit.head() });
  });

  test('lets everything else have its turn while a long chain is checked', async () => {
    await appendMany(1_000);
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    try {
      expect(await audit.verify()).toMatchObject({ ok: true, records: 1_000 });
    } finally {
      clearImmediate(next);
    }
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  test('groups what comes at once into few transactions', async () => {
    let writes = 0;
    const counting: Storage = {
      ...storage,
      writeSteps: async (make, options) => {
        writes += 1;
        return storage.writeSteps(make, options);
      },
    };
    const grouped = createAuditLog({ storage: counting });
    await Promise.all(Array.from({ length: 400 }, () => grouped.append(entry())));
    expect(writes).toBe(1);
    await grouped.close();
  });

  test('takes every text that a model can make up, and verifies', async () => {
    const appended = await Promise.all(
      ['\uffff', '\u{10fffe}', '\0', '"\\', '__proto__'].map((callId) => audit.append(entry({ callId }))),
    );
    expect(await collect(audit.read())).toEqual(appended);
    expect(await audit.verify()).toMatchObject({ ok: true, records: 5 });
    expect(await verifyExport(await collect(audit.export()))).toMatchObject({ ok: true, records: 5 });
  });

  test('is one chain for several gateways, and loses nothing', async () => {
    const other = await openStorage(url);
    const second = createAuditLog({ storage: other });
    const logs = [audit, second];
    const appended: AuditRecord[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let index = 0; index < 12; index++) {
          const record = await logs[writer % 2]?.append(entry({ writer, index }));
          if (record !== undefined) appended.push(record);
        }
      }),
    );
    const inOrder = [...appended].sort((left, right) => left.seq - right.seq);
    expect(await collect(audit.read())).toEqual(inOrder);
    expect(await audit.verify()).toMatchObject({ ok: true, records: 96 });
    await second.close();
    await other.close();
  });

  test('refuses changes and deletions through SQL', async () => {
    await appendMany(2);
    for (const statement of ["update toolgate_audit set actor = 'eve'", 'delete from toolgate_audit']) {
      await expect(
        storage.write(async (transaction) => sql`${sql.raw(statement)}`.execute(transaction)),
      ).rejects.toThrow(expect.objectContaining({ code: 'gateway/storage-unavailable' }));
    }
    expect(await audit.verify()).toMatchObject({ ok: true, records: 2 });
  });

  test.each<[what: string, statement: string, seq: number, fault: string]>([
    ['an edited actor', "update toolgate_audit set actor = 'eve' where seq = 4", 4, 'digest'],
    ['edited data', `update toolgate_audit set data = '{"index":9}' where seq = 4`, 4, 'digest'],
    [
      'data spelled otherwise',
      `update toolgate_audit set data = '{"index": 3}' where seq = 4`,
      4,
      'unreadable',
    ],
    ['another time', 'update toolgate_audit set at = 999 where seq = 4', 4, 'digest'],
    ['a kind off the list', "update toolgate_audit set kind = 'nothing' where seq = 4", 4, 'unreadable'],
    [
      'another digest',
      `update toolgate_audit set digest = 'sha256:${'1'.repeat(64)}' where seq = 4`,
      4,
      'digest',
    ],
    [
      'another predecessor',
      `update toolgate_audit set previous = 'sha256:${'1'.repeat(64)}' where seq = 4`,
      4,
      'digest',
    ],
    ['a deleted record', 'delete from toolgate_audit where seq = 4', 4, 'sequence'],
    ['a deleted first record', 'delete from toolgate_audit where seq = 1', 1, 'sequence'],
    [
      'a gap that was closed',
      'delete from toolgate_audit where seq = 4; update toolgate_audit set seq = 4 where seq = 5',
      4,
      'digest',
    ],
    [
      'two that were swapped',
      'update toolgate_audit set seq = 99 where seq = 4; update toolgate_audit set seq = 4 where seq = 5; update toolgate_audit set seq = 5 where seq = 99',
      4,
      'digest',
    ],
    ['a cut tail', 'delete from toolgate_audit where seq >= 7', 7, 'truncated'],
    ['an emptied table', 'delete from toolgate_audit', 1, 'truncated'],
    [
      'a record before the first',
      `insert into toolgate_audit select 0, at, kind, actor, data, previous, digest from toolgate_audit where seq = 1`,
      1,
      'sequence',
    ],
    [
      'a record after the last',
      `insert into toolgate_audit select 9, at, kind, actor, data, previous, digest from toolgate_audit where seq = 8`,
      9,
      'digest',
    ],
    [
      'a head that was set back',
      `update toolgate_audit_head set seq = 6, digest = (select digest from toolgate_audit where seq = 6)`,
      7,
      'sequence',
    ],
    ['a head that was taken away', 'delete from toolgate_audit_head', 9, 'unreadable'],
    ['a head that is none', `update toolgate_audit_head set digest = 'none'`, 9, 'unreadable'],
    [
      'a changed record behind a head that was taken away',
      "delete from toolgate_audit_head; update toolgate_audit set actor = 'eve' where seq = 4",
      4,
      'digest',
    ],
    ['another head', `update toolgate_audit_head set digest = 'sha256:${'1'.repeat(64)}'`, 8, 'anchor'],
  ])('finds %s at the first bad record', async (_what, statement, seq, fault) => {
    await appendMany(8);
    await tamper(statement);
    expect(await audit.verify()).toEqual({ ok: false, seq, fault });
  });

  test('finds a rewritten tail and a consistent cut only by a head that was kept elsewhere', async () => {
    await appendMany(5);
    const anchor = await audit.head();
    await appendMany(3);
    const [, , third] = await collect(audit.read());
    if (third === undefined) throw new Error('there are eight');
    const forged = sealRecord(entry({ index: 666 }), 1_000, third);
    const row = `(${forged.seq}, ${forged.at}, '${forged.kind}', '${forged.actor}', '{"index":666}', '${forged.previous}', '${forged.digest}')`;
    await tamper(
      `delete from toolgate_audit where seq > 3; insert into toolgate_audit (seq, at, kind, actor, data, previous, digest) values ${row}; update toolgate_audit_head set seq = 4, digest = '${forged.digest}'`,
    );
    expect(await audit.verify()).toMatchObject({ ok: true, records: 4 });
    expect(await audit.verify({ anchor })).toEqual({ ok: false, seq: 5, fault: 'truncated' });
    await audit.append(entry());
    expect(await audit.verify({ anchor })).toEqual({ ok: false, seq: 5, fault: 'anchor' });
  });

  test('says no without a head to write after', async () => {
    await tamper('delete from toolgate_audit_head');
    const refused = expect.objectContaining({ code: 'gateway/storage-invalid' });
    await expect(audit.append(entry())).rejects.toThrow(refused);
    await expect(audit.head()).rejects.toThrow(refused);
  });

  test('is exported as JSON lines that verify by themselves, also while it grows', async () => {
    await appendMany(700);
    const lines: string[] = [];
    for await (const line of audit.export()) {
      if (lines.length === 10) await audit.append(entry({ late: true }));
      lines.push(line);
    }
    expect(lines.length).toBeGreaterThanOrEqual(700);
    expect(await verifyExport(lines)).toMatchObject({ ok: true, records: lines.length });
    expect(await collect(audit.export(699))).toEqual(lines.slice(699, 701));
  });
});

describe('an entry', () => {
  let storage: Storage;
  let audit: AuditLog;
  beforeEach(async () => {
    storage = await openStorage('sqlite::memory:');
    audit = createAuditLog({ storage });
  });
  afterEach(async () => {
    await audit.close();
    await storage.close();
  });

  test.each<[string, unknown]>([
    ['of another kind', { ...entry(), kind: 'toString' }],
    ['of nobody', { ...entry(), actor: '' }],
    ['of an endless actor', { ...entry(), actor: 'a'.repeat(257) }],
    ['of an actor with a line break', { ...entry(), actor: 'a\nb' }],
    ['with no data', { ...entry(), data: undefined }],
    ['with a list', { ...entry(), data: [] }],
    ['with a number that is none', entry({ a: Number.NaN })],
    ['with half a surrogate pair', entry({ a: '\ud800' })],
    ['with too much data', entry({ a: 'x'.repeat(16_385) })],
  ])('%s is refused, and nothing is written', async (_what, bad) => {
    await expect(audit.append(bad as AuditEntry)).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/entry-invalid' }),
    );
    expect((await audit.head()).seq).toBe(0);
  });

  test('is taken as it was, whatever happens to the object afterwards', async () => {
    const data = { list: ['a'] };
    const appended = audit.append(entry(data));
    data.list.push('b');
    expect((await appended).data).toEqual({ list: ['a'] });
    expect(await audit.verify()).toMatchObject({ ok: true });
  });

  test('after the end is refused, and one before it is written', async () => {
    const last = audit.append(entry());
    const closing = audit.close();
    await expect(audit.append(entry())).rejects.toThrow(expect.objectContaining({ code: 'gateway/closed' }));
    await closing;
    expect((await last).seq).toBe(1);
  });

  test('that nobody waits for shares a write with others, and is part of the chain for who looks', async () => {
    let writes = 0;
    const counted: Storage = {
      ...storage,
      writeSteps: async (make, options) => {
        writes += 1;
        return storage.writeSteps(make, options);
      },
    };
    const soon = createAuditLog({ storage: counted });
    const first = soon.append(entry({ index: 0 }), { soon: true });
    await Promise.resolve();
    const second = soon.append(entry({ index: 1 }), { soon: true });
    expect((await soon.head()).seq).toBe(2);
    expect(writes).toBe(1);
    const third = soon.append(entry({ index: 2 }), { soon: true });
    await soon.append(entry({ index: 3 }));
    expect(writes).toBe(2);
    const last = soon.append(entry({ index: 4 }), { soon: true });
    await soon.close();
    const records = await Promise.all([first, second, third, last]);
    expect(records.map(({ seq }) => seq)).toEqual([1, 2, 3, 5]);
  });

  test('is written before the audit is closed or looked at, however many wait', async () => {
    const append = async (index: number): Promise<AuditRecord> =>
      audit.append(entry({ index }), { soon: true });
    const many = Array.from({ length: 1_200 }, (_, index) => append(index));
    expect((await audit.head()).seq).toBe(1_200);
    const more = Array.from({ length: 700 }, (_, index) => append(index));
    await audit.close();
    expect((await audit.head()).seq).toBe(1_900);
    const last = (await Promise.all([...many, ...more])).at(-1);
    expect(last).toMatchObject({ seq: 1_900, data: { index: 699 } });
  });

  test('that nobody waits for and that cannot be written is refused, and keeps no other back', async () => {
    const bad = audit.append(entry({ a: 'x'.repeat(16_385) }), { soon: true });
    const good = audit.append(entry({ index: 1 }), { soon: true });
    const last = audit.append({ ...entry(), actor: '' }, { soon: true });
    const invalid = expect.objectContaining({ code: 'gateway/entry-invalid' });
    const settled = Promise.allSettled([bad, good, last]);
    expect((await audit.head()).seq).toBe(1);
    const [first, second, third] = await settled;
    expect([first, third]).toEqual([
      { status: 'rejected', reason: invalid },
      { status: 'rejected', reason: invalid },
    ]);
    expect(second).toMatchObject({ status: 'fulfilled', value: { seq: 1, data: { index: 1 } } });
    await expect(audit.append({ ...entry(), actor: '' }, { soon: true })).rejects.toThrow(invalid);
    expect(await audit.verify()).toMatchObject({ ok: true, records: 1 });
  });

  test('that nobody waits for is written without any other coming', async () => {
    const record = await audit.append(entry(), { soon: true });
    expect(record.seq).toBe(1);
  });

  test('that storage does not take is reported to who appended it', async () => {
    await storage.close();
    await expect(audit.append(entry())).rejects.toThrow(expect.objectContaining({ code: 'gateway/closed' }));
  });
});

describe('an exported audit', () => {
  const records: AuditRecord[] = [];
  let head = { seq: 0, digest: `sha256:${'0'.repeat(64)}` as AuditRecord['digest'] };
  for (let index = 0; index < 6; index++) {
    const record = sealRecord(entry({ index, note: 'zürich \u{1f600}' }), 1_000 + index, head);
    records.push(record);
    head = record;
  }
  const lines = records.map((record) => `${writeRecord(record)}\n`);
  const file = Buffer.from(lines.join(''));
  const lineOf = (offset: number): number =>
    file.subarray(0, offset).filter((byte) => byte === 0x0a).length + 1;
  const check = (bytes: Uint8Array): ReturnType<typeof verifyExport> =>
    verifyExport(
      [Buffer.from(bytes).toString('latin1')].map((text) => Buffer.from(text, 'latin1').toString('utf8')),
    );

  test('verifies in whatever pieces it is read', async () => {
    const text = lines.join('');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length)), async (cuts) => {
        const places = [0, ...[...cuts].sort((left, right) => left - right), text.length];
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end));
        expect(await verifyExport(pieces)).toEqual({
          ok: true,
          records: 6,
          head: { seq: 6, digest: head.digest },
        });
      }),
    );
  });

  test('with any one bit flipped is bad at the record of that bit', async () => {
    for (let offset = 0; offset < file.length; offset++) {
      for (let bit = 0; bit < 8; bit += 3) {
        const flipped = Uint8Array.from(file);
        flipped[offset] = (file[offset] ?? 0) ^ (1 << bit);
        expect(await check(flipped), `bit ${bit} of byte ${offset}`).toMatchObject({
          ok: false,
          seq: lineOf(offset),
        });
      }
    }
  });

  test('with a line taken out, put in twice or moved is bad there', async () => {
    const size = lines.length;
    for (let index = 0; index < size - 1; index++) {
      const without = lines.filter((_, at) => at !== index);
      expect(await verifyExport(without)).toEqual({ ok: false, seq: index + 1, fault: 'sequence' });
      const twice = [...lines.slice(0, index + 1), ...lines.slice(index)];
      expect(await verifyExport(twice)).toEqual({ ok: false, seq: index + 2, fault: 'sequence' });
      const swapped = [...lines];
      [swapped[index], swapped[index + 1]] = [lines[index + 1] ?? '', lines[index] ?? ''];
      expect(await verifyExport(swapped)).toEqual({ ok: false, seq: index + 1, fault: 'sequence' });
    }
  });

  test('that was cut within a line is bad there, and between lines only an anchor tells', async () => {
    const anchor = { seq: 6, digest: head.digest };
    for (let length = 0; length < file.length; length++) {
      const cut = await check(file.subarray(0, length));
      const between = length === 0 || file[length - 1] === 0x0a;
      if (!between) expect(cut).toMatchObject({ ok: false, seq: lineOf(length), fault: 'unreadable' });
      else expect(cut).toMatchObject({ ok: true, records: lineOf(length) - 1 });
    }
    expect(await verifyExport(lines.slice(0, 4), { anchor })).toEqual({
      ok: false,
      seq: 5,
      fault: 'truncated',
    });
    expect(await verifyExport(lines, { anchor })).toMatchObject({ ok: true });
  });

  test('whose records follow each other but not their digests is bad where it begins', async () => {
    const other = sealRecord(entry({ index: 9 }), 1, { seq: 2, digest: records[0]?.digest ?? head.digest });
    expect(await verifyExport([...lines.slice(0, 2), `${writeRecord(other)}\n`])).toEqual({
      ok: false,
      seq: 3,
      fault: 'previous',
    });
  });

  test('of one endless line is given up early', async () => {
    let given = 0;
    function* endless(): Generator<string> {
      for (; given < 1_000; given++) yield 'x'.repeat(10_000);
    }
    expect(await verifyExport(endless())).toEqual({ ok: false, seq: 1, fault: 'unreadable' });
    expect(given).toBeLessThan(20);
  });

  test('has one canonical line for each record', () => {
    for (const line of lines) {
      const members = Object.keys(readJson(line) as JsonObject);
      expect(members).toEqual([...members].sort());
      expect(line).not.toContain(': ');
    }
  });
});
