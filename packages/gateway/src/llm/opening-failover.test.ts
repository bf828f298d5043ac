import { PROTOCOLS, type Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { callsOf, readAnswer, textOf } from '../../test-support/ask-raw.ts';
import {
  type GatewaySetup,
  PAIRS,
  type TestGateway,
  testFirewall,
  withGateway,
} from '../../test-support/gateway-fixture.ts';
import { openPost, post } from '../../test-support/post.ts';
import {
  type RawAnswer,
  type RawProvider,
  sendEvents,
  sendJson,
  startRawProvider,
} from '../../test-support/raw-provider.ts';
import { hasSign, withoutSigns } from '../../test-support/signs-of-life.ts';
import {
  basePath,
  oddRequest,
  surfacePath,
  turnEvents,
  wireStream,
} from '../../test-support/wire-samples.ts';

/** What an answer opens with, as its owner writes it, signs of life included. */
const OPENINGS: Readonly<Record<Protocol, readonly string[]>> = {
  'openai-chat': [
    ': processing\n\n',
    'data: {"id":"first","object":"chat.completion.chunk","created":1,"model":"up","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
    ': processing\n\n',
  ],
  'openai-responses': [
    ...wireStream('openai-responses', [{ kind: 'response-start', id: 'first', model: 'up', createdAt: 1 }]),
    'event: keepalive\ndata: {"type":"keepalive","sequence_number":2}\n\n',
  ],
  anthropic: [
    'event: message_start\ndata: {"type":"message_start","message":{"id":"first","type":"message","role":"assistant","model":"up","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}}\n\n',
    'event: ping\ndata: {"type":"ping"}\n\n',
    'event: ping\ndata: {"type":"ping"}\n\n',
  ],
  gemini: ['data: {"responseId":"first","modelVersion":"up","usageMetadata":{"promptTokenCount":3}}\n\n'],
};

/** How a provider says in its stream that it failed, with a word for the kind. */
const FAILURES: Readonly<Record<Protocol, (word: string) => string>> = {
  'openai-chat': (word) => `data: {"error":{"message":"secret words","code":"${word}"}}\n\n`,
  'openai-responses': (word) =>
    `event: response.failed\ndata: {"type":"response.failed","sequence_number":3,"response":{"id":"first","object":"response","status":"failed","output":[],"error":{"code":"${word}","message":"secret words"}}}\n\n`,
  anthropic: (word) =>
    `event: error\ndata: {"type":"error","error":{"type":"${word}","message":"secret words"}}\n\n`,
  gemini: (word) => `data: {"error":{"message":"secret words","status":"${word}"}}\n\n`,
};

const CALL = { id: 'c1', arguments: '{"path":"a"}' };

async function withTwo<Result>(
  [first, second]: readonly [Protocol, Protocol],
  answers: readonly [RawAnswer, RawAnswer],
  use: (gateway: TestGateway, providers: readonly [RawProvider, RawProvider]) => Promise<Result>,
  setup: Pick<GatewaySetup, 'options' | 'timeouts'> & {
    readonly route?: NonNullable<GatewaySetup['routes']>[number];
  } = {},
): Promise<Result> {
  const one = await startRawProvider(answers[0]);
  const two = await startRawProvider(answers[1]);
  const candidates = [
    { provider: 'one', model: 'a' },
    { provider: 'two', model: 'b' },
  ];
  try {
    return await withGateway(
      {
        ...setup,
        providers: {
          one: { protocol: first, baseUrl: `${one.origin}${basePath(first)}` },
          two: { protocol: second, baseUrl: `${two.origin}${basePath(second)}` },
        },
        routes: [{ model: 'm', candidates, ...setup.route }],
      },
      (gateway) => use(gateway, [one, two]),
    );
  } finally {
    await one.close();
    await two.close();
  }
}

const ask = ({ url }: TestGateway, surface: Protocol) =>
  post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));

