import { type ChildProcess, spawn } from 'node:child_process';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  callDirectly,
  callerOf,
  leaving,
  mountFixture,
  rejection,
  textOf,
} from '../../test-support/mount-fixture.ts';
import { registryServer } from '../../test-support/processes.ts';
import { type Intercept, json, scriptedHttp } from '../../test-support/scripted-http.ts';
import { plainTool } from '../../test-support/scripted-server.ts';
import { byBearer, gateOf } from '../../test-support/serve-fixture.ts';
import { serveMcp } from '../serve/serve-mcp.ts';
import { mountMcp } from './mount-mcp.ts';

const tools = [plainTool('work')];
const limits = { closeGraceMs: 300 };

describe('a session that the server forgot', () => {
  test('is made anew once, the list is read again, and the call is sent once more', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    const call = await callerOf(mount);
    server.forget();
    expect((await call('work')).kind).toBe('completed');
    expect(server.of('initialize').map(({ session }) => session)).toEqual([undefined, undefined]);
    expect(server.of('tools/list')).toHaveLength(2);
    expect(server.of('tools/call').map(({ session }) => session)).toEqual(['s1', 's2']);
  });

  test('is made anew once for all who notice, and a new one that is forgotten, too, ends in a clear failure', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    const call = await callerOf(mount);
    // Each round of three calls is answered together.
    let held: (() => void)[] = [];
    server.intercept = async ({ rpc }, response) => {
      if (rpc !== 'tools/call') return false;
      await new Promise<void>((resolve) => {
        held.push(resolve);
        if (held.length < 3) return;
        const all = held;
        held = [];
        for (const go of all) go();
      });
      return json(response, 404, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_001, message: 'Session not found' },
      });
    };
    const outcomes = await Promise.all([call('work'), call('work'), call('work')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'failed']);
    expect(textOf(outcomes[0] ?? outcomes[1])).toMatch(/lost its session/);
    expect(server.of('initialize')).toHaveLength(2);
    expect(server.of('tools/call')).toHaveLength(6);
  });

  const refusal = (code: number, message: string, id: unknown = null, data?: object) => ({
    jsonrpc: '2.0',
    id,
    error: { code, message, data },
  });
  const otherRevision = (id: unknown) =>
    refusal(-32_022, 'Unsupported protocol version', id, {
      supported: ['2026-07-28'],
      requested: '2025-11-25',
    });

  test.each([
    [400, -32_000, 'Bad Request: No valid session ID provided'],
    [400, -32_000, 'Bad Request: Server not initialized'],
    [400, -32_600, 'Unknown Mcp-Session-Id header'],
    [400, -32_000, 'Session 0193f1c2-77aa not found'],
    [400, -32_000, 'Session ID does not exist'],
    [401, -32_000, 'Unauthorized: Session not found'],
    [410, -32_001, 'Session terminated'],
  ])(
    'is made anew, too, where the server says so with the state %j (%j, %j)',
    async (status, code, message) => {
      const server = await scriptedHttp(tools);
      const mount = await mountFixture({ transport: server.transport, limits });
      const call = await callerOf(mount);
      server.intercept = ({ rpc, session }, response) =>
        rpc !== 'initialize' && session === 's1' && json(response, status, refusal(code, message));
      expect((await call('work')).kind).toBe('completed');
      expect(server.of('tools/call').map(({ session }) => session)).toEqual(['s1', 's2']);
    },
  );

  test.each([
    [-32_001, 'Session not found'],
    [-32_004, 'Unknown session'],
    [-32_099, 'Session expired'],
  ])(
    'is made anew for the next call where it was said in an answer (%j), and the call is not sent again',
    async (code, message) => {
      const server = await scriptedHttp(tools);
      const mount = await mountFixture({ transport: server.transport, limits });
      const call = await callerOf(mount);
      server.intercept = ({ rpc, session, id }, response) =>
        rpc === 'tools/call' && session === 's1' && json(response, 200, refusal(code, message, id));
      expect((await call('work')).kind).toBe('failed');
      expect((await call('work')).kind).toBe('completed');
      expect(server.of('tools/call').map(({ session }) => session)).toEqual(['s1', 's2']);
    },
  );

  test.each([
    [500, 'Error POSTing to endpoint (HTTP 400): Bad Request: No valid session ID provided'],
    [502, 'Session not found'],
    [503, 'Service Unavailable: MCP session is unknown on this API instance'],
  ])(
    'is made anew for the next call where a broken server says so (%j), and the call is not sent again',
    async (status, message) => {
      const server = await scriptedHttp(tools);
      const mount = await mountFixture({ transport: server.transport, limits });
      const call = await callerOf(mount);
      server.intercept = ({ rpc, session }, response) =>
        rpc === 'tools/call' && session === 's1' && json(response, status, refusal(-32_001, message));
      expect((await call('work')).kind).not.toBe('completed');
      expect((await call('work')).kind).toBe('completed');
      expect(server.of('tools/call').map(({ session }) => session)).toEqual(['s1', 's2']);
    },
  );

  test.each([
    [401, 'The token is not valid.'],
    [500, 'The printer is not there.'],
    [503, 'Come back later.'],
  ])('is not lost for the state %j alone', async (status, message) => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    const call = await callerOf(mount);
    server.intercept = ({ rpc }, response) =>
      rpc === 'tools/call' && json(response, status, refusal(-32_000, message));
    await call('work');
    expect(server.of('tools/call')).toHaveLength(1);
    server.intercept = undefined;
    expect((await call('work')).kind).toBe('completed');
    expect(server.of('initialize')).toHaveLength(1);
  });

  test.each([
    ['of other words', -32_000, 'The login session of the printer cannot be printed.'],
    ['of another code', -32_602, 'Session not found'],
    ['of a tool under the code for other revisions', -32_022, 'Insufficient funds'],
  ])('is not suspected for an error %s', async (_label, code, message) => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    const call = await callerOf(mount);
    server.intercept = ({ rpc, id }, response) =>
      rpc === 'tools/call' && json(response, 200, refusal(code, message, id));
    expect((await call('work')).kind).toBe('failed');
    expect((await call('work')).kind).toBe('failed');
    expect(server.of('initialize')).toHaveLength(1);
    expect(server.of('tools/call')).toHaveLength(2);
  });

  describe('of a server that was exchanged for one of', () => {
    const modern: Record<string, object> = {
      'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: 'done' }] },
    };
    const newest: Intercept = ({ rpc, id }, response) => {
      const result = modern[rpc];
      if (result === undefined)
        return json(response, 404, { jsonrpc: '2.0', id, error: { code: -32_601, message: 'x' } });
      const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
      return json(response, 200, { jsonrpc: '2.0', id, result: { ...cached, ...result } });
    };

    test.each([
      ['Bad Request: Unsupported protocol version: 2026-07-28 (supported versions: 2025-11-25)'],
      ['Bad Request: No valid session ID provided'],
      ['Bad Request: Mcp-Session-Id header is required'],
      ['Bad Request: Server not initialized'],
    ])('an older revision is made anew, and the call is sent once more (%j)', async (message) => {
      const server = await scriptedHttp(tools);
      server.intercept = newest;
      const mount = await mountFixture({ transport: server.transport, limits });
      const call = await callerOf(mount);
      expect((await call('work')).kind).toBe('completed');
      server.intercept = ({ rpc, session }, response) =>
        session === undefined && rpc !== 'initialize' && json(response, 400, refusal(-32_000, message));
      expect((await call('work')).kind).toBe('completed');
      expect(server.of('tools/call')).toHaveLength(3);
      expect(mount.report.protocolVersion).toBe('2025-11-25');
    });

    test('an older revision is made anew for the next call where it was said in an answer', async () => {
      const server = await scriptedHttp(tools);
      server.intercept = newest;
      const mount = await mountFixture({ transport: server.transport, limits });
      const call = await callerOf(mount);
      server.intercept = ({ rpc, session, id }, response) =>
        session === undefined &&
        rpc !== 'initialize' &&
        json(response, 400, refusal(-32_600, 'Unsupported protocol version: 2026-07-28', id));
      expect((await call('work')).kind).toBe('failed');
      expect((await call('work')).kind).toBe('completed');
      expect(server.of('tools/call')).toHaveLength(2);
    });

    test('the newest revision is made anew, and the call is sent once more', async () => {
      const server = await scriptedHttp(tools);
      const mount = await mountFixture({ transport: server.transport, limits });
      const call = await callerOf(mount);
      server.intercept = (request, response) =>
        request.headers['mcp-protocol-version'] === '2025-11-25'
          ? json(response, 400, otherRevision(request.id))
          : newest(request, response);
      expect((await call('work')).kind).toBe('completed');
      expect(server.of('tools/call')).toHaveLength(2);
      expect(mount.report.protocolVersion).toBe('2026-07-28');
    });

    test('nothing that it says of itself ends in a clear failure', async () => {
      const server = await scriptedHttp(tools);
      server.intercept = newest;
      const mount = await mountFixture({ transport: server.transport, limits });
      const call = await callerOf(mount);
      server.intercept = (request, response) =>
        request.rpc === 'tools/call'
          ? json(response, 400, otherRevision(request.id))
          : newest(request, response);
      expect((await call('work')).kind).toBe('failed');
      expect(server.of('tools/call')).toHaveLength(2);
    });
  });

  test('is not lost where there is none, whatever a server says: the call is not sent again', async () => {
    const server = await scriptedHttp(tools);
    server.intercept = ({ rpc, id }, response) => {
      const capabilities = { tools: {} };
      const serverInfo = { name: 'http', version: '1' };
      const result = { protocolVersion: '2025-11-25', capabilities, serverInfo };
      if (rpc === 'initialize') return json(response, 200, { jsonrpc: '2.0', id, result });
      if (rpc === 'tools/list') return json(response, 200, { jsonrpc: '2.0', id, result: { tools } });
      if (rpc === 'tools/call') return json(response, 400, refusal(-32_000, 'The session was closed.'));
      if (rpc !== 'notifications/initialized') return false;
      response.writeHead(202).end();
      return true;
    };
    const mount = await mountFixture({ transport: server.transport, limits });
    expect((await (await callerOf(mount))('work')).kind).toBe('failed');
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('is made anew by a reading of the list, whoever asks for it', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    const call = await callerOf(mount);
    server.forget();
    await mount.refresh();
    expect(mount.report.problems).toEqual([]);
    expect(server.of('initialize')).toHaveLength(2);
    expect((await call('work')).kind).toBe('completed');
    expect(server.of('tools/call').map(({ session }) => session)).toEqual(['s2']);
  });

  test('is no way to change a definition', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    const call = await callerOf(mount);
    server.forget();
    server.tools = [plainTool('work', { description: 'Does something else.' })];
    expect((await call('work')).reason).toBe('tool_rejected');
    expect(server.of('tools/call')).toHaveLength(1);
  });
});

