import { createGate, defineTool, type Tool } from '@toolgate/core';
import { expect, onTestFinished, test } from 'vitest';
import { INITIALIZE } from '../../test-support/serve-fixture.ts';
import { serveMcp } from './serve-mcp.ts';

interface Login {
  readonly token: string;
  readonly admin: boolean;
}

const empty = { type: 'object' } as const;
const token: Tool<Login> = defineTool({
  name: 'token',
  description: '',
  profile: { class: 'read' },
  input: { type: 'object', properties: { ms: { type: 'number' } } },
  execute: async ({ ms = 0 }: { ms?: number }, { context }) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return context.token;
  },
});
const restart: Tool<Login> = {
  ...defineTool({
    name: 'restart',
    description: '',
    profile: { class: 'read' },
    input: empty,
    execute: () => 'done',
  }),
  available: ({ admin }) => admin,
};
const later: Tool<Login> = defineTool({
  name: 'later',
  description: '',
  input: empty,
  execute: () => 'done',
});

const gateOf = (...tools: Tool<Login>[]) => createGate<Login>({ tools, graceMs: 50 });

/** A session of one principal, whose requests come with whatever login. */
async function session() {
  const contexts: Login[] = [];
  const service = serveMcp(gateOf(token, restart), {
    authenticate: ({ headers }) => {
      const [, name = '', admin] = /^Bearer (\w+?)(-admin)?$/.exec(headers.get('authorization') ?? '') ?? [];
      const context = { token: name, admin: admin !== undefined };
      contexts.push(context);
      return { kind: 'accepted', principal: 'ana', context };
    },
  });
  onTestFinished(() => service.close());
  const { url } = await service.listen();
  const post = (login: string, message: object | string, id = '') =>
    fetch(url, {
      method: 'POST',
      body: typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }),
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        authorization: `Bearer ${login}`,
        ...(id === '' ? {} : { 'mcp-session-id': id }),
      },
    });
  const opened = await post('first-admin', INITIALIZE);
  const id = opened.headers.get('mcp-session-id') ?? '';
  let count = 0;
  const ask = async (login: string, method: string, params: object = {}): Promise<string> => {
    count += 1;
    return (await post(login, { id: count, method, params }, id)).text();
  };
  return {
    service,
    list: (login: string) => ask(login, 'tools/list'),
    call: (login: string, name: string, args: object = {}) =>
      ask(login, 'tools/call', { name, arguments: args }),
  };
}

test('a tool gets the login that its request came with, not that of the first one', async () => {
  const { call } = await session();
  expect(await call('first-admin', 'token')).toContain('"first"');
  expect(await call('second', 'token')).toContain('"second"');
  expect(await call('first-admin', 'token')).toContain('"first"');
});

test('rights that are gone are gone for the next request', async () => {
  const { call, list } = await session();
  expect(await list('first-admin')).toContain('"restart"');
  expect(await call('first-admin', 'restart')).toContain('done');
  expect(await call('first', 'restart')).toContain('not available');
  expect(await list('first')).not.toContain('"restart"');
  expect(await call('first-admin', 'restart')).toContain('done');
});

test('calls at the same time do not see the login of each other, and none is lost', async () => {
  const { call } = await session();
  const logins = ['a', 'b', 'a', 'c', 'b', 'd'];
  const said = await Promise.all(
    logins.map((login, index) => call(login, 'token', { ms: index % 2 === 0 ? 30 : 0 })),
  );
  logins.forEach((login, index) => {
    expect(said[index]).toContain(`"text":"${login}"`);
  });
});

test('another login is held against the list that the session was shown', async () => {
  const { call, list, service } = await session();
  expect(await call('first', 'token')).toContain('first');
  service.replaceGate(gateOf(token, later));
  expect(await call('second', 'later')).toContain('not available');
  expect(await list('second')).toContain('"later"');
  expect(await call('third', 'later')).toContain('done');
});
