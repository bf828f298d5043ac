import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClientCredentialsProvider } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { callerOf, mountFixture } from '../../test-support/mount-fixture.ts';
import { json, scriptedHttp } from '../../test-support/scripted-http.ts';

const tools = [{ name: 'work', inputSchema: { type: 'object' } }];

/** An authorization server of its own origin, which gives a token to everybody. */
async function loginServer() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    request.resume();
    answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  };
  function answer(path: string, response: ServerResponse): void {
    if (path.startsWith('/.well-known/')) json(response, 200, metadata);
    else if (path === '/token') json(response, 200, { access_token: 'tok', token_type: 'Bearer' });
    else response.writeHead(404).end();
  }
  return { origin, seen };
}

test('headers of a server go to it and to its origin, and to no login that it names elsewhere', async () => {
  const login = await loginServer();
  const server = await scriptedHttp(tools);
  const { origin } = new URL(server.url);
  const described = `${origin}/.well-known/oauth-protected-resource`;
  const keys: unknown[] = [];
  server.intercept = ({ headers, method, rpc }, response) => {
    keys.push(headers['x-api-key']);
    if (rpc === '' && method === 'GET' && headers.accept?.includes('text/event-stream') !== true)
      return json(response, 200, { resource: server.url, authorization_servers: [login.origin] });
    if (headers.authorization === 'Bearer tok') return false;
    response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${described}"` }).end();
    return true;
  };
  const auth = new ClientCredentialsProvider({
    clientId: 'id',
    clientSecret: 'for-the-login',
    expectedIssuer: login.origin,
  });
  const transport = { ...server.transport, auth, headers: { 'X-Api-Key': 'planted', cookie: 'planted' } };
  const mount = await mountFixture({ transport });
  expect((await (await callerOf(mount))('work')).kind).toBe('completed');
  expect(login.seen.length).toBeGreaterThan(1);
  expect(JSON.stringify(login.seen)).not.toContain('planted');
  expect(login.seen.some(({ authorization }) => authorization?.startsWith('Basic '))).toBe(true);
  expect(new Set(keys)).toEqual(new Set(['planted']));
});