describe.each(PROTOCOLS)('on %s, an answer that has only opened', (protocol) => {
  const opening = OPENINGS[protocol];
  const whole = wireStream(protocol, turnEvents([CALL]));
  const good = sendEvents(whole);
  const frames = whole.join('').split(/(?<=\n\n)/);
  /** What comes behind the opening. */
  const rest = frames.slice({ 'openai-chat': 1, 'openai-responses': 2, anthropic: 1, gemini: 0 }[protocol]);

  test.each<[string, RawAnswer]>([
    ['says that it is overloaded', sendEvents([...opening, FAILURES[protocol]('overloaded_error')], 'stay')],
    ['says that it failed', sendEvents([...opening, FAILURES[protocol]('server_error')])],
    ['breaks', sendEvents(opening, 'break')],
    ['just ends', sendEvents(opening)],
    ['stands still', sendEvents(opening, 'stay')],
    ['turns into garbage', sendEvents([...opening, 'data: {"oops\n\n'], 'stay')],
  ])('and %s is followed by the next candidate, whose bytes are all there is', async (_, first) => {
    await withTwo(
      [protocol, protocol],
      [first, good],
      async (gateway, [one, two]) => {
        const { body, headers, status } = await ask(gateway, protocol);
        expect([status, headers['toolgate-loss'], body]).toEqual([200, '0', whole.join('')]);
        expect([one.requests.length, two.requests.length]).toEqual([1, 1]);
        expect(gateway.traffic).toMatchObject([{ candidate: 'two/b', status: 200, attempts: 2 }]);
        expect(gateway.traffic[0]?.error).toBeUndefined();
        await one.idle();
      },
      { timeouts: { idleMs: 100 } },
    );
  });

  test('and refuses the request is the last one, and tells it with its status', async () => {
    const word = { gemini: 'INVALID_ARGUMENT' }[String(protocol)] ?? 'invalid_request_error';
    const refusing = sendEvents([...opening, FAILURES[protocol](word)]);
    await withTwo([protocol, protocol], [refusing, good], async (gateway, [, two]) => {
      const { body, status } = await ask(gateway, protocol);
      expect([status, two.requests.length]).toEqual([400, 0]);
      expect(body).not.toContain('secret words');
    });
  });

  test('and fails as the last one ends with the protocol’s own error', async () => {
    const failing = sendEvents([...opening, FAILURES[protocol]('overloaded_error')]);
    await withTwo([protocol, protocol], [failing, failing], async (gateway) => {
      const { body, status } = await ask(gateway, protocol);
      expect([status, body.includes('first')]).toEqual([200, true]);
      expect(body).not.toContain('secret words');
      expect(readAnswer(protocol, true, body).finish).toBe('error');
      expect(gateway.traffic).toMatchObject([{ candidate: 'two/b', attempts: 2 }]);
    });
  });

  test('and goes on is passed on byte for byte', async () => {
    const pieces = [...opening, ...rest];
    await withTwo([protocol, protocol], [sendEvents(pieces), good], async (gateway) => {
      const { body } = await ask(gateway, protocol);
      expect(body).toBe(pieces.join(''));
      expect(callsOf(readAnswer(protocol, true, body))).toEqual([['find', CALL.arguments]]);
      expect(gateway.traffic).toMatchObject([{ candidate: 'one/a', attempts: 1 }]);
    });
  });

  test('goes out with the first word, and is the answer from there on', async () => {
    const begun = [...opening, ...rest.slice(0, 2)];
    await withTwo(
      [protocol, protocol],
      [sendEvents(begun, 'stay'), good],
      async (gateway, [, two]) => {
        const { body } = await ask(gateway, protocol);
        expect(body.startsWith(begun.join(''))).toBe(true);
        expect(readAnswer(protocol, true, body).finish).toBe('error');
        expect(two.requests).toEqual([]);
      },
      { timeouts: { idleMs: 100 } },
    );
  });

  test('keeps its client alive while it is kept back, and can still be another one', async () => {
    const answered = withTwo(
      [protocol, protocol],
      [sendEvents(opening, 'stay'), good],
      (gateway) => ask(gateway, protocol),
      { timeouts: { idleMs: 300 }, options: { keepAliveMs: 20 } },
    );
    const { body, headers } = await answered;
    expect(hasSign(body.slice(0, body.indexOf('\n\n') + 2))).toBe(true);
    expect(withoutSigns(body)).toBe(whole.join(''));
    // What the answer would lose was not known when its head went out.
    expect(headers['toolgate-loss']).toBeUndefined();
  });

  test('tells in its stream why nobody answers, once its client was kept alive', async () => {
    const limited = sendJson('{"error":{"message":"secret words"}}', 429);
    await withTwo(
      [protocol, protocol],
      [sendEvents(opening, 'stay'), limited],
      async (gateway) => {
        const { body, status } = await ask(gateway, protocol);
        expect(status).toBe(200);
        const said = withoutSigns(body);
        expect(said).toMatch(/rate_limit|RESOURCE_EXHAUSTED/);
        expect(said).not.toMatch(/secret words|first/);
        expect(readAnswer(protocol, true, said).finish).toBe('error');
        expect(gateway.traffic).toMatchObject([{ error: 'upstream_limited', attempts: 2 }]);
      },
      { timeouts: { idleMs: 300 }, options: { keepAliveMs: 20 } },
    );
  });

  test('and fails while a control tool is asked for is followed by the next candidate, too', async () => {
    const failing = sendEvents([...opening, FAILURES[protocol]('overloaded_error')], 'stay');
    const route = { control: { tool: 'attempt_completion' as const } };
    await withTwo(
      [protocol, protocol],
      [failing, good],
      async (gateway) => {
        const { body } = await ask(gateway, protocol);
        expect(callsOf(readAnswer(protocol, true, body))).toEqual([['find', CALL.arguments]]);
        expect(body).not.toContain('first');
      },
      { route },
    );
  });
});

