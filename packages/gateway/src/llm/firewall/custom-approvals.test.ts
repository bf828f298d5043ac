import type { Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { type TestGateway, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { type OpenAnswer, openPost } from '../../../test-support/post.ts';
import { sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import type { ApprovalRecord } from '../../ports/approval-store.ts';
import type { GatewayOptions } from '../../server/create-gateway.ts';

const SETUP = {
  routes: [
    {
      model: 'm',
      candidates: [{ provider: 'm', model: undefined }],
      firewall: testFirewall({ approve: { threshold: 'write', tools: [], lifetimeMs: 30_000 } }),
    },
  ],
} as const;
const SQL = 'select \'ü\'\n-- \\ "all"';

/** What a client asks and a provider answers: one call of a tool without a schema. */
interface Exchange {
  readonly protocol: Protocol;
  readonly path: string;
  readonly request: object;
  readonly answer: object;
}

const CHAT: Exchange = {
  protocol: 'openai-chat',
  path: '/v1/chat/completions',
  request: {
    model: 'm',
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'custom', custom: { name: 'sql' } }],
  },
  answer: {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'up',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'k', type: 'custom', custom: { name: 'sql', input: SQL } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
  },
};
const responses = (tool: object, item: object): Exchange => ({
  protocol: 'openai-responses',
  path: '/v1/responses',
  request: { model: 'm', input: 'x', tools: [tool] },
  answer: { id: 'r', object: 'response', status: 'completed', model: 'up', output: [item] },
});
const RESPONSES = responses(
  { type: 'custom', name: 'sql' },
  { type: 'custom_tool_call', id: 'ct', call_id: 'k', name: 'sql', input: SQL, status: 'completed' },
);
const SHELL = responses(
  { type: 'shell' },
  { type: 'shell_call', id: 'sc', call_id: 'k', action: { commands: ['ls'] }, status: 'completed' },
);
const BASH: Exchange = {
  protocol: 'anthropic',
  path: '/v1/messages',
  request: {
    model: 'm',
    max_tokens: 10,
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'bash_20250124', name: 'bash' }],
  },
  answer: {
    id: 'a',
    type: 'message',
    role: 'assistant',
    model: 'up',
    content: [{ type: 'tool_use', id: 'k', name: 'bash', input: { command: 'ls' } }],
    stop_reason: 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
};

function nextApproval({ stores }: TestGateway): Promise<ApprovalRecord> {
  return new Promise((resolve) => {
    const stop = stores.approvals.subscribe((record) => {
      if (record.status !== 'pending') return;
      stop();
      resolve(record);
    });
  });
}

function withCall<Result>(
  { answer, path, protocol, request }: Exchange,
  use: (gateway: TestGateway, ask: () => Promise<OpenAnswer>) => Promise<Result>,
  setup: Parameters<typeof withRawProvider>[2] = SETUP,
): Promise<Result> {
  return withRawProvider(protocol, [sendJson(JSON.stringify(answer))], setup, (gateway) =>
    use(gateway, () => openPost(`${gateway.url}${path}`, JSON.stringify(request))),
  );
}

describe.each([
  ['OpenAI Chat', CHAT, { input: SQL }],
  ['OpenAI Responses', RESPONSES, { input: SQL }],
  ['a tool that Anthropic defines', BASH, { command: 'ls' }],
] as const)('a call without a schema, of %s', (_, exchange, shown) => {
  test('is shown to a person as it is, and goes out byte for byte after a yes', async () => {
    await withCall(exchange, async (gateway, ask) => {
      const pending = nextApproval(gateway);
      const opening = ask();
      const { id, request } = await pending;
      expect(request?.arguments).toEqual(shown);
      await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
      expect((await (await opening).rest()).body).toBe(JSON.stringify(exchange.answer));
      await gateway.stores.calls.flush();
      const argumentsDigest = request?.argumentsDigest;
      expect((await gateway.stores.calls.list()).items).toMatchObject([
        { verdict: 'allowed', reason: 'approved', approvalId: id, argumentsDigest },
      ]);
    });
  });

  test('does not go out after a no', async () => {
    await withCall(exchange, async (gateway, ask) => {
      const pending = nextApproval(gateway);
      const opening = ask();
      await gateway.stores.approvals.decide((await pending).id, { verdict: 'decline', by: 'rex' });
      const { body } = await (await opening).rest();
      expect(body).toContain('(approval_declined)');
      expect(body).not.toMatch(/select|"ls"/);
    });
  });

  test('goes out as a reviewer changed it', async () => {
    await withCall(exchange, async (gateway, ask) => {
      const pending = nextApproval(gateway);
      const opening = ask();
      const edited = Object.fromEntries(Object.keys(shown).map((name) => [name, 'nothing "at all"']));
      await gateway.stores.approvals.decide((await pending).id, {
        verdict: 'approve',
        by: 'rex',
        arguments: edited,
      });
      const { body } = await (await opening).rest();
      expect(body).toContain(JSON.stringify('nothing "at all"'));
      expect(body).not.toMatch(/select|"ls"/);
      expect(body).not.toContain('withheld');
    });
  });
});