test('a server that writes null for what it does not have is mounted', async () => {
  const server = await scriptedHttp(tools);
  server.intercept = ({ rpc, id }, response) => {
    const serverInfo = { name: 'http', version: '1', title: null };
    const capabilities = { tools: { listChanged: null }, logging: null };
    const result = { protocolVersion: '2025-11-25', capabilities, serverInfo, instructions: null };
    if (rpc === 'initialize') return json(response, 200, { jsonrpc: '2.0', id, result });
    if (rpc === 'tools/list') return json(response, 200, { jsonrpc: '2.0', id, result: { tools } });
    if (rpc !== 'notifications/initialized') return false;
    response.writeHead(202).end();
    return true;
  };
  const mount = await mountFixture({ transport: server.transport, limits });
  expect(mount.tools.map(({ contract }) => contract.definition.name)).toEqual(['work']);
});

test('a server that says nothing to the question for the newest revision is spoken to in an older one', async () => {
  const server = await scriptedHttp(tools);
  server.intercept = ({ rpc }, response) => {
    if (rpc !== 'server/discover') return false;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"error":"no session"}\n\n');
    return true;
  };
  const mount = await mountFixture({
    transport: server.transport,
    limits: { ...limits, connectTimeoutMs: 1_000 },
  });
  expect((await (await callerOf(mount))('work')).kind).toBe('completed');
});

