import { describe, expect, test } from 'vitest';
import { ask } from '../../test-support/admin.ts';
import {
  CLIENT_KEY,
  type GatewaySetup,
  type TestGateway,
  testConfig,
  withGateway,
} from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { GatewayError } from '../ports/gateway-error.ts';

const withAdmin = <Result>(
  use: (gateway: TestGateway) => Promise<Result>,
  options: NonNullable<GatewaySetup['options']> = {},
): Promise<Result> => withGateway({ providers: {}, grants: { admin: true }, options }, use);

describe('the gateway itself', () => {
  test('says how it stands', async () => {
    await withAdmin(async (gateway) => {
      expect((await ask(gateway, '/api/status')).body).toMatchObject({
        generation: 1,
        draining: false,
        storage: true,
        audit: { seq: 2 },
        dropped: { calls: 0, traffic: 0 },
      });
      expect((await ask(gateway, '/api/tools')).body).toEqual({ servers: [], lookAlikes: [] });
    });
  });

  test('reads its configuration again for whoever asks, and keeps the last good one', async () => {
    const good = testConfig({ providers: {}, grants: { admin: true } });
    let next: () => Promise<GatewayConfig> = async () => good;
    const source = (): Promise<GatewayConfig> => next();
    await withAdmin(
      async (gateway) => {
        expect(await ask(gateway, '/api/reload', {})).toEqual({
          status: 200,
          body: { published: true, generation: 2 },
        });
        next = async () => {
          const place = { pointer: '/routes/0', line: 3, column: 5 };
          throw new GatewayError('gateway/config-invalid', 'There is no such provider.', { place });
        };
        expect(await ask(gateway, '/api/reload', {})).toEqual({
          status: 409,
          body: {
            published: false,
            generation: 2,
            code: 'gateway/config-invalid',
            message: 'There is no such provider.',
            place: { pointer: '/routes/0', line: 3, column: 5 },
          },
        });
        const records = [];
        for await (const { actor, data, kind } of gateway.stores.audit.read())
          records.push({ actor, data, kind });
        expect(records.slice(-2)).toMatchObject([
          { kind: 'config-load', actor: 'ana', data: { generation: 2 } },
          {
            kind: 'config-refuse',
            actor: 'ana',
            data: { code: 'gateway/config-invalid', pointer: '/routes/0' },
          },
        ]);
        expect((await ask(gateway, '/api/status')).body).toMatchObject({
          generation: 2,
          lastReload: {
            result: 'refused',
            at: expect.any(Number),
            by: 'ana',
            fault: { code: 'gateway/config-invalid', place: { line: 3 } },
          },
        });
        const text = (await post(`${gateway.url}/metrics`, '', { method: 'GET', key: '' })).body;
        expect(text).toContain('toolgate_config_reloads_total{result="applied"} 1\n');
        expect(text).toContain('toolgate_config_reloads_total{result="refused"} 1\n');
      },
      { source },
    );
  });

  test('reads it again also for who sends no body, and for nobody without a key', async () => {
    const good = testConfig({ providers: {}, grants: { admin: true } });
    await withAdmin(
      async (gateway) => {
        const authorization = `Bearer ${CLIENT_KEY}`;
        const send = async (init: RequestInit): Promise<number> =>
          (await fetch(`${gateway.url}/api/reload`, { method: 'POST', ...init })).status;
        expect((await ask(gateway, '/api/status')).body).not.toHaveProperty('lastReload');
        expect(await send({ headers: { authorization } })).toBe(200);
        expect(await send({ headers: { authorization, 'content-type': 'application/json' } })).toBe(200);
        expect(await send({ headers: { authorization, 'content-type': 'application/json' }, body: '' })).toBe(
          200,
        );
        expect(await send({ headers: { authorization, 'content-type': 'text/plain' }, body: '{}' })).toBe(
          415,
        );
        expect(
          await send({ headers: { authorization, 'content-type': 'application/json' }, body: '[]' }),
        ).toBe(400);
        expect(await send({})).toBe(401);
        expect((await ask(gateway, '/api/status')).body).toMatchObject({
          generation: 4,
          lastReload: { result: 'applied' },
        });
      },
      { source: async () => good },
    );
  });

  test('has nothing to read again where its configuration came from nowhere', async () => {
    await withAdmin(async (gateway) => {
      expect((await ask(gateway, '/api/reload', {})).body).toMatchObject({
        error: { code: 'entry_invalid' },
      });
      await expect(gateway.gateway.reload()).rejects.toMatchObject({ code: 'gateway/config-unreadable' });
    });
  });

  test('says of storage that does not answer that it does not', async () => {
    await withAdmin(async (gateway) => {
      expect(JSON.parse((await post(`${gateway.url}/readyz`, '', { method: 'GET' })).body)).toEqual({
        status: 'ready',
        storage: true,
        draining: false,
      });
      await gateway.stores.close();
      const ready = await post(`${gateway.url}/readyz`, '', { method: 'GET', key: '' });
      expect([ready.status, JSON.parse(ready.body)]).toMatchObject([
        503,
        { status: 'not-ready', storage: false },
      ]);
      expect((await post(`${gateway.url}/healthz`, '', { method: 'GET', key: '' })).status).toBe(200);
    });
  });
});
