import { digest } from '@toolgate/core';
import { expect, test } from 'vitest';
import { testConfig, withGateway } from '../../test-support/gateway-fixture.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';

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
