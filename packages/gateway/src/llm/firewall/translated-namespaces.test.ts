import type { JsonObject } from '@toolgate/core';
import { type ModelEvent, PROTOCOLS, type Protocol } from '@toolgate/model';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { answerOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import {
  CLIENT_KEY,
  type GatewaySetup,
  type TestGateway,
  testFirewall,
  withGateway,
} from '../../../test-support/gateway-fixture.ts';
import { type RawProvider, sendJson, startRawProvider } from '../../../test-support/raw-provider.ts';
import { basePath, turnEvents } from '../../../test-support/wire-samples.ts';

type Setup = Omit<GatewaySetup, 'providers'>;
type Request = Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, 'model' | 'stream'>;
type Call = Parameters<typeof turnEvents>[0][number];

const OTHERS = PROTOCOLS.filter((protocol) => protocol !== 'openai-responses');
const WAYS = OTHERS.flatMap((backend) => [true, false].map((stream) => [backend, stream] as const));

const read = (type: string, members: JsonObject = {}) => ({
  type: 'function' as const,
  name: 'read',
  description: 'Reads.',
  parameters: { type: 'object', properties: { path: { type } }, required: ['path'] },
  strict: false,
  ...members,
});
const namespace = (name: string, ...tools: readonly ReturnType<typeof read>[]) => ({
  type: 'namespace' as const,
  name,
  description: '',
  tools: [...tools],
});
const TOOLS = [
  read('boolean'),
  namespace('mcp__files__', read('string')),
  namespace('notes', read('number')),
];
const FILES: Call = { id: 'c1', name: 'mcp__files__read', arguments: '{"path":"a"}' };
const NOTES: Call = { id: 'c1', name: 'notes__read', arguments: '{"path":1}' };

const onRoute = (firewall: Parameters<typeof testFirewall>[0]): Setup => ({
  routes: [
    { model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall: testFirewall(firewall) },
  ],
});

/** Asks with the official client, and gives the calls that it understood. */
async function ask({ url }: Pick<TestGateway, 'url'>, stream: boolean, request: Request) {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: CLIENT_KEY, maxRetries: 0, logLevel: 'off' });
  const answer = stream
    ? await client.responses.stream({ model: 'm', ...request }).finalResponse()
    : await client.responses.create({ model: 'm', ...request });
  return answer.output.flatMap((item) =>
    item.type === 'function_call' ? [[item.namespace, item.name, item.arguments]] : [],
  );
}

interface Asked {
  readonly calls: Awaited<ReturnType<typeof ask>>;
  readonly gateway: TestGateway;
  readonly provider: RawProvider;
  /** The body of the last request to the provider, as it was written. */
  readonly sent: string;
}

/** A turn with calls; a provider of Responses puts those of `read` into a namespace itself. */
function eventsOf(backend: Protocol, calls: readonly Call[]): readonly ModelEvent[] {
  const extensions = { protocol: 'openai-responses' as const, members: { namespace: 'notes' } };
  return turnEvents(calls).map((event) =>
    event.kind === 'call-start' && backend === 'openai-responses' ? { ...event, extensions } : event,
  );
}

/** What comes of one request to a provider that answers with calls, turn by turn. */
async function asked<Result>(
  [backend, stream]: readonly [Protocol, boolean],
  turns: readonly (readonly Call[])[],
  use: (asked: Asked) => Promise<Result> | Result,
  { setup = {}, ...request }: Partial<Request> & { readonly setup?: Setup } = {},
): Promise<Result> {
  const answers = turns.map((calls) => answerOf(backend, stream, eventsOf(backend, calls)));
  return withRawProvider(backend, answers, setup, async (gateway, provider) => {
    const calls = await ask(gateway, stream, { input: 'x', tools: TOOLS, ...request });
    await gateway.stores.calls.flush();
    return use({ calls, gateway, provider, sent: provider.requests.at(-1)?.body.toString() ?? '' });
  });
}

const entryOf = async ({ stores }: TestGateway) => (await stores.calls.list()).items[0];

/** Names of the tools that a request offers, whatever its protocol. */
const offeredIn = (sent: string): readonly string[] => {
  const { tools = [] } = JSON.parse(sent) as { tools?: readonly JsonObject[] };
  return [...JSON.stringify(tools).matchAll(/"name":"([^"]*)"/g)].map(([, name = '']) => name);
};