describe('an answer', () => {
  const answered = async (status: number, headers: object = {}) => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    server.intercept = ({ rpc }, response) =>
      rpc === 'tools/call' && json(response, status, { secret: 'db.internal' }, headers);
    const outcome = await (await callerOf(mount))('work');
    expect(leaving(outcome)).not.toContain('db.internal');
    expect(server.of('tools/call')).toHaveLength(1);
    return outcome;
  };

  test.each([400, 401, 403, 409, 413, 429])('of state %j is a definite failure', async (status) => {
    expect((await answered(status)).kind).toBe('failed');
  });

  test('that there are too many calls says so, which is no fault of this one', async () => {
    expect(textOf(await answered(429))).toBe(
      'The server of this tool takes no more calls now. The call was not started.',
    );
    expect(textOf(await answered(409))).toBe('The server of this tool refused the call.');
  });

  test.each([408, 500, 502, 503, 504])('of state %j leaves the effects unknown', async (status) => {
    const outcome = await answered(status);
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'interrupted']);
  });

  test('that is no JSON is a result that cannot be used', async () => {
    expect((await answered(200, { 'content-type': 'text/html' })).reason).toBe('output_invalid');
  });

  test('that says only that the call was taken leaves the effects unknown, at once', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    server.intercept = ({ rpc }, response) => {
      if (rpc !== 'tools/call') return false;
      response.writeHead(202, { 'content-type': 'text/plain' }).end('Accepted');
      return true;
    };
    expect((await (await callerOf(mount))('work')).reason).toBe('interrupted');
    expect(server.of('tools/call')).toHaveLength(1);
  });

  test('that is larger than a message may be leaves the effects unknown, and is named', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({
      transport: server.transport,
      limits: { ...limits, maxMessageBytes: 10_000 },
    });
    const call = await callerOf(mount);
    const large = { content: [{ type: 'text', text: 'x'.repeat(50_000) }] };
    server.intercept = ({ rpc, id }, response) =>
      rpc === 'tools/call' && json(response, 200, { jsonrpc: '2.0', id, result: large });
    expect((await call('work')).reason).toBe('interrupted');
    server.intercept = ({ rpc, id }, response) => {
      if (rpc !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: large })}\n\n`);
      return true;
    };
    expect((await call('work')).reason).toBe('interrupted');
    expect(mount.report.problems.map(({ code }) => code)).toEqual([
      'mcp/message-too-large',
      'mcp/message-too-large',
    ]);
    server.intercept = undefined;
    expect((await call('work')).kind).toBe('completed');
  });

  test('that says a member twice is a result that cannot be used', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    server.intercept = ({ rpc, id }, response) => {
      if (rpc !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[],"content":[]}}`);
      return true;
    };
    expect((await (await callerOf(mount))('work')).reason).toBe('output_invalid');
    expect(mount.report.problems).toMatchObject([{ code: 'mcp/result-invalid' }]);
  });

  test('in a stream that ends without it leaves the effects unknown, at once', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    server.intercept = ({ rpc }, response) => {
      if (rpc !== 'tools/call') return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(': nothing\n\n');
      return true;
    };
    expect((await (await callerOf(mount))('work')).reason).toBe('interrupted');
  });

  test('that the connection breaks before leaves the effects unknown', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    server.intercept = ({ rpc }, response) => {
      if (rpc === 'tools/call') response.destroy();
      return rpc === 'tools/call';
    };
    expect((await (await callerOf(mount))('work')).reason).toBe('interrupted');
  });

  test('from nobody is a failure: the call never left', async () => {
    const server = await scriptedHttp(tools);
    const mount = await mountFixture({ transport: server.transport, limits });
    const call = await callerOf(mount);
    await server.close();
    // The first one may still be written to a connection that was open.
    await call('work');
    const outcome = await call('work');
    expect([outcome.kind, textOf(outcome)]).toEqual([
      'failed',
      'The server of this tool is not available now.',
    ]);
  });
});