describe('the authorizer of the application', () => {
  const OPEN = { routes: [{ ...SETUP.routes[0], firewall: testFirewall({}) }] };
  type Authorize = NonNullable<GatewayOptions['authorize']>;
  const asking = (authorize: Authorize, setup: object = OPEN) => ({
    ...setup,
    options: { authorize },
  });

  test.each([
    ['OpenAI Chat', CHAT, { input: SQL }],
    ['OpenAI Responses', RESPONSES, { input: SQL }],
    ['a tool that Anthropic defines', BASH, { command: 'ls' }],
  ] as const)(
    'is asked about a call without a schema that nobody has to approve, of %s',
    async (_, exchange, shown) => {
      const asked: unknown[] = [];
      const authorize = (question: { readonly arguments: unknown }): boolean => {
        asked.push(question.arguments);
        return asked.length > 1;
      };
      await withCall(
        exchange,
        async (_gateway, ask) => {
          expect((await (await ask()).rest()).body).toContain('(not_authorized)');
          expect((await (await ask()).rest()).body).toBe(JSON.stringify(exchange.answer));
        },
        asking(authorize),
      );
      expect(asked).toEqual([shown, shown]);
    },
  );

  test('lets nothing through that it cannot be shown', async () => {
    await withCall(
      SHELL,
      async ({ stores }, ask) => {
        expect((await (await ask()).rest()).body).toContain('(not_authorized)');
        await stores.calls.flush();
        expect((await stores.calls.list()).items).toMatchObject([{ detail: 'authorizer_unsupported' }]);
      },
      asking(() => true),
    );
  });

  test.each([
    ['a no', (): boolean => false],
    [
      'an error',
      (): boolean => {
        throw new Error('no');
      },
    ],
    ['a rejection', () => Promise.reject(new Error('no'))],
  ])('is asked again about what a reviewer wrote instead, and %s withholds it', async (_, second) => {
    const asked: unknown[] = [];
    const authorize: Authorize = (question) => {
      asked.push(question.arguments);
      return asked.length === 1 ? true : second();
    };
    await withCall(
      CHAT,
      async (gateway, ask) => {
        const pending = nextApproval(gateway);
        const opening = ask();
        const edited = { input: 'drop' };
        await gateway.stores.approvals.decide((await pending).id, {
          verdict: 'approve',
          by: 'rex',
          arguments: edited,
        });
        const { body } = await (await opening).rest();
        expect(body).toContain('(not_authorized)');
        expect(body).not.toMatch(/select|drop/);
        expect(asked).toEqual([{ input: SQL }, edited]);
      },
      asking(authorize, SETUP),
    );
  });
});

test('a streamed custom call is held for a person too', async () => {
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'up', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const piece = (custom: object, more: object = {}) =>
    chunk({ tool_calls: [{ index: 0, type: 'custom', custom, ...more }] });
  const body = [
    chunk({ content: 'hi' }),
    piece({ name: 'sql', input: 'sel' }, { id: 'k' }),
    piece({ input: 'ect 1' }),
    chunk({}, 'tool_calls'),
    'data: [DONE]\n\n',
  ].join('');
  await withRawProvider('openai-chat', [sendEvents([body])], SETUP, async (gateway) => {
    const pending = nextApproval(gateway);
    const opening = openPost(`${gateway.url}${CHAT.path}`, JSON.stringify({ ...CHAT.request, stream: true }));
    const { id, request } = await pending;
    expect(request?.arguments).toEqual({ input: 'select 1' });
    await gateway.stores.approvals.decide(id, { verdict: 'approve', by: 'rex' });
    expect((await (await opening).rest()).body.replaceAll(/: keep-alive\n\n/g, '')).toBe(body);
  });
});

test('a call that nobody can be shown is refused, and the log says why', async () => {
  await withCall(SHELL, async ({ stores }, ask) => {
    expect((await (await ask()).rest()).body).toContain('(not_authorized)');
    await stores.calls.flush();
    expect((await stores.calls.list()).items).toMatchObject([
      { tool: 'shell', reason: 'not_authorized', detail: 'approval_unsupported' },
    ]);
  });
});