describe.each(WAYS)('a function in a namespace, at a provider of %s (streamed: %s)', (backend, stream) => {
  const way = [backend, stream] as const;

  test('is called by its whole name, and by its own in the client', async () => {
    await asked(way, [[FILES]], async ({ calls, gateway, sent }) => {
      expect(offeredIn(sent)).toEqual(['read', 'mcp__files__read', 'notes__read']);
      expect(sent).not.toContain('namespace');
      expect(calls).toEqual([['mcp__files__', 'read', FILES.arguments]]);
      expect(await entryOf(gateway)).toMatchObject({ tool: 'mcp__files__read', verdict: 'allowed' });
      expect(gateway.errors).toEqual([]);
    });
  });

  test.each<[string, Call]>([
    ['with arguments of another one', { ...FILES, arguments: '{"path":1}' }],
    ['of a namespace that there is not', { ...FILES, name: 'other__read' }],
    ['by a name that is not whole', { ...FILES, name: 'files__read' }],
  ])('is not called %s', async (_name, call) => {
    await asked(way, [[call]], async ({ calls, gateway }) => {
      expect(calls).toEqual([]);
      expect(await entryOf(gateway)).toMatchObject({ tool: call.name, verdict: 'refused' });
    });
  });

  test('is not offered where it may not pass, and its neighbours are', async () => {
    const tools = [namespace('n', read('string'), read('string', { name: 'write' }))];
    const call = { ...FILES, name: 'n__write' };
    const setup = { grants: { deny: ['n__write'] } };
    const denied = async ({ calls, gateway, sent }: Asked): Promise<void> => {
      expect(offeredIn(sent)).toEqual(['n__read']);
      expect(calls).toEqual([]);
      expect(await entryOf(gateway)).toMatchObject({ tool: 'n__write', reason: 'tool_unavailable' });
    };
    await asked(way, [[call]], denied, { tools, setup });
  });

  test('waits for a yes under its whole name', async () => {
    const setup = onRoute({ approve: { threshold: 'write', tools: [], lifetimeMs: 30_000 } });
    const answers = [answerOf(backend, stream, turnEvents([NOTES]))];
    await withRawProvider(backend, answers, setup, async (gateway) => {
      const { approvals } = gateway.stores;
      const tools: string[] = [];
      const stop = approvals.subscribe(({ id, status, tool }) => {
        if (status !== 'pending') return;
        tools.push(tool);
        void approvals.decide(id, { verdict: 'approve', by: 'rex' });
      });
      const calls = await ask(gateway, stream, { input: 'x', tools: TOOLS });
      stop();
      expect([tools, calls]).toEqual([['notes__read'], [['notes', 'read', NOTES.arguments]]]);
    });
  });

  test('has its whole name in the history, and the call of a refused round as well', async () => {
    const input: OpenAI.Responses.ResponseInput = [
      { role: 'user', content: 'x' },
      { type: 'function_call', call_id: 'h1', name: 'read', namespace: 'notes', arguments: '{"path":2}' },
      { type: 'function_call_output', call_id: 'h1', output: 'y' },
      { role: 'user', content: 'z' },
    ];
    const setup = onRoute({ onRefusal: 'feedback' });
    const turns = [[{ ...FILES, arguments: '{"path":7}' }], [{ ...NOTES, id: 'c2' }]];
    const fed = ({ calls, provider, sent }: Asked): void => {
      expect(provider.requests).toHaveLength(2);
      expect(calls).toEqual([['notes', 'read', NOTES.arguments]]);
      const { tools: _tools, ...conversation } = JSON.parse(sent) as JsonObject;
      const text = JSON.stringify(conversation);
      for (const name of ['notes__read', 'mcp__files__read']) expect(text).toContain(`"name":"${name}"`);
      expect(text).not.toContain('"name":"read"');
    };
    await asked(way, turns, fed, { input, setup });
  });

  test('has another name at the provider where that would refuse it, and nowhere else', async () => {
    const long = `mcp__${'n'.repeat(40)}__`;
    const tools = [namespace(long, read('string', { name: `${'t'.repeat(40)}` }))];
    const whole = `${long}${'t'.repeat(40)}`;
    const alias = await asked(way, [[]], ({ sent }) => offeredIn(sent)[0] ?? '', { tools });
    expect(alias).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const renamed = async ({ calls, gateway }: Asked): Promise<void> => {
      expect(calls).toEqual([[long, 't'.repeat(40), FILES.arguments]]);
      expect(await entryOf(gateway)).toMatchObject({ tool: whole, verdict: 'allowed' });
    };
    await asked(way, [[{ ...FILES, name: alias }]], renamed, { tools });
  });

  test('is known to the call log as it is from a provider of its own protocol', async () => {
    const facts = async ({ gateway }: Asked) => {
      const { argumentsDigest, class: kind, contractDigest, tool, verdict } = (await entryOf(gateway)) ?? {};
      return { argumentsDigest, kind, contractDigest, tool, verdict };
    };
    const own = await asked(['openai-responses', stream], [[{ ...NOTES, name: 'read' }]], facts);
    expect(own).toMatchObject({ tool: 'notes__read', verdict: 'allowed' });
    expect(own.contractDigest).toMatch(/^sha256:/);
    expect(await asked(way, [[NOTES]], facts)).toEqual(own);
  });
});

