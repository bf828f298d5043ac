import { request } from 'node:http';
import { expect, test } from 'vitest';
import { CLIENT_KEY, withGateway } from '../../test-support/gateway-fixture.ts';

/** What is answered to headers in their order. */
const statusOf = (url: string, headers: readonly string[]): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { headers: [...headers] }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });

// Whoever stands between reads all of them.
test.each([
  ['another key', ['authorization', 'Bearer another'], 401],
  ['a foreign page', ['origin', 'https://evil.example'], 403],
  ['another host', ['host', 'evil.example'], 400],
])('%s is seen behind a thousand headers', async (_, last, status) => {
  await withGateway({ providers: {}, grants: { admin: true } }, async ({ url }) => {
    const many = Array.from({ length: 1_500 }, (_each, index) => [`x${index}`, '1']).flat();
    const own = ['host', new URL(url).host, 'authorization', `Bearer ${CLIENT_KEY}`, ...many];
    expect(await statusOf(`${url}/api/keys`, own)).toBe(200);
    expect(await statusOf(`${url}/api/keys`, [...own, ...last])).toBe(status);
  });
});
