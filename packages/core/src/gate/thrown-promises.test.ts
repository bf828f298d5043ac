import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../../test-support/timed-gate.ts';
import { createScope } from '../policy/scope.ts';
import { defineTool } from '../tool/define-tool.ts';
import { guard } from '../tool/guard.ts';
import { textOutput } from '../tool/make-output.ts';
import type { Tool } from '../tool/tool.ts';
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
};

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

describe.each(Object.entries(HOOKS))('%s', (_name, configOf) => {
  test.each(SLIPS)('that %s ends no process, and the call comes to an end', async (_slip, hook) => {
    const { text = '{}', ...config } = configOf(hook);
    let ended: unknown;
    try {
      const session = await createGate({ graceMs: 100, ...config }).open();
      ended = await session.execute({ ...call(), arguments: text });
      await session.close();
    } catch (error) {
      ended = error;
    }
    expect(ended).toBeTypeOf('object');
    expect(JSON.stringify(ended)).not.toContain('planted');
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  });
});
