import { expect, test } from 'vitest';
import { askPayment } from '../../test-support/admin.ts';
import { testConfig, withGateway } from '../../test-support/gateway-fixture.ts';
import { type HookReceiver, hookReceiver } from '../../test-support/hook-receiver.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { Secret } from '../config/secret.ts';

const approvalsTo = (hook: HookReceiver | undefined): Pick<GatewayConfig, 'approvals'> => ({
  approvals: {
    lifetimeMs: 60_000,
    webhook:
      hook === undefined ? undefined : { url: hook.url, secret: new Secret('planted-hook'), contents: false },
  },
});

/** Ids of the approvals that an address was told of. */
const toldOf = ({ received }: HookReceiver): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { readonly data: { readonly id: string } }).data.id);

test('news about approvals go where the configuration that serves says, and nowhere else', async () => {
  const [first, second] = [await hookReceiver(), await hookReceiver()];
  await withGateway({ providers: {}, config: approvalsTo(first) }, async (gateway) => {
    const reload = (hook: HookReceiver | undefined) =>
      gateway.gateway.reload(testConfig({ providers: {}, config: approvalsTo(hook) }));
    await askPayment(gateway, 'a');
    await expect.poll(() => toldOf(first)).toEqual(['a']);
    await reload(first);
    await askPayment(gateway, 'b');
    await expect.poll(() => toldOf(first)).toEqual(['a', 'b']);
    await reload(second);
    await askPayment(gateway, 'c');
    await expect.poll(() => toldOf(second)).toEqual(['c']);
    await reload(undefined);
    const seen = new Promise<void>((resolve) => {
      const stop = gateway.stores.approvals.subscribe(({ id }) => {
        if (id !== 'd') return;
        stop();
        resolve();
      });
    });
    await askPayment(gateway, 'd');
    await seen;
    await reload(second);
    await askPayment(gateway, 'e');
    await expect.poll(() => toldOf(second)).toEqual(['c', 'e']);
    expect(toldOf(first)).toEqual(['a', 'b']);
    expect(gateway.errors).toEqual([]);
  });
});