test.each(PAIRS)('a client of %s gets one answer where one of %s had opened', async (surface, backend) => {
  const failing = sendEvents([...OPENINGS[backend], FAILURES[backend]('overloaded_error')]);
  const other: Protocol = backend === 'anthropic' ? 'gemini' : 'anthropic';
  const good = sendEvents(wireStream(other, turnEvents([CALL])));
  await withTwo([backend, other], [failing, good], async (gateway) => {
    const { body } = await ask(gateway, surface);
    const response = readAnswer(surface, true, body);
    expect([textOf(response), response.finish]).toEqual(['Looking ü', 'tool-calls']);
    expect(body).not.toContain('first');
  });
});

/** The beginning of a tool that the provider runs itself, of which nothing else is known yet. */
const RUNS: readonly (readonly [Protocol, string, string])[] = [
  ...['mcp_call', 'code_interpreter_call'].map(
    (type) =>
      [
        'openai-responses',
        type,
        `event: response.output_item.added\ndata: {"type":"response.output_item.added","sequence_number":3,"output_index":0,"item":{"id":"i1","type":"${type}","status":"in_progress"}}\n\n`,
      ] as const,
  ),
  ...['mcp_tool_use', 'server_tool_use'].map(
    (type) =>
      [
        'anthropic',
        type,
        `event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"${type}","id":"s1","name":"pay","input":{}}}\n\n`,
      ] as const,
  ),
];

test.each(RUNS.flatMap((run) => PROTOCOLS.map((surface) => [surface, ...run] as const)))(
  'for %s, nobody else is asked for what %s may have run already (%s)',
  async (surface, backend, _, begun) => {
    const good = sendEvents(wireStream(backend, turnEvents([])));
    const breaking = sendEvents([...OPENINGS[backend], begun], 'stay');
    await withTwo(
      [backend, backend],
      [breaking, good],
      async (gateway, [, two]) => {
        const { body } = await ask(gateway, surface);
        expect(two.requests).toEqual([]);
        expect(readAnswer(surface, true, body).finish).toBe('error');
        expect(gateway.traffic).toMatchObject([{ candidate: 'one/a', attempts: 1 }]);
      },
      { timeouts: { idleMs: 100 } },
    );
  },
);

test('an opening that has no end is shown', async () => {
  const ping = 'event: ping\ndata: {"type":"ping"}\n\n';
  const pings = ping.repeat(2_000);
  const [start = ''] = OPENINGS.anthropic;
  const failing = sendEvents([start, pings, FAILURES.anthropic('overloaded_error')]);
  const good = sendEvents(wireStream('anthropic', turnEvents([])));
  await withTwo(['anthropic', 'anthropic'], [failing, good], async (gateway, [, two]) => {
    const { body } = await ask(gateway, 'anthropic');
    expect(body.startsWith(start)).toBe(true);
    expect(readAnswer('anthropic', true, body).finish).toBe('error');
    expect(two.requests).toEqual([]);
  });
});

test('comments without end are no opening, and the next candidate answers', async () => {
  const pieces = wireStream('openai-chat', turnEvents([]));
  const failing = sendEvents([': processing\n\n'.repeat(2_000), FAILURES['openai-chat']('server_error')]);
  await withTwo(['openai-chat', 'openai-chat'], [failing, sendEvents(pieces)], async (gateway) => {
    expect(textOf(readAnswer('openai-chat', true, (await ask(gateway, 'openai-chat')).body))).toBe(
      'Looking ü',
    );
  });
});

test('a call is held as ever behind an opening that was kept back', async () => {
  const pieces = wireStream('anthropic', turnEvents([CALL]));
  const route = { firewall: testFirewall({ scope: { allow: [], deny: ['find'] } }) };
  await withTwo(
    ['anthropic', 'anthropic'],
    [sendEvents(pieces), sendEvents(pieces)],
    async (gateway) => {
      const { body } = await ask(gateway, 'anthropic');
      expect(callsOf(readAnswer('anthropic', true, body))).toEqual([]);
      expect(body).toContain('[toolgate]');
      expect(gateway.traffic).toMatchObject([{ candidate: 'one/a', calls: 1 }]);
    },
    { route },
  );
});

test('a gateway that is stopped ends an answer of which only signs of life went out', async () => {
  await withTwo(
    ['anthropic', 'anthropic'],
    [sendEvents(OPENINGS.anthropic, 'stay'), sendEvents([])],
    async (gateway, [one]) => {
      const open = await openPost(
        `${gateway.url}${surfacePath('anthropic', true)}`,
        oddRequest('anthropic', true),
      );
      const rest = open.rest();
      await gateway.gateway.close(0);
      const { body, broken } = await rest;
      expect([broken, readAnswer('anthropic', true, body).finish]).toEqual([false, 'error']);
      await one.idle();
    },
    { options: { keepAliveMs: 10 } },
  );
});