describe('a login', () => {
  test('that is missing is said when the server is mounted', async () => {
    const server = await scriptedHttp(tools);
    server.intercept = (_request, response) => json(response, 401, {});
    const error = await rejection(mountMcp({ name: 's', lock: 'off', transport: server.transport }));
    expect(error).toMatchObject({ code: 'mcp/unauthorized' });
  });

  test('is renewed once by the provider, and the call goes on', async () => {
    const server = await scriptedHttp(tools);
    let token = 'old';
    let renewals = 0;
    const auth = {
      token: async () => token,
      onUnauthorized: async () => {
        renewals += 1;
        token = 'new';
      },
    };
    const mount = await mountFixture({ transport: { ...server.transport, auth }, limits });
    server.intercept = ({ rpc, headers }, response) =>
      rpc === 'tools/call' && headers.authorization !== 'Bearer new' && json(response, 401, {});
    expect((await (await callerOf(mount))('work')).kind).toBe('completed');
    expect([renewals, server.of('tools/call').length]).toEqual([1, 2]);
  });

  test('is never sent on to another host', async () => {
    const other = await scriptedHttp(tools);
    const server = await scriptedHttp(tools);
    server.intercept = (_request, response) => {
      response.writeHead(307, { location: other.url }).end();
      return true;
    };
    const transport = { ...server.transport, headers: { authorization: 'Bearer secret' } };
    await rejection(mountMcp({ name: 's', lock: 'off', transport }));
    expect(other.requests).toEqual([]);
  });
});

