import { connect } from 'node:net';
import { defineTool, type GateEvent, type Tool } from '@toolgate/core';
import { describe, expect, test, vi } from 'vitest';
import { createFakeClock } from '../../../../testing/src/clock/fake-clock.ts';
import {
  type Caller,
  gateOf,
  INITIALIZE,
  type Served,
  serveFixture,
} from '../../../test-support/serve-fixture.ts';
import type { ServeOptions } from '../serve-options.ts';

const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

function serve(gate = gateOf(), options: ServeOptions<Caller> = {}): Promise<Served> {
  return serveFixture(gate, options);
}

/** Opens a session and gives its id. */
async function openSession({ post }: Served, principal = 'alice'): Promise<string> {
  const response = await post(INITIALIZE, { authorization: `Bearer ${principal}` });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('mcp-session-id') ?? '';
}

/** Sends bytes as they are and gives what came back, head and all. */
function raw({ listening }: Served, text: string): Promise<string> {
  const { port } = new URL(listening.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (piece) => {
      answer += String(piece);
      // Enough for the status; a stream would go on.
      if (answer.includes('\r\n\r\n')) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a body that is no message is refused with a fixed text', () => {
  test.each([
    ['nothing', '', 400, -32_700],
    ['half a message', '{"jsonrpc":"2.0","id":3,"method":"tools/ca', 400, -32_700],
    [
      'a member twice',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","name":"fail"}}',
      400,
      -32_700,
    ],
    ['a batch', `[${LIST},${LIST}]`, 400, -32_600],
    ['an empty batch', '[]', 400, -32_600],
    ['null', 'null', 400, -32_600],
    ['a text', '"a"', 400, -32_600],
    ['too deep', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, 400, -32_700],
    ['too large', `{"a":"${'x'.repeat(5_000)}"}`, 413, -32_000],
  ])('%s', async (_name, body, status, code) => {
    const { post } = await serve(gateOf(), { limits: { maxMessageBytes: 4_000 } });
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  test.each(['text/plain', 'application/jsonx', '', 'multipart/form-data'])('of type "%s"', async (type) => {
    const { post } = await serve();
    expect((await post(LIST, { 'content-type': type })).status).toBe(415);
  });

  test('a body that stops in the middle is given up', async () => {
    const clock = createFakeClock();
    const fixture = await serve(gateOf(), { clock });
    const answer = raw(
      fixture,
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer alice\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"js',
    );
    await vi.waitUntil(() => clock.pending > 0, { timeout: 20_000 });
    await clock.advance(30_000);
    expect(await answer).toMatch(/^HTTP\/1\.1 408 /);
  });
});

describe('a request from a page that may not', () => {
  const head = (lines: string) =>
    `POST /mcp HTTP/1.1\r\n${lines}Authorization: Bearer alice\r\nContent-Type: application/json\r\nContent-Length: ${LIST.length}\r\n\r\n${LIST}`;

  test.each([
    ['another host', 'Host: evil.example\r\n', 403],
    ['another host with a port', 'Host: evil.example:8080\r\n', 403],
    ['a host that begins like ours', 'Host: localhost.evil.example\r\n', 403],
    ['an address of the network', 'Host: 192.168.0.1\r\n', 403],
    ['no host', '', 400],
    ['an origin elsewhere', 'Host: localhost\r\nOrigin: https://evil.example\r\n', 403],
    ['an origin that begins like ours', 'Host: localhost\r\nOrigin: http://localhost.evil.example\r\n', 403],
    ['an origin that nobody knows', 'Host: localhost\r\nOrigin: null\r\n', 403],
  ])('%s', async (_name, lines, status) => {
    const fixture = await serve();
    expect(await raw(fixture, head(lines))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test('one of this machine passes the door', async () => {
    const fixture = await serve();
    expect(await raw(fixture, head('Host: localhost:9\r\nOrigin: http://127.0.0.1:3000\r\n'))).toMatch(
      /Mcp-Session-Id header is required/,
    );
  });
});

describe('a client that is not let in', () => {
  test('is told how to ask for it, before its body is read', async () => {
    const fixture = await serve(gateOf(), {
      authenticate: ({ headers, body }) =>
        headers.get('authorization') === 'Bearer known' && body === null
          ? { kind: 'refused', status: 403 }
          : { kind: 'refused', challenge: 'Bearer resource_metadata="https://example.com/.well-known"' },
    });
    const unknown = await fixture.post('{'.repeat(1_000_000), { authorization: 'Bearer x' });
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer resource_metadata="https://example.com/.well-known"',
    ]);
    const known = await fixture.post(LIST, { authorization: 'Bearer known' });
    expect([known.status, known.headers.get('www-authenticate')]).toEqual([403, null]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('ldap.internal is down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('ldap.internal is down'))],
    ['gives a blank name', () => ({ kind: 'accepted', principal: '', context: {} })],
    ['gives nothing', () => undefined],
    ['gives yes', () => true],
  ])('because the rule %s, and learns nothing of it', async (_name, authenticate) => {
    const errors: unknown[] = [];
    const fixture = await serve(gateOf(), {
      authenticate: authenticate as never,
      onError: (error) => errors.push(error),
    });
    const response = await fixture.post(INITIALIZE);
    const text = await response.text();
    expect(response.status).toBeGreaterThanOrEqual(401);
    expect(text).not.toMatch(/ldap|Error:| at /);
  });
});

describe('a session', () => {
  test('is worth nothing to anybody else', async () => {
    const fixture = await serve();
    const session = { 'mcp-session-id': await openSession(fixture) };
    const foreign = { ...session, authorization: 'Bearer bob' };
    const unknown = { 'mcp-session-id': crypto.randomUUID() };
    const answers = [];
    for (const headers of [foreign, unknown]) {
      const response = await fixture.post(LIST, headers);
      answers.push([response.status, await response.text()]);
      for (const method of ['GET', 'DELETE']) {
        const { status } = await fetch(fixture.listening.url, {
          method,
          headers: { accept: 'text/event-stream', authorization: 'Bearer alice', ...headers },
        });
        answers.push([method, status]);
      }
    }
    expect(answers.slice(0, 3)).toEqual(answers.slice(3));
    expect(answers[0]?.[0]).toBe(404);
    expect((await fixture.post(LIST, session)).status).toBe(200);
  });

  test('ends when its client says so, and is not found after that', async () => {
    const fixture = await serve();
    const headers = { 'mcp-session-id': await openSession(fixture), authorization: 'Bearer alice' };
    expect((await fetch(fixture.listening.url, { method: 'DELETE', headers })).status).toBe(200);
    expect((await fixture.post(LIST, headers)).status).toBe(404);
  });

  test('ends when nobody uses it', async () => {
    const clock = createFakeClock();
    const fixture = await serve(gateOf(), { clock });
    const session = { 'mcp-session-id': await openSession(fixture) };
    await clock.advance(1_799_999);
    await (await fixture.post(LIST, session)).text();
    await clock.advance(1_799_999);
    await (await fixture.post(LIST, session)).text();
    await clock.advance(3_600_000);
    expect((await fixture.post(LIST, session)).status).toBe(404);
  });

  test('makes room for the next one of its principal, and for nobody else', async () => {
    const fixture = await serve(gateOf(), { limits: { maxSessionsPerPrincipal: 2, maxSessions: 3 } });
    const first = await openSession(fixture);
    const second = await openSession(fixture);
    const third = await openSession(fixture);
    const statuses = [];
    for (const id of [first, second, third]) {
      statuses.push((await fixture.post(LIST, { 'mcp-session-id': id })).status);
    }
    expect(statuses).toEqual([404, 200, 200]);
    await openSession(fixture, 'bob');
    const full = await fixture.post(INITIALIZE, { authorization: 'Bearer carol' });
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '60']);
  });

  test('answers a first and a second request', async () => {
    const fixture = await serve();
    const session = { 'mcp-session-id': await openSession(fixture) };
    const initialized = await fixture.post('{"jsonrpc":"2.0","method":"notifications/initialized"}', session);
    expect(initialized.status).toBe(202);
    for (let turn = 0; turn < 3; turn += 1) {
      const response = await fixture.post(LIST, session);
      expect([response.status, (await response.text()).includes('"add"')]).toEqual([200, true]);
    }
  });

  test('is opened by a request for it and by nothing else', async () => {
    const fixture = await serve();
    for (const body of [
      LIST,
      '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}',
      '{"jsonrpc":"2.0","method":"initialize"}',
      '{"jsonrpc":"2.0","id":1,"result":{}}',
    ]) {
      const response = await fixture.post(body);
      expect([response.status, response.headers.get('mcp-session-id')]).toEqual([400, null]);
    }
  });

  test('keeps a silent stream open with comments', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const fixture = await serve();
      const session = await openSession(fixture);
      const stream = await fetch(fixture.listening.url, {
        headers: { accept: 'text/event-stream', authorization: 'Bearer alice', 'mcp-session-id': session },
      });
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      for (let minute = 0; minute < 5; minute += 1) {
        vi.advanceTimersByTime(60_000);
        expect((await reader?.read())?.value).toMatch(/^: /);
      }
      await reader?.cancel();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the revision of a request', () => {
  test.each([
    ['of a session is unknown', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['of a session is missing', {}, 200],
    ['of a session is known', { 'mcp-protocol-version': '2025-06-18' }, 200],
  ])('%s', async (_name, headers, status) => {
    const fixture = await serve();
    const session = { 'mcp-session-id': await openSession(fixture) };
    expect((await fixture.post(LIST, { ...session, ...headers })).status).toBe(status);
  });

  test('without a session needs everything said with it', async () => {
    const fixture = await serve();
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const body = (extra: object) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: extra } });
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    expect((await fixture.post(LIST, headers)).status).toBe(400);
    expect((await fixture.post(body(meta), headers)).status).toBe(400);
    const whole = {
      ...meta,
      'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    expect((await fixture.post(body(whole), { ...headers, 'mcp-method': 'tools/call' })).status).toBe(400);
    expect((await fixture.post(body(whole), headers)).status).toBe(200);
    const future = { ...whole, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' };
    expect(
      (await fixture.post(body(future), { ...headers, 'mcp-protocol-version': '2999-01-01' })).status,
    ).toBe(400);
  });
});

test.each(['PUT', 'PATCH', 'OPTIONS', 'HEAD'])('the method %s does nothing', async (method) => {
  const fixture = await serve();
  const { status } = await fetch(fixture.listening.url, {
    method,
    headers: { authorization: 'Bearer alice' },
  });
  expect(status).toBe(405);
});

test('another path is nothing', async () => {
  const fixture = await serve();
  expect((await fetch(fixture.listening.url.replace('/mcp', '/'))).status).toBe(404);
});

test.each(['http://evil.example/mcp', '*', 'mcp'])('the address %s is not followed', async (address) => {
  const fixture = await serve();
  expect(await raw(fixture, `GET ${address} HTTP/1.1\r\nHost: localhost\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 40[04] /,
  );
});

test('a client that reads nothing loses its stream, and its call is cancelled', async () => {
  const events: GateEvent[] = [];
  const chatty: Tool<Caller> = defineTool({
    name: 'chatty',
    description: '',
    input: { type: 'object' },
    execute: async (_input, { progress, signal }) => {
      for (let step = 1; !signal.aborted; step += 1) {
        progress?.({ progress: step, message: 'x'.repeat(900) });
        await new Promise((resolve) => setImmediate(resolve));
      }
      throw signal.reason;
    },
  });
  const gate = gateOf([chatty], { observe: (event) => events.push(event) });
  const { service } = await serve(gate, { limits: { maxWaitingBytes: 100_000 } });
  const headers = {
    host: 'localhost',
    authorization: 'Bearer alice',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const send = (body: string, session: object = {}) =>
    service.fetch(
      new Request('http://localhost/mcp', { method: 'POST', body, headers: { ...headers, ...session } }),
    );
  const opened = await send(INITIALIZE);
  await opened.text();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') };
  const response = await send(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"chatty","_meta":{"progressToken":1}}}',
    session,
  );
  await vi.waitUntil(() => events.some(({ kind }) => kind === 'call-end'), { timeout: 20_000 });
  expect(events.find(({ kind }) => kind === 'call-end')).toMatchObject({
    reason: 'cancelled_after_dispatch',
  });
  await expect(response.text()).rejects.toThrow();
});
