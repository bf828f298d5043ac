import { systemClock } from '@toolgate/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callerOf, mountFixture, mountScript, textOf } from '../../test-support/mount-fixture.ts';
import { plainTool, RpcFault, type Script } from '../../test-support/scripted-server.ts';
import type { MountConfig } from './mount-config.ts';
import { mountMcp } from './mount-mcp.ts';

const rejected = (): Promise<never> => Promise.reject(new Error('planted'));

/** A slip for `await`. */
const slip = (): never => {
  throw rejected();
};
/** The same slip where it is waited for. */
const lateSlip = async (): Promise<never> => {
  await Promise.resolve();
  throw rejected();
};
/** A promise that is rejected with one. */
const nested = (): Promise<never> => Promise.reject(Promise.reject(rejected()));

const SLIPS: readonly (readonly [string, () => never])[] = [
  ['throws a promise', slip],
  ['rejects with a promise', lateSlip as () => never],
  ['rejects with a promise that is rejected with one', nested as () => never],
];

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));
const expectQuiet = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
};

const SCRIPT: Script = {
  tools: [plainTool('work')],
  call: () => ({ content: [{ type: 'text', text: 'fine' }] }),
};
type Change = Omit<Partial<MountConfig>, 'transport'>;
const DONE = /^fine$/;

/** What a call of the one tool comes to; what the mount or the gate throws where there is none. */
async function worked(change: Change, script: Script = SCRIPT): Promise<string> {
  try {
    const { mount, server } = await mountScript({ ...script }, change);
    server.notify('notifications/tools/list_changed');
    const call = await callerOf(mount);
    return textOf(await call('work'));
  } catch (error) {
    return String(error);
  }
}

/** What a server of the revision 2025-11-25 is answered that asks for something in the middle of a call. */
async function asked(hooks: MountConfig['hooks'], method: string, params: object): Promise<unknown> {
  let finish: (result: unknown) => void = () => undefined;
  const { mount, server } = await mountScript(
    { ...SCRIPT, call: () => new Promise((resolve) => (finish = resolve)) },
    hooks === undefined ? {} : { hooks },
  );
  const running = (await callerOf(mount))('work');
  await expect.poll(() => server.of('tools/call').length).toBe(1);
  server.send({ jsonrpc: '2.0', id: 'q', method, params });
  await expect.poll(() => server.received.some(({ id }) => id === 'q')).toBe(true);
  finish({ content: [] });
  await running;
  return server.received.find(({ id }) => id === 'q');
}

const page = { mode: 'url', url: 'https://login.example/a', message: 'Log in.', elicitationId: 'e1' };
const QUESTIONS: readonly (readonly [string, string, object])[] = [
  [
    'elicit',
    'elicitation/create',
    { message: 'Which?', requestedSchema: { type: 'object', properties: {} } },
  ],
  ['openUrl', 'elicitation/create', page],
  ['sample', 'sampling/createMessage', { messages: [], maxTokens: 5 }],
  ['roots', 'roots/list', {}],
];

describe.each(QUESTIONS)('the hook %s', (name, method, params) => {
  test.each(SLIPS)(
    'that %s ends no process, and the server is told that nobody answers',
    async (_slip, hook) => {
      expect(await asked({ [name]: hook }, method, params)).toMatchObject({
        error: { code: -32_603, message: 'The application failed to answer.' },
      });
      await expectQuiet();
    },
  );

  test('that rejects with a promise when the call is over ends no process', async () => {
    let end: (reason: unknown) => void = () => undefined;
    const hook = (): Promise<never> => new Promise((_resolve, reject) => (end = reject));
    const { mount, server } = await mountScript(
      { ...SCRIPT, call: () => new Promise(() => undefined) },
      { hooks: { [name]: hook } },
    );
    const controller = new AbortController();
    const running = (await callerOf(mount, {}, controller.signal))('work');
    await expect.poll(() => server.of('tools/call').length).toBe(1);
    server.send({ jsonrpc: '2.0', id: 'q', method, params });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await running;
    end(nested());
    await expectQuiet();
  });
});

test.each(SLIPS)('a page before a call whose opener %s ends no process', async (_slip, hook) => {
  const script = { ...SCRIPT, call: () => new RpcFault(-32_042, 'login', { elicitations: [page] }) };
  expect(await worked({ hooks: { openUrl: hook } }, script)).toMatch(/\S/);
  await expectQuiet();
});

