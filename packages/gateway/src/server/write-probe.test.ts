import { createFakeClock } from '@toolgate/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import type { StorageKind } from '../storage/storage-kind.ts';
import { createTrafficLog } from '../storage/traffic-log.ts';
import { createWriteProbe } from './write-probe.ts';

/** What makes storage take nothing, as a full disk does, and what undoes that. */
const FULL: Readonly<Record<StorageKind, readonly [string, string]>> = {
  sqlite: [
    "create trigger full_disk before update on toolgate_audit_head begin select raise(abort, 'full'); end",
    'drop trigger full_disk',
  ],
  postgres: [
    'alter table toolgate_audit_head add constraint full_disk check (seq < 0) not valid',
    'alter table toolgate_audit_head drop constraint full_disk',
  ],
};

describe.each(storageEngines)('$name', (engine) => {
  beforeAll(() => engine.start(), 120_000);
  afterAll(() => engine.stop());

  async function open(): Promise<{ storage: Storage; run: (statement: string) => Promise<void> }> {
    const storage = await openStorage(await engine.createUrl());
    const run = async (statement: string): Promise<void> => {
      await storage.read(async (database) => sql.raw(statement).execute(database));
    };
    return { storage, run };
  }

  test('storage that only reads is told from one that takes what is written, soon after it changes', async () => {
    const { run, storage } = await open();
    const clock = createFakeClock();
    const errors: unknown[] = [];
    const probe = createWriteProbe({ storage, clock, onError: (error) => errors.push(error) });
    const [full, good] = FULL[storage.kind];
    expect(await probe()).toBe(true);
    await run(full);
    // It is not written to each time that somebody asks.
    expect([await probe(), errors]).toEqual([true, []]);
    await clock.advance(10_000);
    expect(await probe()).toBe(false);
    expect(errors).toMatchObject([{ code: 'gateway/storage-unavailable' }]);
    await run(good);
    await clock.advance(1_000);
    expect(await probe()).toBe(true);
    await storage.close();
    expect(await probe()).toBe(false);
  });

  test('nothing is changed by asking, and an audit without its head cannot be written', async () => {
    const { run, storage } = await open();
    const audit = createAuditLog({ storage });
    await audit.append({ kind: 'gateway-start', actor: 'system', data: {} });
    const errors: unknown[] = [];
    const options = { storage, onError: (error: unknown) => errors.push(error) };
    expect(await createWriteProbe({ ...options, clock: createFakeClock() })()).toBe(true);
    expect(await audit.verify()).toMatchObject({ ok: true, records: 1 });
    const traffic = createTrafficLog({ storage });
    expect(await traffic.list()).toEqual({ items: [] });
    await traffic.close();
    await run('delete from toolgate_audit_head');
    expect(await createWriteProbe({ ...options, clock: createFakeClock() })()).toBe(false);
    expect(errors).toMatchObject([{ code: 'gateway/storage-invalid' }]);
    await storage.close();
  });
});
