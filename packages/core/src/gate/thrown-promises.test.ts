import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../test-support/timed-gate.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { guard } from '../tool/guard.ts';
import { textOutput } from '../tool/make-output.ts';
import type { CallContext, Tool } from '../tool/tool.ts';
import { ToolError } from '../tool/tool-error.ts';
import type { ExecuteOptions } from './call-decision.ts';
import { systemClock } from './clock.ts';
import { createGate } from './create-gate.ts';
import type { GateConfig } from './gate-config.ts';

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
/** Something to be waited for that makes it. */
const thenable = (): unknown => ({ then: slip });

const SLIPS: readonly (readonly [string, () => never])[] = [
  ['throws a promise', slip],
  ['rejects with a promise', lateSlip as () => never],
  ['rejects with a promise that is rejected with one', nested as () => never],
  ['gives a thenable that throws a promise', thenable as () => never],
];

const tool = (config: object = {}): Tool => {
  const whole = {
    name: 't',
    description: '',
    input: { type: 'object', properties: { n: { type: 'integer' } } },
    execute: () => 'done',
    ...config,
  };
  return defineTool(whole);
};

/** A Standard Schema whose validation is `validate`. */
const library = (validate: () => never) => ({
  '~standard': {
    version: 1,
    vendor: 'own',
    validate,
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
});

/** How a hook that makes a slip is put into a gate, and a call that comes by it. */
const HOOKS: Readonly<Record<string, (hook: () => never) => GateConfig & { readonly text?: string }>> = {
  'a handler': (hook) => ({ tools: [tool({ execute: hook })] }),
  'an availability policy': (hook) => ({ tools: [tool({ available: hook })] }),
  'a resource key': (hook) => ({ tools: [tool({ profile: { class: 'write', resourceKey: hook } })] }),
  'an authorizer': (hook) => ({ tools: [guard({ tool: tool(), authorizer: hook })] }),
  'an approver': (hook) => ({
    tools: [tool()],
    scope: createScope({ approve: hook, approvalThreshold: 'read' }),
  }),
  'an observer': (hook) => ({ tools: [tool()], observe: hook }),
  'a repair': (hook) => ({ tools: [tool()], repair: hook, text: '{"n":"x"}' }),
  'a store of results': (hook) => ({
    tools: [
      tool({
        execute: () => 'x'.repeat(10_000),
        resultBudget: { bytes: 1_000, overflow: 'store' },
      }),
    ],
    resultStore: { put: hook },
  }),
  'a validator of a tool': (hook) => ({
    tools: [{ ...plain(), inputValidator: () => hook }],
  }),
  'a validator of a library': (hook) => ({ tools: [tool({ input: library(hook) })] }),
  'a result that is read': (hook) => ({
    tools: [
      tool({
        execute: () => ({
          get member() {
            return hook();
          },
        }),
      }),
    ],
  }),
  'a result with a form of its own': (hook) => ({ tools: [tool({ execute: () => ({ toJSON: hook }) })] }),
  'a redactor': (hook) => ({ tools: [tool()], redact: hook }),
  'a redactor of what an error says': (hook) => ({
    tools: [
      tool({
        execute: () => {
          throw new ToolError('no');
        },
      }),
    ],
    redact: hook,
  }),
  'a redactor of what a schema says': (hook) => ({ tools: [tool()], redact: hook, text: '{"n":"x"}' }),
  'ids of sessions': (hook) => ({ tools: [tool()], ids: hook }),
  'ids of approvals': (hook) => {
    let made = 0;
    return {
      tools: [tool({ profile: { class: 'write' } })],
      scope: createScope({ approve: () => 'allow', approvalThreshold: 'read' }),
      ids: () => (made++ === 0 ? 'session' : hook()),
    };
  },
  'a tool of its own': (hook) => ({ tools: [{ ...plain(), call: hook }] }),
  'the definition of a tool': (hook) => ({ tools: [{ ...plain(), definition: hook }] }),
  'the tool within a tool': (hook) => ({ tools: [{ ...plain(), unwrap: hook }] }),
};

/** The same for what gives a value at once, whatever that is. */
const VALUES: typeof HOOKS = {
  'a clock': (hook) => ({ tools: [tool()], observe: () => {}, clock: { ...systemClock, now: hook } }),
  'a clock of deadlines': (hook) => ({ tools: [tool()], clock: { ...systemClock, elapsed: hook } }),
  'timers of a clock': (hook) => ({ tools: [tool()], clock: { ...systemClock, setTimer: hook } }),
  'the members of a tool': (hook) => ({
    tools: [Object.defineProperty(plain(), 'call', { get: hook })],
  }),
};

/** How a hook of one session or one call makes its slip. */
const CALLS: Readonly<Record<string, (hook: () => never) => Promise<unknown>>> = {
  'the listener of progress': (hook) =>
    execute({ progress: hook }, ({ progress }) => progress?.({ progress: 1 })),
  'the members of a call': async (hook) => {
    const session = await createGate({ tools: [tool()] }).open();
    return session.execute(Object.defineProperty(call(), 'name', { get: hook }));
  },
  'the calls of a turn': async (hook) => {
    const session = await createGate({ tools: [tool()] }).open();
    return session.executeAll(Object.defineProperty([call()], '0', { get: hook }));
  },
  'the options of a call': (hook) =>
    execute(Object.defineProperty({}, 'signal', { get: hook, enumerable: true })),
  'the options of a session': async (hook) =>
    createGate({ tools: [tool()] }).open(
      Object.defineProperty({ context: 1 }, 'signal', { get: hook, enumerable: true }),
    ),
  'the approver of a session': async (hook) => {
    const gate = createGate({ tools: [tool({ profile: { class: 'write' } })] });
    const session = await gate.open({ context: 1, narrow: { approve: hook, approvalThreshold: 'read' } });
    return session.execute(call());
  },
};

/** What a signal is aborted with; each of them is made when it is asked for. */
const REASONS: readonly (readonly [string, () => unknown])[] = [
  ['a promise that is rejected', rejected],
  ['a promise that is rejected with one', nested],
];

/** How a call ends whose signal is aborted with a promise. */
const SIGNALS: Readonly<Record<string, (reason: () => unknown) => Promise<unknown>>> = {
  'of a call, aborted before': (reason) => execute({ signal: AbortSignal.abort(reason()) }),
  'of a call, aborted while it runs': (reason) => {
    const controller = new AbortController();
    return execute({ signal: controller.signal }, async ({ signal }) => {
      controller.abort(reason());
      signal.throwIfAborted();
    });
  },
  'of a session, aborted before': async (reason) => {
    const session = await createGate({ tools: [tool()] }).open({
      context: 1,
      signal: AbortSignal.abort(reason()),
    });
    return session.execute(call());
  },
  'of a session, aborted while a policy is asked': async (reason) => {
    const controller = new AbortController();
    const available = async () => {
      controller.abort(reason());
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    };
    return createGate({ tools: [tool({ available })] }).open({ context: 1, signal: controller.signal });
  },
  'of a session, aborted between calls': async (reason) => {
    const controller = new AbortController();
    const session = await createGate({ tools: [tool()] }).open({ context: 1, signal: controller.signal });
    controller.abort(reason());
    return session.execute(call());
  },
};

async function execute(
  options: ExecuteOptions,
  handler?: (context: CallContext) => unknown,
): Promise<unknown> {
  const execute = (_input: unknown, context: CallContext) => handler?.(context);
  const session = await createGate({ tools: [tool({ execute })] }).open();
  try {
    return await session.execute(call(), options);
  } finally {
    await session.close();
  }
}

function plain(): Tool {
  return {
    definition: () => ({ name: 't', description: '', inputSchema: { type: 'object' } }),
    call: async () => textOutput('done'),
  };
}

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

async function expectEnd(ending: () => Promise<unknown>): Promise<void> {
  let ended: unknown;
  try {
    ended = await ending();
  } catch (error) {
    ended = error;
  }
  expect(ended).toBeTypeOf('object');
  expect(JSON.stringify(ended)).not.toContain('planted');
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(unhandled.splice(0)).toEqual([]);
}

async function outcomeIn({ text = '{}', ...config }: ReturnType<(typeof HOOKS)[string]>): Promise<unknown> {
  const session = await createGate({ graceMs: 100, ...config }).open();
  const outcome = await session.execute({ ...call(), arguments: text });
  await session.close();
  return outcome;
}

describe.each(Object.entries(HOOKS))('%s', (_name, configOf) => {
  test.each(SLIPS)('that %s ends no process, and the call comes to an end', async (_slip, hook) => {
    await expectEnd(async () => outcomeIn(configOf(hook)));
  });
});

describe.each(Object.entries(VALUES))('%s', (_name, configOf) => {
  test('that throws a promise ends no process, and the call comes to an end', async () => {
    await expectEnd(async () => outcomeIn(configOf(slip)));
  });
});

describe.each(Object.entries(CALLS))('%s', (_name, outcomeWith) => {
  test('that throws a promise ends no process, and the call comes to an end', async () => {
    await expectEnd(() => outcomeWith(slip));
  });
});

describe.each(Object.entries(SIGNALS))('a signal %s', (_name, outcomeWith) => {
  test.each(REASONS)('with %s ends no process, and the call comes to an end', async (_reason, reason) => {
    await expectEnd(() => outcomeWith(reason));
  });
});
