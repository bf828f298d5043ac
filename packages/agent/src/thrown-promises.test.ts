import { createScriptedModel } from '@toolgate/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counting, good } from '../test-support/counting-run.ts';
import { callsEnd, rawModel, start } from '../test-support/raw-model.ts';
import { allow, paying, pays, stateKey, suspended } from '../test-support/waiting-run.ts';
import { createAgent } from './create-agent.ts';

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

const model = () => rawModel([start, ...good, callsEnd]);
const run = async (options: object) =>
  createAgent({ model: model(), gate: counting().gate, ...options }).run('go');
const resumed = async (options: object) => {
  const { gate } = paying();
  const { state, ids } = await suspended(gate, pays(1));
  const agent = createAgent({
    model: createScriptedModel({ turns: [{ text: 'Done.' }] }),
    gate,
    stateKey,
    ...options,
  });
  return agent.resume(state, [allow(ids[0] ?? '')]);
};

/** A run that comes by a hook. */
const HOOKS: Readonly<Record<string, (hook: () => never) => Promise<unknown>>> = {
  'a model': (hook) => run({ model: rawModel(hook) }),
  'a model whose iterator cannot be had': (hook) =>
    run({ model: rawModel(() => ({ [Symbol.asyncIterator]: hook })) }),
  'a model whose next event': (hook) =>
    run({ model: rawModel(() => ({ [Symbol.asyncIterator]: () => ({ next: hook }) })) }),
  'a model whose end': (hook) => {
    const events = [start, { kind: 'response-end', finish: 'nonsense' }, start, start];
    const next = async () => ({ done: false, value: events.shift() });
    return run({
      model: rawModel(() => ({ [Symbol.asyncIterator]: () => ({ next, return: hook }) }) as never),
      limits: { maxEventsPerTurn: 2 },
    });
  },
  'ids of runs': (hook) => run({ ids: hook }),
  'a signal for each call': async (hook) =>
    createAgent({ model: model(), gate: counting().gate }).run('go', {
      context: undefined,
      callSignal: hook,
    }),
  'a store of decisions': (hook) => resumed({ claimDecision: hook }),
  'a cipher': (hook) => resumed({ cipher: { encrypt: hook, decrypt: hook } }),
};

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => void process.off('unhandledRejection', note));

describe.each(Object.entries(HOOKS))('%s', (_name, runWith) => {
  test.each(SLIPS)('that %s ends no process, and the run comes to an end', async (_slip, hook) => {
    const ended = await runWith(hook).catch((error: unknown) => error);
    expect(JSON.stringify(ended)).not.toContain('planted');
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled.splice(0)).toEqual([]);
  });
});
