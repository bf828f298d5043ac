import { digest } from '@toolgate/core';
import { expect, test } from 'vitest';
import { ask } from '../../test-support/admin.ts';
import { type TestGateway, testConfig, withGateway } from '../../test-support/gateway-fixture.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { Secret } from '../config/secret.ts';
import { NO_GRANTS } from '../config/to-grants.ts';

test('of two reloads the one that was asked for last serves in the end, however long the first one reads', async () => {
  const reads: (() => void)[] = [];
  const texts = ['one', 'two'];
  const source = async (): Promise<GatewayConfig> => {
    const config = { ...testConfig({ providers: {} }), digest: digest(texts.shift() ?? 'none') };
    // The first one reads until it is let go on, the second one does not wait.
    if (texts.length > 0) await new Promise<void>((resolve) => reads.push(resolve));
    return config;
  };
  await withGateway({ providers: {}, options: { source } }, async ({ gateway, stores }) => {
    const first = gateway.reload();
    const second = gateway.reload();
    const ahead = await Promise.race([
      second.then(() => 'second'),
      new Promise((done) => setImmediate(done, 'none')),
    ]);
    for (const read of reads) read();
    expect([await first, await second, ahead]).toEqual([
      { kind: 'published', number: 2 },
      { kind: 'published', number: 3 },
      'none',
    ]);
    const loaded = [];
    for await (const { data, kind } of stores.audit.read()) if (kind === 'config-load') loaded.push(data);
    expect(loaded).toEqual([
      { generation: 1, digest: digest('test') },
      { generation: 2, digest: digest('one') },
      { generation: 3, digest: digest('two') },
    ]);
  });
});

/** A gateway that listens as one configuration says, with another one to come. */
const withNext = <Result>(
  started: Partial<GatewayConfig>,
  next: Partial<GatewayConfig>,
  use: (gateway: TestGateway, lines: readonly Readonly<Record<string, unknown>>[]) => Promise<Result>,
): Promise<Result> => {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const options = {
    source: async () => testConfig({ providers: {}, grants: { admin: true }, config: next }),
    log: (line: string) => void lines.push(JSON.parse(line) as Readonly<Record<string, unknown>>),
  };
  return withGateway({ providers: {}, grants: { admin: true }, config: started, options }, (gateway) =>
    use(gateway, lines),
  );
};
const { limits, listen, storage } = testConfig({ providers: {} });

test('what only a restart changes is told, to whoever asked for the reload and in the log', async () => {
  const next = {
    listen: { ...listen, port: 1, allowedHosts: ['gateway.example'] },
    storage: { ...storage, url: new Secret('postgres://planted@h/d'), contents: true, retentionDays: 1 },
    limits: { ...limits, bodyBytes: 1, concurrency: 7 },
  };
  await withNext({}, next, async (gateway, lines) => {
    const needsRestart = [
      '/listen/port',
      '/listen/allowedHosts',
      '/storage/url',
      '/storage/contents',
      '/storage/retentionDays',
      '/limits/bodyBytes',
    ];
    const answered = await ask(gateway, '/api/reload', {});
    expect([answered.status, answered.body]).toEqual([200, { published: true, generation: 2, needsRestart }]);
    const told = lines.filter(({ event }) => event === 'config-needs-restart');
    expect(told).toMatchObject([{ level: 'warn', generation: 2, settings: needsRestart }]);
    expect(JSON.stringify(lines)).not.toContain('planted');
  });
});

test('one that changes nothing of that tells nothing of it', async () => {
  await withNext({}, { audit: { allowedCalls: false } }, async (gateway) => {
    const answered = await ask(gateway, '/api/reload', {});
    expect(answered.body).toEqual({ published: true, generation: 2 });
  });
});

test('a gateway that others reach asks for keys, although the new configuration would listen on this machine alone', async () => {
  const auth = { required: false, anonymous: NO_GRANTS };
  await withNext({ listen: { ...listen, host: '0.0.0.0' } }, { auth }, async (gateway) => {
    const url = gateway.url.replace('0.0.0.0', '127.0.0.1');
    const answered = await ask({ url }, '/api/reload', {});
    expect([answered.status, answered.body]).toMatchObject([
      409,
      { published: false, generation: 1, place: { pointer: '/auth/required' } },
    ]);
    expect((await ask({ url }, '/v1/models', undefined, { key: '' })).status).toBe(401);
    const refused = [];
    for await (const { data, kind } of gateway.stores.audit.read())
      if (kind === 'config-refuse') refused.push(data);
    expect(refused).toEqual([{ code: 'gateway/config-invalid', generation: 1, pointer: '/auth/required' }]);
  });
});

test('an empty configuration, as of a file that is just being written, takes the place of none that serves', async () => {
  await withNext({}, { keys: [], routes: [] }, async (gateway) => {
    const answered = await ask(gateway, '/api/reload', {});
    expect([answered.status, answered.body]).toMatchObject([
      409,
      { published: false, generation: 1, place: { pointer: '' } },
    ]);
    expect((await ask(gateway, '/api/status')).status).toBe(200);
  });
});
