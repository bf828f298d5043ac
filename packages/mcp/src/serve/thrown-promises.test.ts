import { createScope, defineTool, type Tool } from '@toolgate/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Caller,
  fail,
  gateOf,
  REVISIONS,
  type Revision,
  serveFixture,
} from '../../test-support/serve-fixture.ts';
import { createApprovalDesk } from './approval-desk.ts';
import type { ServeOptions } from './serve-options.ts';

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

/** What a client gets to hear, whatever it was that failed. */
const INTERNAL = /Internal error$/;

const send: Tool<Caller> = defineTool({
  name: 'send',
  description: 'Sends.',
  profile: { class: 'write' },
  input: { type: 'object' },
  execute: () => 'sent',
});
const scope = createScope<Caller>({ approvalThreshold: 'write', approve: () => 'defer' as const });

/** The end of a call of a served tool: its text, or what the client was told. */
async function called(
  revision: Revision,
  tool: Tool<Caller>,
  options: ServeOptions<Caller>,
  mode?: 'url',
): Promise<string> {
  const served = await serveFixture(gateOf([tool], { scope }), options);
  const client = await served.connect(
    'alice',
    revision,
    mode === undefined ? {} : { capabilities: { elicitation: { [mode]: {} } } },
  );
  try {
    const { content } = await client.callTool({ name: tool.definition().name, arguments: {} });
    return content.map((part) => (part.type === 'text' ? part.text : '')).join();
  } catch (error) {
    return String(error);
  }
}

describe.each(REVISIONS)('where a client of %s calls,', (revision) => {
  const DESK = createApprovalDesk();
  const HOOKS: Readonly<Record<string, readonly [(hook: () => never) => Promise<string>, RegExp]>> = {
    'who hears of errors': [
      (hook) =>
        called(revision, send, {
          desk: { ...DESK, find: () => Promise.reject(new Error('no')) },
          onError: hook,
        }),
      INTERNAL,
    ],
    'a desk that is asked': [(hook) => called(revision, send, { desk: { ...DESK, find: hook } }), INTERNAL],
    'a desk that keeps a call': [
      (hook) => called(revision, send, { desk: { ...DESK, submit: hook } }),
      INTERNAL,
    ],
    'the page of an approval': [
      (hook) => called(revision, send, { approvalPrompt: { kind: 'url', url: hook } }, 'url'),
      INTERNAL,
    ],
    'a handler': [(hook) => called(revision, { ...fail, call: hook }, {}), /^The tool failed\./],
    'an availability policy': [(hook) => called(revision, { ...send, available: hook }, {}), INTERNAL],
  };

  describe.each(Object.entries(HOOKS))('%s', (_name, [ask, told]) => {
    test.each(SLIPS)('that %s ends no process, and the client is told', async (_slip, hook) => {
      expect(await ask(hook)).toMatch(told);
      await expectQuiet();
    });
  });

  test.each(SLIPS)('an extension that %s ends no process', async (_slip, hook) => {
    const served = await serveFixture(gateOf(), {
      extensions: [
        { capabilities: { resources: {} }, register: ({ handle }) => handle('resources/list', hook) },
      ],
    });
    const client = await served.connect('alice', revision);
    await expect(client.listResources()).rejects.toThrow(INTERNAL);
    await expectQuiet();
  });
});

test.each(SLIPS)('who establishes who sends a request and %s ends no process', async (_slip, hook) => {
  const served = await serveFixture(gateOf(), { authenticate: hook });
  expect((await served.post('{}')).status).toBe(500);
  await expectQuiet();
});

test('the members of an identity that throw a promise end no process', async () => {
  const identity = Object.defineProperty({ kind: 'accepted' }, 'principal', { get: slip });
  const served = await serveFixture(gateOf(), { authenticate: () => identity as never });
  expect((await served.post('{}')).status).toBe(500);
  await expectQuiet();
});

test('an extension that throws a promise when it is registered ends no process', async () => {
  const served = await serveFixture(gateOf(), { extensions: [{ capabilities: {}, register: slip }] });
  await expect(served.connect('alice', '2025-11-25')).rejects.toThrow();
  await expectQuiet();
});