describe('a choice of a function in a namespace', () => {
  const named = (name: string, members: JsonObject = {}) => ({ type: 'function' as const, name, ...members });
  const some = (mode: 'auto' | 'required', ...tools: JsonObject[]) => ({
    type: 'allowed_tools' as const,
    mode,
    tools,
  });
  const two = [namespace('a', read('string')), namespace('b', read('string')), read('string', { name: 'c' })];
  const chat = (...names: readonly string[]) =>
    names.map((name) => ({ type: 'function', function: { name } }));
  const allowed = (mode: string, ...names: readonly string[]) => ({
    type: 'allowed_tools',
    allowed_tools: { mode, tools: chat(...names) },
  });

  test.each<[string, NonNullable<Request['tool_choice']>, unknown]>([
    ['by its namespace', named('read', { namespace: 'b' }), chat('b__read')[0]],
    ['by its whole name', named('b__read'), chat('b__read')[0]],
    ['by a name that two have', named('read'), allowed('required', 'a__read', 'b__read')],
    ['of another one', named('c'), chat('c')[0]],
    [
      'among some',
      some('auto', named('c'), named('read', { namespace: 'b' })),
      allowed('auto', 'c', 'b__read'),
    ],
    ['that is none', 'none', 'none'],
    ['that leaves it open', 'required', 'required'],
  ])('%s is said by whole names', async (_name, tool_choice, expected) => {
    const choice = ({ sent }: Asked): unknown => (JSON.parse(sent) as JsonObject)['tool_choice'];
    const request = { tools: two, tool_choice };
    expect(await asked(['openai-chat', false], [[]], choice, request)).toEqual(expected);
  });

  test('goes on as far as what it names may pass', async () => {
    const request = { tools: two, setup: { grants: { deny: ['a__read'] } } };
    const choice = ({ sent }: Asked): unknown => (JSON.parse(sent) as JsonObject)['tool_choice'];
    const ask = (tool_choice: NonNullable<Request['tool_choice']>) =>
      asked(['openai-chat', false], [[]], choice, { ...request, tool_choice });
    expect(await ask(named('read'))).toEqual(chat('b__read')[0]);
    const gone = named('read', { namespace: 'a' });
    expect(await ask(some('auto', gone, named('c')))).toEqual(allowed('auto', 'c'));
    expect(await ask(some('auto', gone))).toBe('none');
    await expect(ask(some('required', gone))).rejects.toMatchObject({ code: 'tool_unavailable' });
    await expect(ask(gone)).rejects.toMatchObject({ code: 'tool_unavailable' });
  });
});

describe('namespaces that cannot be carried over', () => {
  const clash = [
    namespace('a', read('string', { name: 'b__c' })),
    namespace('a__b', read('string', { name: 'c' })),
  ];

  test('are refused where two whole names meet, on a mere passage as well', async () => {
    const passage = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], passthrough: true }];
    for (const setup of [{}, { routes: passage }]) {
      const answer = asked(['anthropic', false], [[]], () => undefined, { tools: clash, setup });
      await expect(answer).rejects.toMatchObject({
        code: 'tool_name_ambiguous',
        param: '/tools/1/tools/0',
      });
    }
  });

  test('are refused with the place of what is no tool', async () => {
    const tools = [{ ...namespace('a'), tools: [1] }] as unknown as typeof TOOLS;
    const answer = asked(['anthropic', false], [[]], () => undefined, { tools });
    await expect(answer).rejects.toMatchObject({ code: 'translation_refused', param: '/tools/0/tools/0' });
  });
});

test('a candidate of another protocol stands in for one of Responses, which got the request as it came', async () => {
  const own = await startRawProvider(sendJson('{"error":{"message":"x"}}', 503));
  const other = await startRawProvider(answerOf('anthropic', false, turnEvents([FILES])));
  const providers = {
    own: { protocol: 'openai-responses' as const, baseUrl: `${own.origin}${basePath('openai-responses')}` },
    other: { protocol: 'anthropic' as const, baseUrl: `${other.origin}${basePath('anthropic')}` },
  };
  const candidates = ['own', 'other'].map((provider) => ({ provider, model: undefined }));
  try {
    await withGateway({ providers, routes: [{ model: 'm', candidates }] }, async (gateway) => {
      const calls = await ask(gateway, false, { input: 'x', tools: TOOLS });
      expect(calls).toEqual([['mcp__files__', 'read', FILES.arguments]]);
      expect(own.requests[0]?.body.toString()).toBe(JSON.stringify({ model: 'm', input: 'x', tools: TOOLS }));
    });
  } finally {
    await Promise.all([own.close(), other.close()]);
  }
});