test('a mount that closes says farewell to its session', async () => {
  const server = await scriptedHttp(tools);
  const mount = await mountFixture({ transport: server.transport, limits });
  await mount.close();
  expect(server.requests.at(-1)).toMatchObject({ method: 'DELETE', session: 's1' });
});

test('a server whose list cannot be read keeps no session of each time that it is tried', async () => {
  const server = await scriptedHttp(tools);
  server.intercept = ({ rpc }, response) => rpc === 'tools/list' && json(response, 403, { error: 'no' });
  for (const session of ['s1', 's2']) {
    await rejection(mountFixture({ transport: server.transport, limits }));
    expect(server.requests.at(-1)).toMatchObject({ method: 'DELETE', session });
  }
});

test('a server that refuses the end of the handshake keeps no session either', async () => {
  const server = await scriptedHttp(tools);
  server.intercept = ({ rpc }, response) =>
    rpc === 'notifications/initialized' && json(response, 403, { error: 'no' });
  for (const session of ['s1', 's2']) {
    await rejection(mountFixture({ transport: server.transport, limits }));
    expect(server.requests.filter(({ method }) => method === 'DELETE').at(-1)).toMatchObject({ session });
  }
  expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
});

test('a server that never says farewell is not waited for', async () => {
  const server = await scriptedHttp(tools);
  const mount = await mountFixture({ transport: server.transport, limits: { closeGraceMs: 50 } });
  server.intercept = ({ method }) => method === 'DELETE';
  await mount.close();
  expect(server.requests.at(-1)?.method).toBe('DELETE');
});

