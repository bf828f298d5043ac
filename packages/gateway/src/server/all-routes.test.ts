import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_KEY, startGateway, type TestGateway } from '../../test-support/gateway-fixture.ts';
import { type PostOptions, post, type RawAnswered } from '../../test-support/post.ts';
import { type ServedRoute, servedRoutes } from '../../test-support/served-routes.ts';
import { NO_GRANTS } from '../config/to-grants.ts';
import { keyDigest } from '../keys/key-text.ts';

const ADMIN_KEY = 'tg_admin_key_0123456789';
const OPEN = new Set(['/healthz', '/readyz', '/metrics']);
const isAdmin = (url: string): boolean => url.startsWith('/api/');

let gateway: TestGateway;
let routes: readonly ServedRoute[];
beforeAll(async () => {
  const keys = [
    {
      id: 'client',
      principal: 'ana',
      digest: keyDigest(CLIENT_KEY),
      grants: { ...NO_GRANTS, servers: 'all' },
    },
    { id: 'boss', principal: 'eva', digest: keyDigest(ADMIN_KEY), grants: { ...NO_GRANTS, admin: true } },
  ] as const;
  gateway = await startGateway({ providers: {}, config: { keys } });
  routes = await servedRoutes();
});
afterAll(async () => {
  await gateway.close();
});

/** Sends a request to a route that would be understood, but for what a test changes. */
function send({ method, url }: ServedRoute, { headers, key }: PostOptions, query = ''): Promise<RawAnswered> {
  const path = url.replace(/:\w+/g, 'x').replace('*', 'm:generateContent');
  return post(`${gateway.url}${path}${query}`, method === 'POST' ? '{}' : '', {
    method,
    ...(key === undefined ? {} : { key }),
    ...(headers === undefined ? {} : { headers }),
  });
}

/** The status and code that every route of some answers with. */
async function answers(
  wanted: (route: ServedRoute) => boolean,
  options: PostOptions,
  query?: string,
): Promise<ReadonlySet<string>> {
  const seen = new Set<string>();
  let asked = 0;
  for (const route of routes.filter(wanted)) {
    const { body, status } = await send(route, options, query);
    const code = /"(?:code|reason)":"(\w+)"/.exec(body)?.[1] ?? '';
    seen.add(`${status} ${code}`);
    asked += 1;
  }
  expect(asked).toBeGreaterThan(2);
  return seen;
}

const guarded = ({ url }: ServedRoute): boolean => !OPEN.has(url);

