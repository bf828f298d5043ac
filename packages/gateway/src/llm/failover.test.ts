import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { readAnswer, textOf } from '../../test-support/ask-raw.ts';
import { PROVIDER_KEY, type TestGateway, withGateway } from '../../test-support/gateway-fixture.ts';
import { openPost, post } from '../../test-support/post.ts';
import {
  type RawAnswer,
  type RawProvider,
  sendEvents,
  sendJson,
  startRawProvider,
} from '../../test-support/raw-provider.ts';
import {
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../test-support/wire-samples.ts';

const CHAT = 'openai-chat';
const GOOD_STREAM = sendEvents(wireStream(CHAT, turnEvents([])));
const GOOD = sendJson(wireAnswer(CHAT, turnEvents([])));
const ERROR = '{"error":{"message":"busy","type":"x"}}';

async function withTwo<Result>(
  first: readonly RawAnswer[],
  second: readonly RawAnswer[],
  use: (gateway: TestGateway, providers: readonly [RawProvider, RawProvider]) => Promise<Result>,
  timeouts = {},
): Promise<Result> {
  const providers = [await startRawProvider(...first), await startRawProvider(...second)] as const;
  try {
    const [one, two] = providers;
    return await withGateway(
      {
        providers: {
          one: { protocol: CHAT, baseUrl: `${one.origin}/v1` },
          two: { protocol: CHAT, baseUrl: `${two.origin}/v1` },
        },
        routes: [
          {
            model: 'm',
            candidates: [
              { provider: 'one', model: 'a' },
              { provider: 'two', model: 'b' },
            ],
          },
        ],
        timeouts,
      },
      (gateway) => use(gateway, providers),
    );
  } finally {
    for (const provider of providers) await provider.close();
  }
}

const ask = ({ url }: TestGateway, stream: boolean) =>
  post(`${url}${surfacePath(CHAT, stream)}`, oddRequest(CHAT, stream));

const breakAtOnce: RawAnswer = (response) => void response.destroy();
const saysError: RawAnswer = sendEvents([`data: ${ERROR}\n\n`]);

describe('the next candidate is asked', () => {
  test.each<[string, boolean, RawAnswer]>([
    ['a status of 429', false, sendJson(ERROR, 429)],
    ['a status of 500', false, sendJson(ERROR, 500)],
    ['a status of 503', true, sendJson(ERROR, 503)],
    ['a status of 529', true, sendJson(ERROR, 529)],
    ['a status of 408', false, sendJson(ERROR, 408)],
    ['a connection that breaks', false, breakAtOnce],
    ['a stream that begins with a failure', true, saysError],
    ['an empty stream', true, sendEvents([])],
    ['a stream that is no stream', true, sendEvents(['data: {"oops\n\n'])],
    ['an answer that is no JSON', false, sendJson('<html>')],
    ['an answer of another shape', false, sendJson('{"choices":7}')],
  ])('after %s (streamed: %s)', async (_, stream, first) => {
    await withTwo([first], [stream ? GOOD_STREAM : GOOD], async (gateway, [, two]) => {
      const { body, status } = await ask(gateway, stream);
      expect(status).toBe(200);
      expect(textOf(readAnswer(CHAT, stream, body))).toBe('Looking ü');
      expect(JSON.parse(two.requests[0]?.body.toString() ?? '')).toMatchObject({ model: 'b' });
      expect(gateway.traffic[0]).toMatchObject({ candidate: 'two/b', status: 200 });
      expect(gateway.traffic[0]?.attempts).toBeGreaterThan(1);
    });
  });

  test('after a silence that is too long', async () => {
    const silent: RawAnswer = () => undefined;
    await withTwo(
      [silent],
      [GOOD],
      async (gateway, [one]) => {
        expect((await ask(gateway, false)).status).toBe(200);
        await one.idle();
      },
      { firstByteMs: 50 },
    );
  });

  test('where nothing listens', async () => {
    await withTwo([GOOD], [GOOD], async (gateway, [one]) => {
      await one.close();
      expect((await ask(gateway, false)).status).toBe(200);
    });
  });

  const BAD_KEY =
    '{"error":{"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}';

  test.each<[string, RawAnswer]>([
    ['its key', sendJson(ERROR, 401)],
    ['its bill', sendJson(ERROR, 402)],
    ['its key, said as a fault of the request', sendJson(BAD_KEY, 400)],
    ['its bill, said as a rate', sendJson('{"error":{"code":"insufficient_quota","message":"Quota."}}', 429)],
  ])(
    'first for a while when the one before refuses %s, which is asked again where no other answers',
    async (_what, refused) => {
      await withTwo([refused, GOOD], [GOOD, GOOD, sendJson(ERROR, 500)], async (gateway, [one, two]) => {
        for (let times = 0; times < 2; times++) expect((await ask(gateway, false)).status).toBe(200);
        expect([one.requests.length, two.requests.length]).toEqual([1, 2]);
        expect((await ask(gateway, false)).status).toBe(200);
        expect([one.requests.length, two.requests.length]).toEqual([2, 3]);
      });
    },
  );

  test('first as long as the one before wants to be left alone', async () => {
    const limited = sendJson(ERROR, 429, { 'retry-after': '60' });
    await withTwo([limited, GOOD], [GOOD], async (gateway, [one, two]) => {
      await ask(gateway, false);
      await ask(gateway, false);
      expect([one.requests.length, two.requests.length]).toEqual([1, 2]);
    });
  });
});

describe('no other candidate is asked', () => {
  test.each([
    [400, 400, 'upstream_refused'],
    [404, 404, 'upstream_refused'],
    [422, 422, 'upstream_refused'],
    [418, 400, 'upstream_refused'],
    [302, 502, 'upstream_misconfigured'],
    [407, 502, 'upstream_misconfigured'],
    [501, 502, 'upstream_failed'],
  ])('after a status of %i, which the client sees as %i %s', async (given, status, code) => {
    await withTwo(
      [sendJson(ERROR, given, { location: 'http://127.0.0.1:9/' })],
      [GOOD],
      async (gateway, [, two]) => {
        const answered = await ask(gateway, false);
        expect(answered.status).toBe(status);
        expect(JSON.parse(answered.body)).toMatchObject({ error: { code } });
        expect(two.requests).toEqual([]);
      },
    );
  });

  test('once a byte has gone out', async () => {
    const begun = wireStream(CHAT, turnEvents([])).slice(0, 2);
    await withTwo([sendEvents(begun, 'break')], [GOOD_STREAM], async (gateway, [, two]) => {
      const { body } = await ask(gateway, true);
      expect(body.startsWith(begun.join(''))).toBe(true);
      expect(readAnswer(CHAT, true, body).finish).toBe('error');
      expect(body).not.toContain('[DONE]');
      expect(two.requests).toEqual([]);
    });
  });
});

describe('a candidate that refuses the gateway’s own account', () => {
  const says = (error: object): string => JSON.stringify({ error });

  test.each<[number, string]>([
    [401, says({ message: 'Incorrect API key provided.', code: 'invalid_api_key' })],
    [401, ''],
    [402, says({ message: 'Insufficient credits. Add more.', code: 402 })],
    [403, says({ message: 'The key was reported as leaked.', status: 'PERMISSION_DENIED' })],
    [403, '<html>Forbidden</html>'],
    [400, says({ message: 'Your credit balance is too low to access the Anthropic API.' })],
    [400, says({ message: 'API key not valid. Please pass a valid API key.' })],
  ])('with %i (%s) is followed by the next one, and it is told', async (status, body) => {
    await withTwo([sendJson(body, status)], [GOOD], async (gateway) => {
      expect((await ask(gateway, false)).status).toBe(200);
      const [entry] = gateway.traffic;
      expect(entry).toMatchObject({
        candidate: 'two/b',
        attempts: 2,
        failures: [{ candidate: 'one/a', error: 'upstream_misconfigured' }],
      });
      expect(entry?.error).toBeUndefined();
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      expect(metrics).toContain(
        'toolgate_candidate_failures_total{route="m",candidate="one/a",code="upstream_misconfigured"} 1',
      );
    });
  });

  test.each([401, 402, 403])('with %i is told without its words where no other answers', async (status) => {
    const refusing = sendJson(says({ message: 'planted words' }), status);
    await withTwo([refusing], [refusing], async (gateway, [, two]) => {
      const answered = await ask(gateway, false);
      expect([answered.status, two.requests.length]).toEqual([502, 1]);
      expect(JSON.parse(answered.body)).toMatchObject({ error: { code: 'upstream_misconfigured' } });
      expect(answered.body).not.toContain('planted');
      expect(gateway.traffic[0]?.failures).toHaveLength(2);
    });
  });

  test.each([
    says({
      code: 403,
      message: 'm requires moderation on OpenAI. Your input was flagged for "violence".',
      metadata: { reasons: ['violence'], flagged_input: 'planted words' },
    }),
    says({ message: 'Blocked.', code: 'content_policy_violation' }),
    says({ message: 'Refused.', metadata: { flagged_input: 'planted words' } }),
    says({ message: 'The prompt seems to violate our policies.' }),
    says({ message: 'Output stopped by the content filter.' }),
  ])('does not mean one that refuses what the request says: %s', async (body) => {
    await withTwo([sendJson(body, 403)], [GOOD], async (gateway, [, two]) => {
      const answered = await ask(gateway, false);
      expect([answered.status, two.requests.length]).toEqual([400, 0]);
      expect(JSON.parse(answered.body)).toMatchObject({ error: { code: 'upstream_refused' } });
      expect(answered.body).not.toContain('planted');
    });
  });
});

describe('when no candidate answers', () => {
  test('the client learns when to come back', async () => {
    const limited = sendJson(ERROR, 429, { 'retry-after': '7' });
    await withTwo([limited], [limited], async (gateway) => {
      const { headers, status } = await ask(gateway, false);
      expect([status, headers['retry-after']]).toEqual([429, '7']);
    });
  });

  test.each(['7s', '6.2004s'])('which some providers say in the body alone (%j)', async (retryDelay) => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
    const limited = sendJson(JSON.stringify({ error: { code: 429, message: 'Quota.', details } }), 429);
    await withTwo([limited], [limited], async (gateway, [one]) => {
      const { headers, status } = await ask(gateway, false);
      expect([status, headers['retry-after']]).toEqual([429, '7']);
      expect(one.requests).toHaveLength(1);
    });
  });

  test.each(['-7s', '7', 's', '1e9s', 7])(
    'and a wish that cannot be read is none (%j)',
    async (retryDelay) => {
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay }];
      const limited = sendJson(JSON.stringify({ error: { code: 429, message: 'Quota.', details } }), 429);
      await withTwo([limited], [limited], async (gateway) => {
        const { headers, status } = await ask(gateway, false);
        expect([status, headers['retry-after']]).toEqual([429, undefined]);
      });
    },
  );

  test('what a provider says of the request is quoted short and without secrets', async () => {
    const message = `bad ${PROVIDER_KEY} sk-abcdefghijklmnop \u0007\n${'x'.repeat(5_000)}`;
    const refusing = sendJson(JSON.stringify({ error: { message } }), 400);
    await withTwo([refusing], [GOOD], async (gateway) => {
      const { body } = await ask(gateway, false);
      expect(body.length).toBeLessThan(600);
      expect(body).toContain('bad [redacted] [redacted] xxx');
    });
  });

  test.each(PROTOCOLS)('the refusal has the shape of %s, with code and request id', async (protocol) => {
    const failing = await startRawProvider(sendJson(ERROR, 500));
    try {
      const providers = { m: { protocol: CHAT, baseUrl: `${failing.origin}/v1` } } as const;
      await withGateway({ providers }, async ({ url }) => {
        const answered = await post(`${url}${surfacePath(protocol, false)}`, oddRequest(protocol, false));
        expect(answered.status).toBe(502);
        expect(answered.body).toContain('upstream_failed');
        expect(answered.body).not.toContain('busy');
        expect(answered.headers['x-request-id']).toMatch(/^[\w-]+$/);
      });
    } finally {
      await failing.close();
    }
  });
});

test('a connection that the provider had closed while it was idle is not held against it', async () => {
  const provider = await startRawProvider(breakAtOnce, GOOD);
  try {
    const providers = { m: { protocol: CHAT, baseUrl: `${provider.origin}/v1` } } as const;
    await withGateway({ providers }, async (gateway) => {
      expect((await ask(gateway, false)).status).toBe(200);
      expect(provider.requests).toHaveLength(2);
    });
  } finally {
    await provider.close();
  }
});

test('no header of a client chooses where its request goes', async () => {
  await withTwo([GOOD], [GOOD], async (gateway, [one, two]) => {
    const headers = {
      'x-portkey-provider': 'two',
      'x-base-url': two.origin,
      'x-forwarded-host': new URL(two.origin).host,
      'helicone-target-url': two.origin,
    };
    const opened = await openPost(`${gateway.url}${surfacePath(CHAT, false)}`, oddRequest(CHAT, false), {
      headers,
    });
    expect((await opened.rest()).status).toBe(200);
    expect([one.requests.length, two.requests.length]).toEqual([1, 0]);
    expect(JSON.stringify(one.requests[0]?.headers)).not.toMatch(/portkey|helicone|x-base-url|forwarded/);
  });
});
