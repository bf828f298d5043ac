import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, at } from '../../test-support/admin.ts';
import { type TestGateway, testConfig, withGateway } from '../../test-support/gateway-fixture.ts';
import { openPost, post } from '../../test-support/post.ts';
import { Secret } from '../config/secret.ts';
import { createGateway } from '../server/create-gateway.ts';
import { openStores } from '../server/open-stores.ts';
import { openStorage } from '../storage/open-storage.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tg-export-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A gateway with a long audit in a file, and what changes the file behind its back. */
async function withAudit(
  name: string,
  use: (gateway: TestGateway, tamper: (...statements: readonly string[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  const url = `sqlite:${join(folder, name)}`;
  const storage = { url: new Secret(url), contents: false, retentionDays: 1 };
  await withGateway({ providers: {}, grants: { admin: true }, config: { storage } }, async (gateway) => {
    const data = { note: 'x'.repeat(10_000) };
    await Promise.all(
      Array.from({ length: 1_000 }, () =>
        gateway.stores.audit.append({ kind: 'call-allow', actor: 'ana', data }),
      ),
    );
    await use(gateway, async (...statements) => {
      const other = await openStorage(url);
      for (const statement of ['drop trigger toolgate_audit_no_update', ...statements])
        await other.write(async (transaction) => sql`${sql.raw(statement)}`.execute(transaction));
      await other.close();
    });
  });
}

describe('an export of the audit', () => {
  test('breaks off at a record that cannot be read, so that nobody takes it for whole', async () => {
    await withAudit('broken.db', async (gateway, tamper) => {
      await tamper("update toolgate_audit set data = 'none' where seq = 900");
      const { body, broken } = await post(`${gateway.url}/api/audit`, '', { method: 'GET' });
      expect(broken).toBe(true);
      expect(body.split('\n').length).toBeLessThanOrEqual(900);
      expect(gateway.errors).toMatchObject([{ code: 'gateway/record-unreadable' }]);
      expect(await ask(gateway, '/api/audit/verify', {})).toEqual({
        status: 200,
        body: { ok: false, seq: 900, fault: 'unreadable' },
      });
    });
  });

  test.each([
    ['first.db', '/api/audit?after=6', "update toolgate_audit set data = 'none' where seq = 7"],
    ['headless.db', '/api/audit', 'delete from toolgate_audit_head'],
    ['headless-too.db', '/api/audit/head', 'delete from toolgate_audit_head'],
  ])('that cannot even begin says so, and what finds the fault (%s, %s)', async (name, path, statement) => {
    await withAudit(name, async (gateway, tamper) => {
      await tamper(statement);
      const { body, status } = await ask(gateway, path);
      expect([status, at(body, 'error', 'code')]).toEqual([500, 'storage_damaged']);
      expect(at(body, 'error', 'message')).toContain('"toolgate audit verify');
    });
  });

  test('is read no further than its reader goes, and holds nobody up', async () => {
    await withAudit('left.db', async (gateway) => {
      const slow = await openPost(`${gateway.url}/api/audit`, '', { method: 'GET' });
      expect(slow.response.statusCode).toBe(200);
      expect((await ask(gateway, '/api/status')).status).toBe(200);
      slow.leave();
      const { body, broken } = await post(`${gateway.url}/api/audit?after=990`, '', { method: 'GET' });
      expect(broken).toBe(false);
      // What the gateway wrote at its start, and each export, is in it too.
      expect(body.trim().split('\n').length).toBe(14);
      expect(gateway.errors).toEqual([]);
    });
  });
});

test('nothing of an export is read for HEAD', async () => {
  const stores = await openStores({ storage: testConfig({ providers: {} }).storage });
  let exported = 0;
  const audit = {
    ...stores.audit,
    async *export(after?: number) {
      exported += 1;
      yield* stores.audit.export(after);
    },
  };
  const config = testConfig({ providers: {}, grants: { admin: true } });
  const gateway = await createGateway({ config, stores: { ...stores, audit } });
  const url = await gateway.listen();
  const counts: number[] = [];
  for (const method of ['HEAD', 'GET']) {
    const { headers, status } = await post(`${url}/api/audit`, '', { method });
    expect([status, headers['content-type']]).toEqual([200, 'application/jsonl']);
    expect(headers).not.toHaveProperty('content-length');
    counts.push(exported);
  }
  expect(counts).toEqual([0, 1]);
  await gateway.close(0);
  await stores.close();
});

describe('a check of the audit', () => {
  test('is an answer, whatever was done to the chain', async () => {
    await withAudit('head.db', async (gateway, tamper) => {
      await tamper('delete from toolgate_audit_head');
      expect(await ask(gateway, '/api/audit/verify', {})).toMatchObject({
        status: 200,
        body: { ok: false, fault: 'unreadable' },
      });
    });
  });
});
