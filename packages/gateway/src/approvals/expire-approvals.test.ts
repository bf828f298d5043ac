import { createFakeClock } from '@toolgate/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payment } from '../../test-support/approval-fixtures.ts';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createApprovalStore } from './approval-store.ts';

const COUNT = 230;

describe.each(storageEngines)('many approvals in $name whose time is over', (engine) => {
  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);

  test('are settled in few transactions, each with its record, and one that was tampered with is left', async () => {
    const clock = createFakeClock({ now: 1_000 });
    const errors: unknown[] = [];
    const storage = await openStorage(await engine.createUrl());
    let writes = 0;
    const counted: Storage = {
      ...storage,
      write: async (work) => {
        writes += 1;
        return storage.write(work);
      },
    };
    const onError = (error: unknown): void => void errors.push(error);
    const store = await createApprovalStore({ storage: counted, clock, sweepMs: 2e9, pollMs: 1e9, onError });
    const audit = createAuditLog({ storage, clock });
    const heard = new Set<string>();
    const expires = { expiresAt: 5_000 } as const;
    await store.create(payment('touched', { expiresAt: 4_999 }));
    for (let index = 0; index < COUNT; index += 1) await store.create(payment(`a${index}`, expires));
    await store.create(payment('later', { expiresAt: 5_001 }));
    await storage.write(async (transaction) =>
      sql`update toolgate_approvals set tool = 'other' where id = 'touched'`.execute(transaction),
    );
    store.subscribe(({ id, status }) => status === 'expired' && heard.add(id));
    writes = 0;
    await clock.advance(4_000);
    const pending = await store.list({ status: 'pending' }, { contents: false, limit: 500 });
    expect(pending.items.map(({ id }) => id)).toEqual(['later', 'touched']);
    expect((await store.list({ status: 'expired' }, { limit: 500 })).items).toHaveLength(COUNT);
    expect(writes).toBeLessThan(10);
    expect(errors).toContainEqual(expect.objectContaining({ code: 'gateway/record-unreadable' }));
    await expect.poll(() => heard.size).toBe(COUNT);
    const kinds: string[] = [];
    for await (const { kind, actor } of audit.read()) if (kind === 'approval-expire') kinds.push(actor);
    expect(kinds).toEqual(Array.from({ length: COUNT }, () => 'system'));
    expect(await audit.verify()).toMatchObject({ ok: true });
    expect(await store.get('a7')).toMatchObject({
      status: 'expired',
      settlement: { by: 'system', at: 5_000 },
    });
    await store.close();
    await audit.close();
    await storage.close();
  });
});