describe('every route', () => {
  test('is among those that were walked', () => {
    const urls = new Set(routes.map(({ url }) => url));
    for (const url of [
      '/v1/chat/completions',
      '/mcp',
      '/mcp/:server',
      '/metrics',
      '/api/approvals/:id/approve',
    ])
      expect(urls).toContain(url);
    expect(routes.length).toBeGreaterThan(30);
  });

  test.each([
    ['without a key', { key: '' }],
    ['with an unknown key', { key: 'tg_unknown_0123456789' }],
    ['with two different keys', { headers: { 'x-api-key': ADMIN_KEY } }],
    [
      'with its key in a cookie',
      { key: '', headers: { cookie: `key=${ADMIN_KEY}; authorization=${ADMIN_KEY}` } },
    ],
  ])('refuses a request %s', async (_name, options) => {
    expect(await answers(guarded, options)).toEqual(new Set(['401 key_invalid']));
  });

  test.each(['key', 'token', 'api_key', 'xtoken', 'access_token', 'authorization'])(
    'takes no key from the query, called %s',
    async (name) => {
      const query = `?${name}=${ADMIN_KEY}`;
      expect(await answers(guarded, { key: '' }, query)).toEqual(new Set(['401 key_invalid']));
    },
  );

  test('refuses another name of the host, before anything else', async () => {
    for (const key of ['', ADMIN_KEY]) {
      const headers = { host: 'attacker.example:8787', origin: 'http://attacker.example:8787' };
      expect(await answers(() => true, { key, headers })).toEqual(new Set(['403 host_forbidden']));
    }
  });

  test.each(['http://attacker.example', 'null', 'https://127.0.0.1.attacker.example', 'http://127.0.0.1:1'])(
    'refuses a page of %s',
    async (origin) => {
      const headers = { origin };
      expect(await answers(() => true, { key: ADMIN_KEY, headers })).toEqual(
        new Set(['403 origin_forbidden']),
      );
    },
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'that takes a body refuses one of %s',
    async (type) => {
      const posts = ({ method }: ServedRoute): boolean => method === 'POST';
      const headers = { 'content-type': type };
      const models = await answers((route) => posts(route) && route.url.startsWith('/v1'), { headers });
      expect(models).toEqual(new Set(['415 media_type_unsupported']));
      const admin = await answers((route) => posts(route) && isAdmin(route.url), { key: ADMIN_KEY, headers });
      expect(admin).toEqual(new Set(['415 media_type_unsupported']));
      expect((await send({ method: 'POST', url: '/mcp' }, { headers })).status).toBe(415);
    },
  );

  test('that takes a body refuses a packed one', async () => {
    const posts = ({ method }: ServedRoute): boolean => method === 'POST';
    const isModel = ({ url }: ServedRoute): boolean => url.startsWith('/v1');
    const refused = new Set(['415 media_type_unsupported']);
    for (const encoding of ['compress', 'gzip, gzip', 'zip']) {
      const headers = { 'content-encoding': encoding };
      expect(await answers(posts, { key: ADMIN_KEY, headers })).toEqual(refused);
    }
    // Conversations are long: those come packed, and are unpacked within bounds.
    const headers = { 'content-encoding': 'gzip' };
    const others = (route: ServedRoute): boolean => posts(route) && !isModel(route);
    expect(await answers(others, { key: ADMIN_KEY, headers })).toEqual(refused);
    const models = (route: ServedRoute): boolean => posts(route) && isModel(route);
    expect(await answers(models, { headers })).toEqual(new Set(['400 body_malformed']));
  });

  test('of the admin API refuses a key without the right, and names no reason but that', async () => {
    expect(await answers(({ url }) => isAdmin(url), {})).toEqual(new Set(['403 admin_required']));
  });

  test('answers no other method, says which ones it knows, and grants nothing to a page', async () => {
    for (const url of new Set(routes.map((route) => route.url))) {
      const own = routes.filter((route) => route.url === url).map(({ method }) => method);
      for (const method of ['OPTIONS', 'PUT', 'PATCH', 'TRACE']) {
        const { body, headers, status } = await send({ method, url }, { key: ADMIN_KEY });
        expect([url, status, /"(?:code|reason)":"(\w+)"/.exec(body)?.[1]]).toEqual([
          url,
          405,
          'method_not_allowed',
        ]);
        const allowed = String(headers['allow']).split(', ');
        for (const each of own) expect(allowed).toContain(each);
        expect(allowed).not.toContain(method);
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
  });

  test('that is read answers HEAD as it answers GET, without a body; what waits for news does not', async () => {
    for (const { url } of routes.filter(({ method }) => method === 'GET')) {
      const waits = url.startsWith('/mcp') || url.endsWith('/events');
      const head = await send({ method: 'HEAD', url }, { key: ADMIN_KEY });
      expect(head.body).toBe('');
      if (waits) expect([404, 405]).toContain(head.status);
      else
        expect([url, head.status]).toEqual([
          url,
          (await send({ method: 'GET', url }, { key: ADMIN_KEY })).status,
        ]);
    }
  });

  test('is told apart from what is not there', async () => {
    for (const url of ['/', '/v2/chat', '/api', '/api/nothing', '/v1/chat/completions/x']) {
      const { headers, status } = await send({ method: 'PUT', url }, { key: ADMIN_KEY });
      expect([url, status, headers['allow']]).toEqual([url, 404, undefined]);
    }
  });

  test('names the request in a header of ours, whatever the client calls it', async () => {
    const headers = { 'x-request-id': 'planted', traceparent: 'planted' };
    for (const route of routes.filter(({ url }) => url !== '/api/approvals/events')) {
      const answered = await send(route, { key: ADMIN_KEY, headers });
      expect(answered.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(answered.body).not.toContain('planted');
    }
  });
});

test('the addresses for machines need no key and say nothing of anybody', async () => {
  for (const url of OPEN) {
    const { body, status } = await send({ method: 'GET', url }, { key: '' });
    expect(status).toBe(200);
    expect(body).not.toMatch(/ana|eva|client|boss/);
  }
});

describe('a header', () => {
  const raw = (lines: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(gateway.url);
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1');
      });
      socket.once('close', () => resolve(answer));
      socket.once('error', reject);
    });
  const HEAD = ['GET /api/status HTTP/1.1', `authorization: Bearer ${ADMIN_KEY}`, 'connection: close'];

  test.each([
    ['twice as the host', ['host: 127.0.0.1', 'host: attacker.example']],
    ['with a bare line feed', ['host: 127.0.0.1', 'x-a: b\nset-cookie: planted=1']],
    ['with a null', ['host: 127.0.0.1', 'x-a: b\0']],
    ['with two lengths', ['host: 127.0.0.1', 'content-length: 1', 'content-length: 2']],
    ['with a length and pieces', ['host: 127.0.0.1', 'content-length: 1', 'transfer-encoding: chunked']],
    ['without a host', []],
  ])('%s is refused, and nothing of it comes back', async (_name, lines) => {
    const answer = await raw([...HEAD, ...lines]);
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(answer).not.toContain('planted');
  });

  test.each([
    ['http://attacker.example/api/status', 400],
    ['http://127.0.0.1@attacker.example/api/status', 400],
    ['ftp://127.0.0.1/api/status', 400],
    ['http://127.0.0.1/api/status', 200],
  ])('says the same host as the target %s, or is refused', async (target, status) => {
    const [, ...rest] = HEAD;
    const answer = await raw([`GET ${target} HTTP/1.1`, ...rest, 'host: 127.0.0.1']);
    expect(answer.slice(0, 13)).toBe(`HTTP/1.1 ${status} `);
  });

  test.each(['/api/calls/%0d%0aset-cookie:%20planted=1', '/mcp/%0d%0aplanted', '/v1/models/%0d%0aplanted'])(
    'is not made of the address %s',
    async (path) => {
      const { headers, status } = await post(`${gateway.url}${path}`, '', { method: 'GET', key: ADMIN_KEY });
      expect(status).toBe(404);
      expect(JSON.stringify(headers)).not.toContain('planted');
    },
  );
});

test('nothing of all this was a defect', () => {
  expect(gateway.errors).toEqual([]);
});
