import { defineTool } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { add, type Caller, gateOf, INITIALIZE, serveFixture } from '../../../test-support/serve-fixture.ts';

/** Serves a gate and opens a session, as a program does that has no SDK. */
async function session(gate = gateOf()) {
  const served = await serveFixture(gate);
  const { post } = served;
  const response = await post(INITIALIZE);
  await response.text();
  const headers = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  return {
    post,
    send: (message: object, more: Record<string, string> = {}) =>
      post(JSON.stringify({ jsonrpc: '2.0', ...message }), { ...headers, ...more }),
  };
}

const call = (id: number, name: string, args?: unknown) => ({
  id,
  method: 'tools/call',
  params: { name, ...(args === undefined ? {} : { arguments: args }) },
});

describe('a client', () => {
  test.each(['*/*', 'text/event-stream', 'application/json, text/*'])(
    'that accepts %j is answered',
    async (accept) => {
      const { send } = await session();
      const response = await send(call(1, 'add', { a: 1, b: 2 }), { accept });
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('{"sum":3}')]);
    },
  );

  test.each(['application/json', 'application/json, application/mcp+json'])(
    'that accepts %j gets its answers as JSON',
    async (accept) => {
      const { post } = await session();
      const begun = await post(INITIALIZE, { accept });
      const headers = { accept, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
      expect(await begun.json()).toMatchObject({ result: { serverInfo: {} } });
      const send = (message: object) => post(JSON.stringify({ jsonrpc: '2.0', ...message }), headers);
      const noted = await send({ method: 'notifications/initialized' });
      expect([noted.status, await noted.text()]).toEqual([202, '']);
      const progressToken = 'p';
      const { params, ...rest } = call(1, 'add', { a: 1, b: 2 });
      const response = await send({ ...rest, params: { ...params, _meta: { progressToken } } });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: { sum: 3 } } });
      const unknown = await send({ id: 2, method: 'no/such', params: {} });
      expect(await unknown.json()).toMatchObject({ id: 2, error: { code: -32_601 } });
    },
  );

  test.each(['text/html', 'application/json;q=0'])(
    'that accepts %j is told that there is no such answer',
    async (accept) => {
      const { send } = await session();
      const response = await send(call(1, 'add', { a: 1, b: 2 }), { accept });
      await response.text();
      expect(response.status).toBe(406);
    },
  );

  test('that writes null for what it does not set is understood', async () => {
    const { send } = await session();
    const listed = await send({ id: 1, method: 'tools/list', params: { cursor: null } });
    expect(await listed.text()).toContain('"whoami"');
    const pinged = await send({ id: 2, method: 'ping', params: null });
    expect(await pinged.text()).toContain('"result":{}');
    const called = await send({
      id: 3,
      method: 'tools/call',
      params: { name: 'whoami', arguments: null, _meta: { progressToken: null } },
    });
    expect(await called.text()).toContain('somebody');
  });

  test('that writes the empty list for the empty object is understood', async () => {
    const { post, send } = await session();
    const begun = await post(INITIALIZE.replace('"capabilities":{}', '"capabilities":[]'));
    expect([begun.status, await begun.text()]).toEqual([200, expect.stringContaining('"serverInfo"')]);
    const listed = await send({ id: 1, method: 'tools/list', params: [] });
    expect(await listed.text()).toContain('"whoami"');
    const params = { name: 'whoami', arguments: [], _meta: [] };
    const called = await send({ id: 2, method: 'tools/call', params });
    expect(await called.text()).toContain('somebody');
    const wrong = await send({ id: 3, method: 'tools/call', params: { ...params, arguments: [1] } });
    expect(await wrong.text()).toContain('-32602');
  });

  test.each(['a session that is gone', 'nothing', 'the session of somebody else'])(
    'that begins anew with the id of %s gets a session of its own',
    async (whose) => {
      const { post } = await session();
      const foreign = await post(INITIALIZE, { authorization: 'Bearer bob' });
      await foreign.text();
      const others = foreign.headers.get('mcp-session-id') ?? '';
      const ids = { 'a session that is gone': crypto.randomUUID(), nothing: '' };
      const id = ids[whose as keyof typeof ids] ?? others;
      const response = await post(INITIALIZE, { 'mcp-session-id': id });
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('"serverInfo"'),
      ]);
      const own = response.headers.get('mcp-session-id') ?? '';
      expect([own.length, own === others]).toEqual([36, false]);
      const pinged = await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'mcp-session-id': own });
      expect(await pinged.text()).toContain('"result":{}');
    },
  );

  test('that opens its stream again, because the old one leads nowhere, hears what there is to hear', async () => {
    const served = await serveFixture(gateOf());
    const opening = await served.post(INITIALIZE);
    await opening.text();
    const headers = {
      accept: 'text/event-stream',
      authorization: 'Bearer alice',
      'mcp-session-id': opening.headers.get('mcp-session-id') ?? '',
    };
    await (await served.post('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers)).text();
    const old = await fetch(served.listening.url, { headers });
    const current = await fetch(served.listening.url, { headers });
    expect([old.status, current.status]).toEqual([200, 200]);
    expect(await old.text()).toBe('');
    served.service.replaceGate(gateOf([add]));
    const reader = current.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('list_changed');
    await reader?.cancel();
  });

  test('that begins what it writes with a byte order mark is understood', async () => {
    const { post } = await session();
    expect((await post(`\ufeff${INITIALIZE}`)).status).toBe(200);
    expect((await post(`\ufeff\ufeff${INITIALIZE}`)).status).toBe(400);
  });

  test('that adds a slash to the address gets there, and by no other one', async () => {
    const { listening } = await serveFixture(gateOf());
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer alice',
    };
    const states: number[] = [];
    for (const end of ['/', '//', '/x']) {
      const response = await fetch(listening.url + end, { method: 'POST', body: INITIALIZE, headers });
      await response.text();
      states.push(response.status);
    }
    expect(states).toEqual([200, 404, 404]);
  });

  test('that begins without saying who it is is told what is missing', async () => {
    const { post } = await session();
    const params = { protocolVersion: '2025-06-18', capabilities: {} };
    const response = await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: -32_602, message: expect.stringContaining('clientInfo') } },
    ]);
  });

  test('that cancels a call and waits on sees the end of its stream, and may use the id again', async () => {
    let started: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const wait = defineTool<{ type: 'object' }, Caller>({
      name: 'wait',
      description: 'Waits.',
      profile: { class: 'read' },
      input: { type: 'object' },
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          started();
        }),
    });
    const { send } = await session(gateOf([wait, add]));
    const waiting = await send(call(7, 'wait'));
    await running;
    const params = { requestId: 7 };
    expect((await send({ method: 'notifications/cancelled', params })).status).toBe(202);
    expect(await waiting.text()).toBe('');
    const again = await send(call(7, 'add', { a: 1, b: 2 }));
    expect(await again.text()).toContain('{"sum":3}');
  });
});
