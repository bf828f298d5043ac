import { describe, expect, test } from 'vitest';
import { CLIENT_KEY, type TestGateway, withGateway } from '../../test-support/gateway-fixture.ts';
import { sendEvents, sendJson, startRawProvider } from '../../test-support/raw-provider.ts';
import {
  oddRequest,
  surfacePath,
  turnEvents,
  wireAnswer,
  wireStream,
} from '../../test-support/wire-samples.ts';

const PAGE = 'https://console.example';
const CHAT = 'openai-chat';
const ASKS = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

/** A gateway that pages of one origin may use, and what their browsers send to it. */
async function withPage(
  use: (
    send: (
      method: string,
      path: string,
      headers?: Record<string, string>,
      body?: string,
    ) => Promise<Response>,
    gateway: TestGateway,
  ) => Promise<void>,
): Promise<void> {
  const provider = await startRawProvider(
    sendJson(wireAnswer(CHAT, turnEvents([]))),
    sendEvents(wireStream(CHAT, turnEvents([]))),
  );
  const listen = { host: '127.0.0.1', port: 0, allowedHosts: [], allowedOrigins: [PAGE] };
  const providers = { m: { protocol: CHAT, baseUrl: `${provider.origin}/v1` } } as const;
  try {
    await withGateway({ providers, grants: { admin: true, servers: 'all' }, config: { listen } }, (gateway) =>
      use(
        (method, path, headers = {}, body?: string) =>
          fetch(`${gateway.url}${path}`, {
            method,
            headers: { origin: PAGE, ...headers },
            ...(body === undefined ? {} : { body }),
          }),
        gateway,
      ),
    );
  } finally {
    await provider.close();
  }
}

const KEY = { authorization: `Bearer ${CLIENT_KEY}` };
const JSON_BODY = { ...KEY, 'content-type': 'application/json' };

describe('a page of an allowed origin', () => {
  test('may send what it asks for to every address, and no method that the address does not have', async () => {
    await withPage(async (send) => {
      for (const [path, methods] of [
        ['/api/approvals/a/approve', 'POST'],
        ['/api/keys', 'GET, HEAD, POST'],
        ['/v1/chat/completions', 'POST'],
        ['/mcp', 'DELETE, GET, POST'],
      ] as const) {
        const response = await send('OPTIONS', path, ASKS);
        expect([path, response.status, await response.text()]).toEqual([path, 204, '']);
        expect(Object.fromEntries(response.headers)).toMatchObject({
          'access-control-allow-origin': PAGE,
          'access-control-allow-methods': methods,
          'access-control-allow-headers': 'authorization,content-type',
          'access-control-max-age': '600',
          vary: 'origin',
        });
      }
    });
  });

  test('reads answers of every kind, and why it was refused', async () => {
    await withPage(async (send) => {
      const answers = [
        await send('GET', '/api/approvals', KEY),
        await send('GET', '/api/approvals', {}),
        await send('GET', '/api/audit', KEY),
        await send('GET', '/nowhere', KEY),
        await send('POST', surfacePath(CHAT, false), JSON_BODY, oddRequest(CHAT, false)),
        await send('POST', surfacePath(CHAT, true), JSON_BODY, oddRequest(CHAT, true)),
        await send('POST', '/mcp', JSON_BODY, '{}'),
      ];
      const events = await send('GET', '/api/approvals/events', KEY);
      await events.body?.cancel();
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 404, 200, 200, 400]);
      for (const { headers } of [...answers, events]) {
        expect(headers.get('access-control-allow-origin')).toBe(PAGE);
        expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
        expect(headers.has('access-control-allow-credentials')).toBe(false);
      }
      for (const answer of answers) await answer.text();
    });
  });

  test('is told of no address that is not there, and given back no header that has no name', async () => {
    await withPage(async (send) => {
      expect((await send('OPTIONS', '/nowhere', ASKS)).status).toBe(404);
      const odd = await send('OPTIONS', '/api/keys', { ...ASKS, 'access-control-request-headers': 'a b; c' });
      expect([odd.status, odd.headers.has('access-control-allow-headers')]).toEqual([204, false]);
      expect((await send('OPTIONS', '/api/keys')).status).toBe(405);
    });
  });
});

test.each(['https://console.example.evil.example', 'http://console.example', 'null', 'https://evil.example'])(
  'a page of %s reads nothing and sends nothing',
  async (origin) => {
    await withPage(async (send) => {
      for (const response of [
        await send('OPTIONS', '/api/keys', { ...ASKS, origin }),
        await send('GET', '/api/keys', { ...KEY, origin }),
      ]) {
        expect(response.status).toBe(403);
        expect(response.headers.has('access-control-allow-origin')).toBe(false);
      }
    });
  },
);

test('its own page needs no leave, and gets none', async () => {
  await withPage(async (send, { url }) => {
    const response = await send('GET', '/api/keys', { ...KEY, origin: url });
    expect([response.status, response.headers.has('access-control-allow-origin')]).toEqual([200, false]);
  });
});
