import { inspect } from 'node:util';
import { digest, readJson } from '@toolgate/core';
import { createFakeClock, type FakeClock } from '@toolgate/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { createAuditLog } from '../audit/audit-log.ts';
import type { KeyConfig } from '../config/gateway-config.ts';
import { NO_GRANTS, toGrants } from '../config/to-grants.ts';
import type { NewKey } from '../ports/key-ring.ts';
import { type Grants, type Principal, permits, permitsTool } from '../ports/principal.ts';
import { openStorage } from '../storage/open-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { createKeyRing } from './create-key-ring.ts';
import { keyDigest } from './key-text.ts';
import { makePrincipal } from './make-principal.ts';
import { openStoredKeys, type StoredKeys } from './stored-keys.ts';

const CONFIGURED = 'configured-key-of-the-tests';
const keys: readonly KeyConfig[] = [
  { id: 'ci', principal: 'ci-bot', digest: keyDigest(CONFIGURED), grants: { ...NO_GRANTS, admin: true } },
];

describe.each(storageEngines)('keys in $name', (engine) => {
  let url: string;
  let storage: Storage;
  let clock: FakeClock;
  let stored: StoredKeys;
  let errors: unknown[];

  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);
  beforeEach(async () => {
    errors = [];
    url = await engine.createUrl();
    clock = createFakeClock({ now: 1_000 });
    storage = await openStorage(url);
    stored = await openStoredKeys({ storage, clock, onError: (error) => errors.push(error) });
  });
  afterEach(async () => {
    await stored.close();
    await storage.close();
  });

  test('are shown once, kept as digests only, and recognised', async () => {
    const ring = createKeyRing({ keys, stored });
    const { key, record } = await ring.create({
      principal: 'ana',
      by: 'root',
      grants: { allow: ['read_file'] },
    });
    expect(key).toMatch(/^tg_[0-9a-f]{16}_[A-Za-z0-9_-]{43}$/);
    expect(record).toMatchObject({ principal: 'ana', origin: 'stored', createdBy: 'root', createdAt: 1_000 });
    expect(await ring.authenticate(key)).toMatchObject({ id: 'ana', keyId: record.id, admin: false });
    expect(await ring.authenticate(CONFIGURED)).toMatchObject({ id: 'ci-bot', keyId: 'ci', admin: true });
    const rows = await storage.read(async (database) =>
      database.selectFrom('toolgate_keys').selectAll().execute(),
    );
    const lines: string[] = [];
    for await (const line of createAuditLog({ storage }).export()) lines.push(line);
    const everything = [rows, await ring.list(), lines, inspect(ring, { depth: 9, showHidden: true })];
    expect(JSON.stringify(everything)).not.toContain(key.slice(20));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"key-create"');
  });

  test('of nobody open nothing', async () => {
    const ring = createKeyRing({ keys, stored });
    const { key } = await ring.create({ principal: 'ana', by: 'root' });
    for (const wrong of [
      undefined,
      '',
      ' ',
      key.slice(0, -1),
      `${key}x`,
      ` ${key}`,
      key.toUpperCase(),
      keyDigest(key),
      keyDigest(CONFIGURED),
      'x'.repeat(100_000),
      '__proto__',
      'constructor',
    ]) {
      expect(await ring.authenticate(wrong)).toBeUndefined();
    }
  });

  test('that are revoked open nothing any more, here at once and elsewhere soon', async () => {
    const other = await openStorage(url);
    const elsewhere = await openStoredKeys({ storage: other, clock });
    const here = createKeyRing({ keys, stored });
    const there = createKeyRing({ keys: [], stored: elsewhere });
    const { key, record } = await here.create({ principal: 'ana', by: 'root' });
    expect(await there.authenticate(key)).toBeUndefined();
    await there.refresh();
    expect((await there.authenticate(key))?.id).toBe('ana');
    expect(await here.revoke(record.id, 'root')).toBe(true);
    expect(await here.revoke(record.id, 'root')).toBe(false);
    expect(await here.revoke('ci', 'root')).toBe(false);
    expect(await here.authenticate(key)).toBeUndefined();
    await there.refresh();
    expect(await there.authenticate(key)).toBeUndefined();
    expect(await here.list()).toMatchObject([
      { id: 'ci', origin: 'config' },
      { id: record.id, revokedBy: 'root', revokedAt: 1_000 },
    ]);
    await elsewhere.close();
    await other.close();
  });

  test('are read again every two seconds', async () => {
    const other = await openStorage(url);
    const elsewhere = await openStoredKeys({ storage: other, clock });
    const ring = createKeyRing({ keys, stored });
    const { key } = await elsewhere.create({ principal: 'ana', by: 'root' });
    expect(await ring.authenticate(key)).toBeUndefined();
    let known: Principal | undefined;
    for (let turns = 0; turns < 1_000 && known === undefined; turns++) {
      await clock.advance(2_000);
      known = await ring.authenticate(key);
    }
    expect(known?.id).toBe('ana');
    await elsewhere.close();
    await other.close();
  });

  test('may be granted more tools by name than one record of the audit holds', async () => {
    const allow = Array.from({ length: 1_000 }, (_, index) => `tool_${index}_${'x'.repeat(40)}`);
    const { record } = await stored.create({ principal: 'ana', grants: { allow }, by: 'root' });
    expect(record.grants.allow).toEqual(allow);
    const audit = createAuditLog({ storage, clock });
    for await (const { data } of audit.read())
      expect(data).toEqual({
        key: record.id,
        principal: 'ana',
        grantsDigest: digest(readJson(JSON.stringify(record.grants))),
      });
    expect(await audit.verify()).toMatchObject({ ok: true, records: 1 });
    await audit.close();
  });

  test('are the same ones as long as none was changed, and one that cannot be read is told of once', async () => {
    const first = await stored.create({ principal: 'ana', by: 'root' });
    await stored.create({ principal: 'ben', by: 'root' });
    const ben = stored.all().find((each) => each.record.principal === 'ben');
    const before = stored.all();
    await stored.refresh();
    expect(stored.all()).toBe(before);
    await storage.write(async (transaction) =>
      sql`update toolgate_keys set grants = 'none' where id = ${first.record.id}`.execute(transaction),
    );
    await stored.refresh();
    await stored.refresh();
    expect(stored.all()).toEqual([ben]);
    expect(stored.all()[0]).toBe(ben);
    expect(errors).toHaveLength(1);
  });

  test('that were revoked are so when that is told, also while they are read for another reason', async () => {
    const ring = createKeyRing({ keys, stored });
    const { key, record } = await ring.create({ principal: 'ana', by: 'root' });
    const revoked = ring.revoke(record.id, 'root');
    const others = Array.from({ length: 50 }, () => ring.refresh());
    expect(await revoked).toBe(true);
    expect(await ring.authenticate(key)).toBeUndefined();
    await Promise.all(others);
  });

  test('that cannot be read open nothing, and keep no other from being read', async () => {
    const ring = createKeyRing({ keys, stored });
    const first = await ring.create({ principal: 'ana', by: 'root' });
    const second = await ring.create({ principal: 'ben', by: 'root' });
    await storage.write(async (transaction) =>
      sql`update toolgate_keys set grants = '{"toolsDefault":"everything"}' where id = ${first.record.id}`.execute(
        transaction,
      ),
    );
    await ring.refresh();
    expect(await ring.authenticate(first.key)).toBeUndefined();
    expect((await ring.authenticate(second.key))?.id).toBe('ben');
    expect(errors).toHaveLength(1);
  });

  test.each<[string, Partial<NewKey>]>([
    ['nobody', { principal: '' }],
    ['an endless name', { principal: 'a'.repeat(129) }],
    ['a name of two lines', { principal: 'ana\nroot' }],
    ['the gateway itself', { principal: 'system' }],
    ['a name that ends a text', { principal: 'ana\0' }],
    ['half a character', { principal: 'ana\ud800' }],
    ['a maker without a name', { by: '' }],
    ['a tool pattern', { grants: { deny: ['rm*'] } }],
    ['a list that is a text', { grants: { allow: 'rm' as unknown as readonly string[] } }],
    ['another member', { grants: { root: true } as Partial<Grants> }],
    ['a limit of zero', { grants: { limits: { concurrency: 0 } } }],
    ['a list beside all', { grants: { toolsDefault: 'allow', allow: ['a'] } }],
    ['a word for admin', { grants: { admin: 'yes' as unknown as boolean } }],
  ])('for %s are not made', async (_what, change) => {
    await expect(stored.create({ principal: 'ana', by: 'root', ...change })).rejects.toThrow(
      expect.objectContaining({ code: 'gateway/entry-invalid' }),
    );
    expect(stored.all()).toEqual([]);
  });
});

describe('a principal', () => {
  const principal = (grants: Partial<Grants>): Principal => makePrincipal('ana', 'key', toGrants(grants));

  test.each<[Partial<Grants>, readonly string[]]>([
    [{}, []],
    [{ toolsDefault: 'deny', deny: ['b'] }, []],
    [{ allow: ['a'] }, ['a']],
    [{ allow: ['a', 'b'], deny: ['b'] }, ['a']],
    [{ toolsDefault: 'allow' }, ['a', 'b', 'c']],
    [{ toolsDefault: 'allow', deny: ['b'] }, ['a', 'c']],
  ])('with %j may use %j', (grants, expected) => {
    const holder = principal(grants);
    expect(['a', 'b', 'c'].filter((tool) => permitsTool(holder, tool))).toEqual(expected);
    expect(Object.isFrozen(holder.grants.allow)).toBe(true);
  });

  test('reaches what is named, or everything where that is written', () => {
    expect(permits('all', 'x')).toBe(true);
    expect(permits(['x'], 'x')).toBe(true);
    expect(permits(['x'], 'X')).toBe(false);
    expect(permits([], 'x')).toBe(false);
  });
});