describe('a gate of ours that is served', () => {
  test('is mounted in the newest revision, with structure, failures and cancellation', async () => {
    const service = serveMcp(gateOf(), { authenticate: byBearer });
    onTestFinished(() => service.close());
    const { url } = await service.listen();
    const transport = { kind: 'http', url, headers: { authorization: 'Bearer alice' } } as const;
    const mount = await mountFixture({ transport, limits });
    expect(mount.report.protocolVersion).toBe('2026-07-28');
    const call = await callerOf(mount);
    const sum = await call('add', { a: 2, b: 3 });
    expect(sum.kind).toBe('completed');
    expect(textOf(await call('fail', { how: 'public' }))).toBe('No such city.');
    expect((await call('restart')).reason).toBe('tool_unavailable');
    const stop = AbortSignal.abort(new Error('enough'));
    expect(await rejection(callDirectly(mount, 'add', { a: 1, b: 1 }, { signal: stop }))).toMatchObject({
      kind: 'rejected',
    });
  });
});

describe('server-everything over HTTP', () => {
  /** Starts it on a port that was free a moment ago. */
  const start = async (): Promise<string> => {
    const probe = await scriptedHttp([]);
    const { port } = new URL(probe.url);
    await probe.close();
    const { command, args = [] } = registryServer('everything', 'streamableHttp');
    const child: ChildProcess = spawn(command, args, {
      env: { ...process.env, PORT: port },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on('data', (text) => {
        if (/listening/i.test(String(text))) resolve();
      });
      child.once('exit', () => reject(new Error('The server ended.')));
    });
    return `http://127.0.0.1:${port}/mcp`;
  };

  test('lists, calls, gives structure and images, reports progress and stops at a cancellation', async () => {
    const url = await start();
    const mount = await mountFixture({ transport: { kind: 'http', url }, limits });
    const stop = new AbortController();
    let updates = 0;
    const call = await callerOf(mount, {
      observe: (event) => {
        if (event.kind === 'call-progress') updates += 1;
      },
    });
    expect(textOf(await call('echo', { message: 'hi' }))).toBe('Echo: hi');
    const weather = await call('get-structured-content', { location: 'Chicago' });
    expect(weather.kind === 'completed' && weather.output.structured).toMatchObject({
      temperature: expect.any(Number),
    });
    const image = await call('get-tiny-image');
    expect(image.kind === 'completed' && image.output.parts.map(({ kind }) => kind)).toContain('image');
    expect((await call('trigger-long-running-operation', { duration: 0.4, steps: 4 })).kind).toBe(
      'completed',
    );
    expect(updates).toBe(4);
    const cancelling = await callerOf(
      mount,
      {
        observe: (event) => {
          if (event.kind === 'call-progress') stop.abort();
        },
      },
      stop.signal,
    );
    const cancelled = await cancelling('trigger-long-running-operation', { duration: 60, steps: 600 });
    expect([cancelled.kind, cancelled.reason]).toEqual(['unknown', 'cancelled_after_dispatch']);
    expect(textOf(await call('echo', { message: 'still here' }))).toBe('Echo: still here');
  });
});

test('a stream that a server ends at once and wants back without delay is taken up a few times, and not for ever', async () => {
  const server = await scriptedHttp(tools);
  let streams = 0;
  server.intercept = ({ method }, response) => {
    if (method !== 'GET') return false;
    streams += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('retry: 0\nid: 1\ndata: \n\n');
    return true;
  };
  const mount = await mountFixture({ transport: server.transport, limits });
  await vi.waitUntil(() => streams >= 6, { timeout: 20_000 });
  const call = await callerOf(mount);
  const before = streams;
  for (let count = 0; count < 20; count += 1) expect((await call('work')).kind).toBe('completed');
  expect(streams - before).toBeLessThan(20);
});
