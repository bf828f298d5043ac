import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { answerOf, readAnswer, withRawProvider } from '../../test-support/ask-raw.ts';
import {
  CLIENT_KEY,
  type GatewaySetup,
  type TestGateway,
  testConfig,
} from '../../test-support/gateway-fixture.ts';
import { openPost, post } from '../../test-support/post.ts';
import type { RawProvider } from '../../test-support/raw-provider.ts';
import { sendEvents } from '../../test-support/raw-provider.ts';
import { oddRequest, surfacePath, turnEvents, wireStream } from '../../test-support/wire-samples.ts';

const CHAT = 'openai-chat';
const PATH = surfacePath(CHAT, false);
const BODY = oddRequest(CHAT, false);

const withChat = <Result>(
  setup: Omit<GatewaySetup, 'providers'>,
  use: (gateway: TestGateway, provider: RawProvider) => Promise<Result>,
): Promise<Result> => withRawProvider(CHAT, [answerOf(CHAT, false, turnEvents([]))], setup, use);

type Row = readonly [
  name: string,
  status: number,
  code: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>>,
  key: string | undefined,
];

describe('a request is refused before it reaches a provider', () => {
  const ROWS: readonly Row[] = [
    ['without a key', 401, 'key_invalid', BODY, {}, ''],
    ['with an unknown key', 401, 'key_invalid', BODY, {}, 'wrong'],
    ['with two different keys', 401, 'key_invalid', BODY, { 'x-api-key': 'other' }, undefined],
    [
      'with a key in its address',
      400,
      'query_unsupported',
      BODY,
      { 'x-path': `${PATH}?api_key=x` },
      undefined,
    ],
    ['from another host name', 403, 'host_forbidden', BODY, { host: 'attacker.example:80' }, undefined],
    ['from a foreign page', 403, 'origin_forbidden', BODY, { origin: 'http://attacker.example' }, undefined],
    [
      'of another media type',
      415,
      'media_type_unsupported',
      BODY,
      { 'content-type': 'text/plain' },
      undefined,
    ],
    [
      'packed in an unknown way',
      415,
      'media_type_unsupported',
      BODY,
      { 'content-encoding': 'compress' },
      undefined,
    ],
    ['that is not packed', 400, 'body_malformed', BODY, { 'content-encoding': 'gzip' }, undefined],
    [
      'that is too large when unpacked',
      413,
      'body_too_large',
      gzipSync(`{"model":"m","messages":[],"x":"${'y'.repeat(5_000)}"}`),
      { 'content-encoding': 'gzip' },
      undefined,
    ],
    [
      'of which half was packed',
      400,
      'body_malformed',
      gzipSync(BODY).subarray(0, 40),
      { 'content-encoding': 'gzip' },
      undefined,
    ],
    ['without a body', 400, 'body_malformed', '', {}, undefined],
    [
      'that is too large',
      413,
      'body_too_large',
      `{"model":"m","messages":[],"x":"${'y'.repeat(5_000)}"}`,
      {},
      undefined,
    ],
    ['that is no JSON', 400, 'body_malformed', '{"model":"m"', {}, undefined],
    ['with a member twice', 400, 'body_malformed', '{"model":"m","model":"n","messages":[]}', {}, undefined],
    [
      'with a member twice, escaped',
      400,
      'body_malformed',
      '{"model":"m","mod\\u0065l":"n","messages":[]}',
      {},
      undefined,
    ],
    [
      'with a forbidden member',
      400,
      'body_malformed',
      '{"model":"m","messages":[],"__proto__":{}}',
      {},
      undefined,
    ],
    [
      'with half a surrogate pair',
      400,
      'body_malformed',
      '{"model":"m","messages":[{"role":"user","content":"\\ud800"}]}',
      {},
      undefined,
    ],
    ['with trailing data', 400, 'body_malformed', '{"model":"m","messages":[]}{}', {}, undefined],
    ['that is no UTF-8', 400, 'body_malformed', Buffer.from([0x7b, 0xff, 0x7d]), {}, undefined],
    [
      'nested too deep',
      400,
      'body_malformed',
      `{"model":"m","messages":[],"x":${'['.repeat(300)}${']'.repeat(300)}}`,
      {},
      undefined,
    ],
    ['of another shape', 400, 'request_invalid', '{"model":"m","messages":7}', {}, undefined],
    ['for an unknown model', 404, 'model_not_found', '{"model":"z","messages":[]}', {}, undefined],
  ];
  test.each(ROWS)('%s', async (_, status, code, body, headers, key) => {
    const { 'x-path': path = PATH, ...rest } = headers;
    await withChat(
      { config: { limits: { ...testConfig({ providers: {} }).limits, bodyBytes: 4_096 } } },
      async (gateway, provider) => {
        const answered = await post(`${gateway.url}${path}`, body, {
          headers: rest,
          ...(key === undefined ? {} : { key }),
        });
        expect(answered.status).toBe(status);
        const { error } = JSON.parse(answered.body) as { error: { code: string; message: string } };
        expect(error.code).toBe(code);
        expect(error.message).not.toContain(CLIENT_KEY);
        expect(answered.headers['x-request-id']).toMatch(/^[\w-]+$/);
        expect(provider.requests).toEqual([]);
        expect(gateway.errors).toEqual([]);
      },
    );
  });

  test.each([
    ['the good one first', CLIENT_KEY, 'tg_another_key_0123456789'],
    ['the good one last', 'tg_another_key_0123456789', CLIENT_KEY],
    ['the same twice', CLIENT_KEY, CLIENT_KEY],
  ])('with two headers that say who sends it, %s', async (_which, first, second) => {
    await withChat({}, async ({ url }, provider) => {
      const head = `POST ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n`;
      const keys = `authorization: Bearer ${first}\r\nAuthorization: Bearer ${second}\r\n`;
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(`${head}${keys}content-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      expect(text).toMatch(/^HTTP\/1\.1 401 /);
      expect(text).toContain('key_invalid');
      expect(provider.requests).toEqual([]);
    });
  });

  test('for a model that its key may not use, as if there were none', async () => {
    await withChat({ grants: { routes: [] } }, async ({ url }, provider) => {
      const answered = await post(`${url}${PATH}`, BODY);
      expect([answered.status, answered.body.includes('model_not_found')]).toEqual([404, true]);
      expect(provider.requests).toEqual([]);
    });
  });

  test.each(PROTOCOLS)('in the shape of %s', async (protocol) => {
    await withChat({}, async ({ url }) => {
      const { body } = await post(`${url}${surfacePath(protocol, false)}`, '{"a":1,"a":2}');
      const shapes = {
        'openai-chat': { error: { type: 'invalid_request_error', code: 'body_malformed', param: '/a' } },
        'openai-responses': { error: { type: 'invalid_request_error', code: 'body_malformed', param: '/a' } },
        anthropic: { type: 'error', error: { type: 'invalid_request_error', code: 'body_malformed' } },
        gemini: { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'body_malformed' }] } },
      };
      expect(JSON.parse(body)).toMatchObject(shapes[protocol]);
    });
  });

  test.each(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'])(
    'and let in with its key in %s',
    async (name) => {
      await withChat({}, async ({ url }) => {
        const value = name === 'authorization' ? `Bearer ${CLIENT_KEY}` : CLIENT_KEY;
        const answered = await post(`${url}${PATH}`, BODY, { key: '', headers: { [name]: value } });
        expect(answered.status).toBe(200);
      });
    },
  );

  test.each(['bearer ', 'BEARER  ', 'Bearer   '])('and let in with %j before its key', async (scheme) => {
    await withChat({}, async ({ url }) => {
      const headers = { authorization: `${scheme}${CLIENT_KEY}` };
      expect((await post(`${url}${PATH}`, BODY, { key: '', headers })).status).toBe(200);
    });
  });

  test('when no key is needed, anybody may do what the anonymous may', async () => {
    const { auth } = testConfig({ providers: {} });
    await withChat({ config: { auth: { ...auth, required: false } } }, async ({ url, traffic }) => {
      expect((await post(`${url}${PATH}`, BODY, { key: '' })).status).toBe(200);
      expect((await post(`${url}${PATH}`, BODY, { key: 'whatever' })).status).toBe(200);
      expect(traffic.map(({ principal }) => principal)).toEqual(['anonymous', 'anonymous']);
    });
  });
});

describe('a key has its bounds', () => {
  test('of requests in flight, which are given back', async () => {
    const begun = wireStream(CHAT, turnEvents([])).slice(0, 2);
    const setup = { grants: { limits: { concurrency: 1 } } };
    await withRawProvider(CHAT, [sendEvents(begun, 'stay')], setup, async ({ url }, provider) => {
      const ask = () => openPost(`${url}${surfacePath(CHAT, true)}`, oddRequest(CHAT, true));
      const first = await ask();
      const second = await (await ask()).rest();
      expect([second.status, second.headers['retry-after']]).toEqual([429, '1']);
      expect(second.body).toContain('too_many_requests');
      first.leave();
      await provider.idle();
      const third = await ask();
      expect(third.response.statusCode).toBe(200);
      third.leave();
    });
  });

  test('of requests a minute', async () => {
    let now = 0;
    const clock = {
      now: () => now,
      setTimer: (callback: () => void, delayMs: number) => setTimeout(callback, delayMs),
      clearTimer: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
    };
    const setup = { grants: { limits: { requestsPerMinute: 2 } }, options: { clock } };
    await withChat(setup, async ({ url }) => {
      const ask = () => post(`${url}${PATH}`, BODY);
      const statuses = [(await ask()).status, (await ask()).status];
      const third = await ask();
      expect([...statuses, third.status, third.headers['retry-after']]).toEqual([200, 200, 429, '30']);
      now = 30_000;
      expect((await ask()).status).toBe(200);
    });
  });

  test('of requests a minute begins whole when a new configuration brings it', async () => {
    await withChat({}, async ({ gateway, url }) => {
      const statuses: number[] = [];
      const ask = async (): Promise<void> => void statuses.push((await post(`${url}${PATH}`, BODY)).status);
      const reload = (requestsPerMinute?: number) =>
        gateway.reload(
          testConfig({
            providers: {},
            grants: { limits: requestsPerMinute === undefined ? {} : { requestsPerMinute } },
          }),
        );
      await reload(1);
      await ask();
      await ask();
      await reload();
      await ask();
      await reload(1);
      await ask();
      // No route knows the model any more.
      expect(statuses).toEqual([404, 429, 404, 404]);
    });
  });
});

describe('a connection', () => {
  const raw = (url: string, text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
      });
      socket.once('close', () => resolve(answer));
      socket.once('error', reject);
    });

  test('whose body does not come is cut off', async () => {
    const limits = { ...testConfig({ providers: {} }).limits, requestMs: 200 };
    await withChat({ config: { limits } }, async ({ url }) => {
      const head = `POST ${PATH} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${CLIENT_KEY}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`;
      expect(await raw(url, head)).toMatch(/^HTTP\/1\.1 408 /);
    });
  });

  test('with too large headers is cut off', async () => {
    await withChat({}, async ({ url }) => {
      expect(await raw(url, `GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`)).toMatch(
        /^HTTP\/1\.1 431 /,
      );
    });
  });

  test('that does not speak HTTP is cut off', async () => {
    await withChat({}, async ({ url }) => {
      expect(await raw(url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    });
  });
});

test('a program that fails over what it hears of a request changes nothing', async () => {
  const options = {
    onTraffic: () => {
      throw new Error('of the program');
    },
  };
  await withChat({ options }, async ({ errors, url }) => {
    expect((await post(`${url}${PATH}`, BODY)).status).toBe(200);
    const refused = await post(`${url}${PATH}`, BODY, { headers: { 'content-type': 'text/plain' } });
    expect(refused.status).toBe(415);
    expect((await post(`${url}${PATH}`, BODY)).status).toBe(200);
    await expect.poll(() => errors.map(String)).toEqual(Array(3).fill('Error: of the program'));
  });
});

describe('a gateway that is closed', () => {
  const whole = wireStream(CHAT, turnEvents([]));

  test('lets a stream in flight end, and takes no new request', async () => {
    let go: () => void = () => undefined;
    const waits = new Promise<void>((resolve) => {
      go = resolve;
    });
    const answer = async (response: Parameters<ReturnType<typeof sendEvents>>[0]): Promise<void> => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(whole[0]);
      await waits;
      response.end(whole.slice(1).join(''));
    };
    await withRawProvider(CHAT, [answer], {}, async ({ gateway, url }) => {
      const open = await openPost(`${url}${surfacePath(CHAT, true)}`, oddRequest(CHAT, true));
      const rest = open.rest();
      const closed = gateway.close(60_000);
      await expect(post(`${url}${PATH}`, BODY)).rejects.toThrow(/ECONNREFUSED/);
      go();
      expect((await rest).body).toBe(whole.join(''));
      await closed;
    });
  });

  test('ends a stream that takes too long as a failed one', async () => {
    await withRawProvider(
      CHAT,
      [sendEvents(whole.slice(0, 2), 'stay')],
      {},
      async ({ gateway, url }, provider) => {
        const open = await openPost(`${url}${surfacePath(CHAT, true)}`, oddRequest(CHAT, true));
        const rest = open.rest();
        await gateway.close(0);
        expect(readAnswer(CHAT, true, (await rest).body).finish).toBe('error');
        await provider.idle();
      },
    );
  });
});
