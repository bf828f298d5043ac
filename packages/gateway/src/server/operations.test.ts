import { type Clock, systemClock } from '@toolgate/core';
import { expect, test } from 'vitest';
import { askPayment } from '../../test-support/admin.ts';
import { payment } from '../../test-support/approval-fixtures.ts';
import { testConfig, withGateway } from '../../test-support/gateway-fixture.ts';
import { type HookReceiver, hookReceiver } from '../../test-support/hook-receiver.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { Secret } from '../config/secret.ts';
import { createGateway } from './create-gateway.ts';
import { openStores } from './open-stores.ts';

const approvalsTo = (hook: HookReceiver | undefined): Pick<GatewayConfig, 'approvals'> => ({
  approvals: {
    lifetimeMs: 60_000,
    fourEyes: false,
    webhook:
      hook === undefined ? undefined : { url: hook.url, secret: new Secret('planted-hook'), contents: false },
  },
});

/** Ids of the approvals that an address was told of. */
const toldOf = ({ received }: HookReceiver): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { readonly data: { readonly id: string } }).data.id);

const typesOf = ({ received }: HookReceiver): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type);

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

test('an approval that nobody decides is told of before it expires, by webhook and log', async () => {
  const hook = await hookReceiver();
  const lines: string[] = [];
  const setup = {
    providers: {},
    config: approvalsTo(hook),
    options: { log: (line: string) => void lines.push(line) },
  };
  await withGateway(setup, async (gateway) => {
    // As one that was asked for an hour ago.
    const times = { requestedAt: Date.now() - 3_600_000, expiresAt: Date.now() + 60_000 };
    await gateway.stores.approvals.create(payment('late', times));
    await expect.poll(() => typesOf(hook)).toEqual(['approval.pending', 'approval.expiring']);
    const warnings = lines.filter((line) => line.includes('approval-expiring'));
    expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'warn', approval: 'late', expiresAt: times.expiresAt },
    ]);
  });
});

test('an approval that a gateway finds at its start is told of by webhook where its time is nearly over', async () => {
  const hook = await hookReceiver();
  const config = testConfig({ providers: {}, config: approvalsTo(hook) });
  const stores = await openStores({ storage: config.storage });
  const times = { requestedAt: Date.now() - 3_600_000, expiresAt: Date.now() + 60_000 };
  // The store has told of it before the gateway listens.
  const told = new Promise<void>((resolve) => {
    const stop = stores.approvals.subscribe(() => {
      stop();
      resolve();
    });
  });
  await stores.approvals.create(payment('late', times));
  await told;
  // What is due is done before anything else, as on a machine that takes long to load what comes next.
  const setTimer: Clock['setTimer'] = (callback, delayMs) =>
    delayMs > 0 ? systemClock.setTimer(callback, delayMs) : queueMicrotask(callback);
  const clock = { ...systemClock, setTimer };
  const gateway = await createGateway({ config, stores, clock, processMetrics: false });
  try {
    await expect.poll(() => typesOf(hook)).toEqual(['approval.expiring']);
  } finally {
    await gateway.close(0);
    await stores.close();
  }
});
