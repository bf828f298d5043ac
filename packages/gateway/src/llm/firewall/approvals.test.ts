import type { Protocol } from '@toolgate/model';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { payment } from '../../../test-support/approval-fixtures.ts';
import { answerOf, callsOf, readAnswer, textOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import {
  type GatewaySetup,
  type TestGateway,
  testConfig,
  testFirewall,
} from '../../../test-support/gateway-fixture.ts';
import { type OpenAnswer, openPost, type RawAnswered } from '../../../test-support/post.ts';
import type { RawProvider } from '../../../test-support/raw-provider.ts';
import { hasSign, withoutSigns } from '../../../test-support/signs-of-life.ts';
import { oddRequest, surfacePath, turnEvents, wireStream } from '../../../test-support/wire-samples.ts';
import type { FirewallConfig } from '../../config/firewall-config.ts';
import type { RouteConfig } from '../../config/gateway-config.ts';
import type { ApprovalRecord } from '../../ports/approval-store.ts';

const CALL = { id: 'c1', arguments: '{"path":"a"}' };
const SECOND = { id: 'c2', arguments: '{"path":"b"}' };

const ASKING: Omit<GatewaySetup, 'providers'> = {
  routes: [
    {
      model: 'm',
      candidates: [{ provider: 'm', model: undefined }],
      firewall: testFirewall({ approve: { threshold: 'write', tools: [], lifetimeMs: 30_000 } }),
    },
  ],
  options: { keepAliveMs: 20 },
};

/** Settles with the next approval that is put up. */
function nextApproval({ stores }: TestGateway): Promise<ApprovalRecord> {
  return new Promise((resolve) => {
    const stop = stores.approvals.subscribe((record) => {
      if (record.status !== 'pending') return;
      stop();
      resolve(record);
    });
  });
}

async function withAsking<Result>(
  protocol: Protocol,
  stream: boolean,
  use: (gateway: TestGateway, provider: RawProvider) => Promise<Result>,
  calls = [CALL],
): Promise<Result> {
  return withRawProvider(protocol, [answerOf(protocol, stream, turnEvents(calls))], ASKING, use);
}

const ask = ({ url }: TestGateway, protocol: Protocol, stream: boolean): Promise<OpenAnswer> =>
  openPost(`${url}${surfacePath(protocol, stream)}`, oddRequest(protocol, stream));

/** Reads on until a comment has come. */
function untilKeptAlive({ response }: OpenAnswer): Promise<void> {
  return new Promise((resolve) => {
    let read = '';
    const look = (chunk: Buffer): void => {
      read += chunk.toString();
      if (!hasSign(read)) return;
      response.off('data', look);
      resolve();
    };
    response.on('data', look);
  });
}

test('a call is not put before reviewers who have a hundred open questions of its principal', async () => {
  await withAsking('openai-chat', false, async (gateway) => {
    const { approvals } = gateway.stores;
    for (let index = 0; index < 100; index += 1)
      await approvals.create(payment(`p${index}`, { expiresAt: 'none' }));
    const refused = await (await ask(gateway, 'openai-chat', false)).rest();
    expect(callsOf(readAnswer('openai-chat', false, refused.body))).toEqual([]);
    expect((await approvals.list({ status: 'pending' }, { limit: 500 })).items).toHaveLength(100);
    await gateway.stores.calls.flush();
    const [entry] = (await gateway.stores.calls.list()).items;
    expect(entry).toMatchObject({ reason: 'not_started', detail: 'approval_limit' });
    expect(entry).not.toHaveProperty('approvalId');
    await approvals.decide('p0', { verdict: 'decline', by: 'rex' });
    const pending = nextApproval(gateway);
    const opening = ask(gateway, 'openai-chat', false);
    await approvals.decide((await pending).id, { verdict: 'approve', by: 'rex' });
    const { body } = await (await opening).rest();
    expect(callsOf(readAnswer('openai-chat', false, body))).toEqual([['find', CALL.arguments]]);
  });
});

describe.each(PROTOCOLS)('a call that needs an approval, on %s', (protocol) => {
  test('is held while the stream is kept alive, and released byte for byte', async () => {
    await withAsking(protocol, true, async (gateway) => {
      const pending = nextApproval(gateway);
      const open = await ask(gateway, protocol, true);
      const rest = open.rest();
      const record = await pending;
      await untilKeptAlive(open);
      expect(record).toMatchObject({
        tool: 'find',
        origin: 'llm',
        place: 'm',
        principal: 'ana',
        keyId: 'client',
        class: 'external',
        request: { arguments: { path: 'a' } },
        definition: { name: 'find' },
      });
      await gateway.stores.approvals.decide(record.id, { verdict: 'approve', by: 'rex' });
      const { body } = await rest;
      expect(withoutSigns(body)).toBe(wireStream(protocol, turnEvents([CALL])).join(''));
      expect(await gateway.stores.approvals.consume(record.id)).toBe(false);
    });
  });

  test('is held in an answer that is not streamed', async () => {
    await withAsking(protocol, false, async (gateway) => {
      const pending = nextApproval(gateway);
      const opening = ask(gateway, protocol, false);
      await gateway.stores.approvals.decide((await pending).id, { verdict: 'approve', by: 'rex' });
      const answered = await (await opening).rest();
      expect(callsOf(readAnswer(protocol, false, answered.body))).toEqual([['find', CALL.arguments]]);
    });
  });

  test('becomes a marked text when it is declined, and the others stay', async () => {
    const decideBoth = async (gateway: TestGateway): Promise<RawAnswered> => {
      const first = nextApproval(gateway);
      const open = await ask(gateway, protocol, true);
      const rest = open.rest();
      await first;
      const { items } = await untilPending(gateway, 2);
      for (const { id, request } of items) {
        const verdict = request?.arguments['path'] === 'a' ? 'decline' : 'approve';
        await gateway.stores.approvals.decide(id, { verdict, by: 'rex' });
      }
      return rest;
    };
    await withAsking(
      protocol,
      true,
      async (gateway) => {
        const { body } = await decideBoth(gateway);
        const response = readAnswer(protocol, true, body);
        expect(callsOf(response)).toEqual([['find', SECOND.arguments]]);
        expect(textOf(response)).toContain('(approval_declined)');
        expect(response.finish).toBe('tool-calls');
      },
      [CALL, SECOND],
    );
  });
});

/** The pending approvals, once there are so many. */
async function untilPending({ stores }: TestGateway, count: number) {
  for (;;) {
    const page = await stores.approvals.list({ status: 'pending' });
    if (page.items.length >= count) return page;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('an approval', () => {
  const chat = 'openai-chat';

  test('with changed arguments releases those, checked again', async () => {
    await withAsking(chat, true, async (gateway) => {
      const pending = nextApproval(gateway);
      const rest = (await ask(gateway, chat, true)).rest();
      const { id } = await pending;
      await gateway.stores.approvals.decide(id, {
        verdict: 'approve',
        by: 'rex',
        arguments: { path: 'safe' },
      });
      const response = readAnswer(chat, true, (await rest).body);
      expect(callsOf(response)).toEqual([['find', '{"path":"safe"}']]);
    });
  });

  test('with changed arguments that the schema refuses releases nothing', async () => {
    await withAsking(chat, true, async (gateway) => {
      const pending = nextApproval(gateway);
      const rest = (await ask(gateway, chat, true)).rest();
      const { id } = await pending;
      await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex', arguments: { path: 1 } });
      const response = readAnswer(chat, true, (await rest).body);
      expect(callsOf(response)).toEqual([]);
      expect(textOf(response)).toContain('(arguments_rejected)');
    });
  });

  test.each<[string, (gateway: TestGateway, keyId: string) => Promise<void>]>([
    ['was revoked', async ({ stores }, keyId) => void (await stores.keys.revoke(keyId, 'root'))],
    [
      'does not open the tool any more',
      async ({ gateway }) => {
        const providers = { m: { protocol: 'openai-chat', baseUrl: 'http://127.0.0.1:9' } } as const;
        await gateway.reload(testConfig({ ...ASKING, providers, grants: { deny: ['find'] } }));
      },
    ],
    [
      'does not open the route any more',
      async ({ gateway }) => {
        const providers = { m: { protocol: 'openai-chat', baseUrl: 'http://127.0.0.1:9' } } as const;
        await gateway.reload(testConfig({ ...ASKING, providers, grants: { routes: ['other'] } }));
      },
    ],
  ])('does not go out after a yes when its key %s, and uses nothing up', async (what, change) => {
    await withAsking('openai-chat', false, async (gateway) => {
      const grants = { toolsDefault: 'allow' } as const;
      const made = await gateway.stores.keys.create({ principal: 'bob', grants, by: 'root' });
      const pending = nextApproval(gateway);
      const opening = openPost(
        `${gateway.url}${surfacePath('openai-chat', false)}`,
        oddRequest('openai-chat', false),
        what === 'was revoked' ? { key: made.key } : {},
      );
      const { id } = await pending;
      await change(gateway, made.record.id);
      await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
      const { body } = await (await opening).rest();
      expect(callsOf(readAnswer('openai-chat', false, body))).toEqual([]);
      expect(body).toContain('(not_authorized)');
      await gateway.stores.calls.flush();
      expect((await gateway.stores.calls.list()).items).toMatchObject([
        { verdict: 'refused', reason: 'not_authorized', detail: 'key_changed', approvalId: id },
      ]);
      expect(await gateway.stores.approvals.consume(id)).toBe(true);
    });
  });

  test.each<[string, Partial<RouteConfig>]>([
    ['denies the tool', { firewall: testFirewall({ scope: { allow: [], deny: ['find'] } }) }],
    ['is gone', { name: 'another', model: 'other' }],
  ])('does not go out after a yes when its route %s by then, and uses nothing up', async (_what, change) => {
    await withAsking(chat, false, async (gateway) => {
      const pending = nextApproval(gateway);
      const opening = ask(gateway, chat, false);
      const { id } = await pending;
      const providers = { m: { protocol: chat, baseUrl: 'http://127.0.0.1:9' } } as const;
      const [route] = ASKING.routes ?? [];
      await gateway.gateway.reload(testConfig({ ...ASKING, providers, routes: [{ ...route, ...change }] }));
      await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
      const { body } = await (await opening).rest();
      expect(callsOf(readAnswer(chat, false, body))).toEqual([]);
      expect(body).toContain('(not_authorized)');
      await gateway.stores.calls.flush();
      expect((await gateway.stores.calls.list()).items).toMatchObject([
        { verdict: 'refused', reason: 'not_authorized', detail: 'rules_changed', approvalId: id },
      ]);
      expect(await gateway.stores.approvals.consume(id)).toBe(true);
    });
  });

  test.each([
    ['waits', true],
    ['was left by its client', false],
  ])(
    'that %s is not the one that was said yes to when its tool has a higher class by then',
    async (_what, waits) => {
      const approve = { threshold: 'write', tools: [], lifetimeMs: 30_000 } as const;
      const routeOf = (classes: FirewallConfig['classes']) => [
        { ...ASKING.routes?.[0], firewall: testFirewall({ approve, classes }) },
      ];
      const answer = answerOf(chat, true, turnEvents([CALL]));
      const setup = { ...ASKING, routes: routeOf([{ tool: 'find', class: 'write' }]) };
      await withRawProvider(chat, [answer], setup, async (gateway, { origin }) => {
        const pending = nextApproval(gateway);
        const opening = ask(gateway, chat, true);
        const { id } = await pending;
        if (!waits) (await opening).leave();
        const providers = { m: { protocol: chat, baseUrl: `${origin}/v1` } } as const;
        await gateway.gateway.reload(testConfig({ ...ASKING, providers, routes: routeOf([]) }));
        await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
        if (waits) {
          const { body } = await (await opening).rest();
          expect(body).toContain('(not_authorized)');
        } else {
          const again = nextApproval(gateway);
          const second = ask(gateway, chat, true);
          expect(await again).toMatchObject({ status: 'pending', class: 'external' });
          (await second).leave();
        }
        expect(await gateway.stores.approvals.consume(id)).toBe(true);
      });
    },
  );

  test('goes out after a yes when its route only asks less by then', async () => {
    await withAsking(chat, false, async (gateway) => {
      const pending = nextApproval(gateway);
      const opening = ask(gateway, chat, false);
      const { id } = await pending;
      const providers = { m: { protocol: chat, baseUrl: 'http://127.0.0.1:9' } } as const;
      await gateway.gateway.reload(
        testConfig({ ...ASKING, providers, routes: [{ ...ASKING.routes?.[0], firewall: undefined }] }),
      );
      await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
      expect(callsOf(readAnswer(chat, false, (await (await opening).rest()).body))).toHaveLength(1);
    });
  });

  test('is put up anew after its yes was used, and who decides is told when that was', async () => {
    await withAsking(chat, false, async (gateway) => {
      const whys: (string | undefined)[] = [];
      for (let times = 0; times < 2; times++) {
        const pending = nextApproval(gateway);
        const opening = ask(gateway, chat, false);
        const { id, why } = await pending;
        whys.push(why);
        await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
        await (await opening).rest();
      }
      const [used] = (await gateway.stores.approvals.list()).items.slice(-1);
      expect(whys[0]).not.toContain('before');
      expect(whys[1]).toContain(`went to the client at ${new Date(used?.consumedAt ?? 0).toISOString()}`);
    });
  });

  test('that was cancelled is neither a yes nor a person’s no', async () => {
    await withAsking(chat, true, async (gateway) => {
      const pending = nextApproval(gateway);
      const rest = (await ask(gateway, chat, true)).rest();
      await gateway.stores.approvals.cancel((await pending).id, 'test');
      const response = readAnswer(chat, true, (await rest).body);
      expect(callsOf(response)).toEqual([]);
      expect(textOf(response)).toContain('(not_started)');
    });
  });

  test('waits for a client that comes back with the same call, and is used once', async () => {
    await withAsking(chat, true, async (gateway) => {
      const pending = nextApproval(gateway);
      const first = await ask(gateway, chat, true);
      const { id } = await pending;
      first.leave();
      const second = await ask(gateway, chat, true);
      const rest = second.rest();
      await untilKeptAlive(second);
      expect((await gateway.stores.approvals.list()).items.map((one) => one.id)).toEqual([id]);
      await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
      expect(callsOf(readAnswer(chat, true, (await rest).body))).toEqual([['find', CALL.arguments]]);
      const again = nextApproval(gateway);
      const third = await ask(gateway, chat, true);
      expect((await again).id).not.toBe(id);
      third.leave();
    });
  });

  test('that was declined is not asked for again for the same call', async () => {
    await withAsking(chat, true, async (gateway) => {
      const pending = nextApproval(gateway);
      const rest = (await ask(gateway, chat, true)).rest();
      await gateway.stores.approvals.decide((await pending).id, { verdict: 'decline', by: 'rex' });
      await rest;
      const { body } = await (await ask(gateway, chat, true)).rest();
      expect(textOf(readAnswer(chat, true, body))).toContain('(approval_declined)');
      expect((await gateway.stores.approvals.list()).items).toHaveLength(1);
    });
  });

  test('that storage cannot keep refuses the call', async () => {
    await withAsking(chat, true, async (gateway) => {
      await gateway.stores.approvals.close();
      const { body } = await (await ask(gateway, chat, true)).rest();
      const response = readAnswer(chat, true, body);
      expect(callsOf(response)).toEqual([]);
      expect(textOf(response)).toContain('(not_started)');
    });
  });
});
