import { describe, expect, test } from 'vitest';
import { INITIALIZE, serveFixture } from '../../../test-support/serve-fixture.ts';

const PAGE = 'https://app.example:8443';

/** What a browser sends for a page. */
async function browser(allowedOrigins?: readonly string[]) {
  const { service } = await serveFixture(undefined, allowedOrigins === undefined ? {} : { allowedOrigins });
  return (method: string, headers: Record<string, string> = {}, body?: string, host = 'localhost') =>
    service.fetch(
      new Request(`http://${host}/mcp`, {
        method,
        headers: {
          host,
          origin: PAGE,
          accept: 'application/json, text/event-stream',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
}

const asks = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,mcp-protocol-version',
};
const alice = { authorization: 'Bearer alice' };

describe('a page whose host was written down', () => {
  test('may send what it asks for, without a login', async () => {
    const send = await browser(['app.example']);
    const response = await send('OPTIONS', asks);
    expect([response.status, Object.fromEntries(response.headers)]).toEqual([
      204,
      {
        'access-control-allow-headers': 'authorization,content-type,mcp-protocol-version',
        'access-control-allow-methods': 'POST, GET, DELETE',
        'access-control-allow-origin': PAGE,
        'access-control-expose-headers': expect.stringContaining('mcp-session-id'),
        'access-control-max-age': '600',
        vary: 'origin',
      },
    ]);
  });

  test('reads its session, its answers, and why it was refused', async () => {
    const send = await browser(['app.example']);
    const opened = await send('POST', alice, INITIALIZE);
    const session = opened.headers.get('mcp-session-id') ?? '';
    expect([session !== '', opened.headers.get('access-control-allow-origin')]).toEqual([true, PAGE]);
    await opened.text();
    const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"whoami"}}';
    const called = await send('POST', { ...alice, 'mcp-session-id': session }, call);
    expect(called.headers.get('access-control-allow-origin')).toBe(PAGE);
    expect(await called.text()).toContain('somebody');
    const refused = await send('POST', {}, INITIALIZE);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
    expect(refused.headers.get('access-control-expose-headers')).toContain('www-authenticate');
  });

  test('gets nothing under another host', async () => {
    const send = await browser(['app.example']);
    expect((await send('OPTIONS', asks, undefined, 'evil.example')).status).toBe(403);
  });

  test('is given back no header that has no name', async () => {
    const send = await browser(['app.example']);
    const response = await send('OPTIONS', { ...asks, 'access-control-request-headers': 'a b; c' });
    expect([response.status, response.headers.has('access-control-allow-headers')]).toEqual([204, false]);
  });
});

test.each([
  ['of another host', ['other.example'], PAGE, 403],
  ['that begins like one', ['app.example'], 'https://app.example.evil.example', 403],
  ['that nobody knows', ['app.example'], 'null', 403],
  // It may talk where there is no rule, but who writes nothing down lets no other origin read.
  ['of this machine', undefined, 'http://localhost:3000', 401],
])('a page %s asks in vain and reads nothing', async (_what, origins, origin, status) => {
  const send = await browser(origins);
  for (const response of [
    await send('OPTIONS', { ...asks, origin }),
    await send('POST', { origin }, INITIALIZE),
  ]) {
    expect(response.status).toBe(status);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('a client that is no page is answered as ever', async () => {
  const send = await browser(['app.example']);
  const opened = await send('POST', { ...alice, origin: '' }, INITIALIZE);
  expect([opened.status, opened.headers.has('access-control-allow-origin')]).toEqual([200, false]);
});