const HOOKS: Readonly<Record<string, readonly [(hook: () => never) => Change, RegExp]>> = {
  'who observes a mount': [(hook) => ({ observe: hook }), DONE],
  'an authorizer': [(hook) => ({ authorize: hook }), /could not decide/],
  'the policy of a rule': [(hook) => ({ rules: [{ tool: '*', available: hook }] }), /could not decide/],
  'the key of a rule': [(hook) => ({ rules: [{ tool: '*', resourceKey: hook }] }), /^The tool failed/],
};

describe.each(Object.entries(HOOKS))('%s', (_name, [change, told]) => {
  test.each(SLIPS)('that %s ends no process, and the call comes to an end', async (_slip, hook) => {
    expect(await worked(change(hook))).toMatch(told);
    await expectQuiet();
  });
});

const TRANSPORTS: Readonly<Record<string, (hook: () => never) => MountConfig['transport']>> = {
  'an opener of a transport': (hook) => ({ kind: 'custom', open: hook }),
  'the start of a transport': (hook) => ({
    kind: 'custom',
    open: () => ({ start: hook, send: async () => undefined, close: async () => undefined }),
  }),
  'the sending of a transport': (hook) => ({
    kind: 'custom',
    open: () => ({ start: async () => undefined, send: hook, close: async () => undefined }),
  }),
  'the end of a transport': (hook) => ({
    kind: 'custom',
    open: () => ({
      start: async () => undefined,
      send: async () => Promise.reject(new Error('no')),
      close: hook,
    }),
  }),
  'a fetch': (hook) => ({ kind: 'http', url: 'http://localhost:1/', fetch: hook }),
  'a body': (hook) => ({
    kind: 'http',
    url: 'http://localhost:1/',
    fetch: async () =>
      new Response(new ReadableStream({ pull: () => hook() }), {
        headers: { 'content-type': 'application/json' },
      }),
  }),
  'the end of a body': (hook) => ({
    kind: 'http',
    url: 'http://localhost:1/',
    fetch: async () =>
      new Response(new ReadableStream({ cancel: () => hook() }), {
        headers: { 'content-type': 'application/json', 'content-length': '999999999' },
      }),
  }),
  'a source of tokens': (hook) => ({
    kind: 'http',
    url: 'http://localhost:1/',
    auth: { token: hook },
    fetch: async () => new Response('{}', { status: 401 }),
  }),
};

describe.each(Object.entries(TRANSPORTS))('%s', (_name, transportOf) => {
  test.each(SLIPS)('that %s ends no process, and nothing is mounted', async (_slip, hook) => {
    const mounting = mountMcp({
      name: 'server',
      lock: 'off',
      transport: transportOf(hook),
      limits: { connectTimeoutMs: 200, closeGraceMs: 50 },
    });
    await expect(mounting).rejects.toMatchObject({ name: 'McpError' });
    await expectQuiet();
  });
});

test.each([
  ['a promise that is rejected', rejected],
  ['a promise that is rejected with one', nested],
])('a signal with %s ends no process', async (_reason, reason) => {
  const transport = { kind: 'custom', open: () => new Promise<never>(() => undefined) } as const;
  const ends = async (signal: AbortSignal): Promise<unknown> =>
    mountMcp({ name: 'server', lock: 'off', transport, signal }).then(undefined, () => undefined);
  await ends(AbortSignal.abort(reason()));
  await expectQuiet();
  const controller = new AbortController();
  const mounting = ends(controller.signal);
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(reason());
  await mounting;
  await expectQuiet();
  const { mount } = await mountScript(SCRIPT);
  await mount.refresh(AbortSignal.abort(reason())).then(undefined, () => undefined);
  await expectQuiet();
});

test('a clock that throws a promise ends no process', async () => {
  for (const name of ['now', 'setTimer', 'elapsed'] as const) {
    await mountFixture({
      transport: { kind: 'custom', open: () => new Promise<never>(() => undefined) },
      clock: { ...systemClock, [name]: slip },
      limits: { connectTimeoutMs: 50 },
      signal: AbortSignal.timeout(100),
    }).then(undefined, () => undefined);
    await expectQuiet();
  }
});
