import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askPayment } from '../../test-support/admin.ts';
import { type TestGateway, withGateway } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { storageEngines } from '../../test-support/storage-engines.ts';
import { Secret } from '../config/secret.ts';
import { endpoints } from './endpoints.ts';

/** Texts that mean something to a database, a log, a path or a script. */
const TEXTS: readonly string[] = [
  '\0',
  'a\0b',
  "' or 1=1 --",
  '"; drop table toolgate_audit; --',
  '%',
  '_',
  '\\',
  '{"$gt":""}',
  '[]',
  '../../etc/passwd',
  '\r\nset-cookie: x=y',
  '\u{202e}\u{ffff}\u{10ffff}',
  '<script>',
  '__proto__',
  'constructor',
  'NaN',
  '-1',
  '1e309',
  '9'.repeat(40),
  'é'.repeat(200),
];

const BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '{"reason":"a","reason":"b"}',
  '{"arguments":{"amount":1,"amount":2}}',
  '{"arguments":{"__proto__":{"amount":1}}}',
  '{"__proto__":{"admin":true}}',
  '{"principal":"a","grants":{"constructor":{"admin":true}}}',
  '{"principal":"a\\u0000b"}',
  '{"principal":"a","grants":{"allow":["\\u0000"]}}',
  '{"principal":"\\ud800"}',
  '{"reason":"\\u0000\\u202e"}',
  '{"anchor":{"seq":1e300,"digest":"sha256:x"}}',
  '{"anchor":{"seq":9007199254740991,"digest":"sha256:0000000000000000000000000000000000000000000000000000000000000000"}}',
  '{"expiresAt":8640000000000000}',
  '{"expiresAt":1e999}',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `{"arguments":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
  `{"reason":"${'x'.repeat(1_100_000)}"}`,
];

describe.each(storageEngines)('a gateway on $name', (engine) => {
  beforeAll(() => engine.start(), 60_000);
  afterAll(() => engine.stop(), 60_000);

  const withAdmin = async (use: (gateway: TestGateway) => Promise<void>): Promise<void> => {
    const storage = { url: new Secret(await engine.createUrl()), contents: true, retentionDays: 1 };
    await withGateway({ providers: {}, grants: { admin: true }, config: { storage } }, use);
  };
  /** Every answer is one of ours, and nothing broke on the way to it. */
  const check = async (
    { errors, url }: TestGateway,
    method: string,
    path: string,
    body = '',
  ): Promise<number> => {
    const { body: text, broken, headers, status } = await post(`${url}${path}`, body, { method });
    const what = `${method} ${path.slice(0, 200)} ${body.slice(0, 80)}`;
    expect([what, status < 500, broken, errors.length]).toEqual([what, true, false, 0]);
    expect(headers['x-request-id'], what).toMatch(/^[\w-]+$/);
    expect(headers['set-cookie'], what).toBeUndefined();
    if (status >= 400) expect(Object.keys(JSON.parse(text) as object), what).toContain('error');
    return status;
  };

  test('answers what is in addresses and queries with an answer of its own, and finds nothing by it', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      for (const { method, path, query = {} } of endpoints) {
        for (const text of TEXTS.map(encodeURIComponent)) {
          if (path.includes(':id') && method === 'GET')
            expect(await check(gateway, method, path.replace(':id', text))).toBe(404);
          for (const name of Object.keys(query)) await check(gateway, method, `${path}?${name}=${text}`);
          if (method === 'GET') await check(gateway, method, `${path.replace(':id', 'a')}?${text}=${text}`);
        }
      }
      const missing = await post(
        `${gateway.url}/api/approvals?tool=${encodeURIComponent("' or 1=1 --")}`,
        '',
        {
          method: 'GET',
        },
      );
      expect(JSON.parse(missing.body)).toEqual({ items: [] });
      expect(await gateway.stores.audit.verify()).toMatchObject({ ok: true });
    });
  }, 300_000);

  test('answers every body with an answer of its own, and decides nothing by one that is not right', async () => {
    await withAdmin(async (gateway) => {
      await askPayment(gateway, 'a');
      for (const { method, path } of endpoints) {
        if (method === 'GET') continue;
        for (const body of BODIES) {
          const status = await check(gateway, method, path.replace(':id', 'b'), body);
          expect([200, 201, 400, 404, 409, 413, 415], `${path} ${body.slice(0, 80)}`).toContain(status);
        }
      }
      for (const body of BODIES.filter((each) => !each.startsWith('{"reason":"\\u'))) {
        await check(gateway, 'POST', '/api/approvals/a/decline', body);
        await check(gateway, 'POST', '/api/approvals/a/approve', body);
      }
      expect(await gateway.stores.approvals.get('a')).toMatchObject({ status: 'pending' });
      for (const { record } of gateway.stores.keys.all()) expect(record.grants.admin).toBe(false);
    });
  }, 300_000);
});
