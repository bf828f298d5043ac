import { systemClock } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counting, good } from '../test-support/counting-run.ts';
import { callsEnd, rawModel, start } from '../test-support/raw-model.ts';
import { allow, paying, pays, stateKey, suspended } from '../test-support/waiting-run.ts';
import { createAgent } from './create-agent.ts';
import { createJournalHost } from './durable/journal-host.ts';
import type { JournalStore } from './durable/journal-store.ts';
import { createMemoryEngine } from './durable/memory-engine.ts';
import { createMemoryStore } from './durable/memory-store.ts';
import type { Loop } from './durable/port.ts';
import { createDurableAgent } from './durable-agent/create-durable-agent.ts';

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
  'a stream of a run over a model': async (hook) => {
    const agent = createAgent({ model: rawModel(hook), gate: counting().gate });
    for await (const event of agent.stream('go')) if (event.kind === 'run-end') return event.result;
    return undefined;
  },
  'the context of a durable run': (hook) => durable({ contextOf: hook }),
  'a model of a durable run': (hook) => durable({}, hook),
  'the handler of a step': (hook) => hosted({ handlers: { look: hook } }),
  'the loop of a host': (hook) => hosted({ loops: [{ version: 1, run: hook }] }),
  'who hears of the events of a host': (hook) => hosted({ onEvent: hook }),
  'who hears of the faults of a host': (hook) => hosted({ onError: hook }, { claim: [new Error('no disk')] }),
};

/** The same for what gives a value at once, whatever that is. */
const VALUES: typeof HOOKS = {
  'a clock': (hook) => run({ clock: { ...systemClock, now: hook } }),
  'timers of a clock': (hook) => run({ clock: { ...systemClock, setTimer: hook } }),
  'the options of a run': (hook) =>
    createAgent({ model: model(), gate: counting().gate }).run('go', members('signal', hook)),
  'the input of a run': (hook) =>
    createAgent({ model: model(), gate: counting().gate }).run([members('kind', hook)]),
  'the state of a run': async (hook) =>
    createAgent({ model: model(), gate: counting().gate }).resume(members('version', hook), []),
  'the events of a model': (hook) => run({ model: rawModel([start, members('kind', hook)]) }),
  'the ids of a host': (hook) => hosted({ owner: 'me', newUuid: hook }),
  'what is encoded by a host': (hook) => hosted({ codec: { encode: hook, decode: (text: string) => text } }),
  'what is decoded by a host': (hook) =>
    hosted({ codec: { encode: (text: string) => text, decode: once(hook) } }),
  ...Object.fromEntries(
    (Object.keys(createMemoryStore()) as (keyof JournalStore)[]).map((method) => [
      `${method} of a journal`,
      (hook: () => never) => hosted({}, { [method]: [hook] }),
    ]),
  ),
};

/** A value of which one member cannot be read. */
function members(name: string, get: () => never): never {
  return Object.defineProperty({}, name, { get, enumerable: true }) as never;
}

/** Does it one time, and gives back what it gets from then on. */
function once(hook: () => never): (text: string) => string {
  let left = 1;
  return (text) => (left-- > 0 ? hook() : text);
}

async function durable(options: object, events?: () => never): Promise<unknown> {
  const agent = createDurableAgent(
    { model: events === undefined ? model() : rawModel(events), gate: counting().gate },
    { engine: createMemoryEngine, ...options },
  );
  await agent.start('r', 'go');
  const status = await agent.finished('r');
  await agent.close();
  return status;
}

/** A run of a host whose journal fails one time at what is named: by a function, or with an error. */
async function hosted(
  config: object,
  faults: Partial<Record<keyof JournalStore, [(() => never) | Error]>> = {},
): Promise<unknown> {
  const store = createMemoryStore();
  const failing = new Proxy(store, {
    get(target, name: keyof JournalStore) {
      const fault = faults[name]?.pop();
      if (fault === undefined) return target[name];
      return () => {
        if (fault instanceof Error) throw fault;
        return fault();
      };
    },
  });
  const loop: Loop = {
    version: 1,
    async run(steps) {
      await steps.emit('here');
      await steps.uuid('id');
      await steps.call({ name: 'look', op: 'look', input: null, effect: 'once', timeoutMs: 'none' });
      const answer = await steps.wait('k', { deadline: null, note: null });
      return answer.kind;
    },
  };
  const host = createJournalHost(failing, {
    loops: [loop],
    handlers: { look: async () => 'seen' },
    pollMs: 1,
    leaseMs: 30,
    ...config,
  });
  try {
    await host.start('r', null);
    const ended = host.finished('r');
    while (
      (await host.pending()).length === 0 &&
      !/done|failed|stuck/.test((await host.status('r'))?.phase ?? '')
    )
      await new Promise((resolve) => setTimeout(resolve, 1));
    await host.resolve('r', 'k', 'yes');
    await host.record('r');
    return await ended;
  } finally {
    await host.close();
  }
}

/** How a run ends whose signal is aborted with a promise. */
const SIGNALS: Readonly<Record<string, (reason: () => unknown) => Promise<unknown>>> = {
  'of a run, aborted before': async (reason) =>
    createAgent({ model: model(), gate: counting().gate }).run('go', {
      context: undefined,
      signal: AbortSignal.abort(reason()),
    }),
  'of a run, aborted while the model is asked': (reason) => {
    const controller = new AbortController();
    const asked = rawModel(() => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          controller.abort(reason());
          return new Promise(() => {});
        },
      }),
    }));
    return createAgent({ model: asked, gate: counting().gate }).run('go', {
      context: undefined,
      signal: controller.signal,
    });
  },
  'of a stream, aborted before': async (reason) => {
    const agent = createAgent({ model: model(), gate: counting().gate });
    const options = { context: undefined, signal: AbortSignal.abort(reason()) };
    for await (const event of agent.stream('go', options)) if (event.kind === 'run-end') return event.result;
    return undefined;
  },
  'of a call': async (reason) => {
    const agent = createAgent({ model: model(), gate: counting().gate });
    return agent.run('go', { context: undefined, callSignal: () => AbortSignal.abort(reason()) });
  },
};

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

describe.each(Object.entries(HOOKS))('%s', (_name, runWith) => {
  test.each(SLIPS)('that %s ends no process, and the run comes to an end', async (_slip, hook) => {
    await expectEnd(() => runWith(hook));
  });
});

describe.each(Object.entries(VALUES))('%s', (_name, runWith) => {
  test('that throws a promise ends no process, and the run comes to an end', async () => {
    await expectEnd(async () => runWith(slip));
  });
});

describe.each(Object.entries(SIGNALS))('a signal %s', (_name, runWith) => {
  test.each([
    ['a promise that is rejected', rejected],
    ['a promise that is rejected with one', nested],
  ])('with %s ends no process, and the run comes to an end', async (_reason, reason) => {
    await expectEnd(() => runWith(reason));
  });
});
