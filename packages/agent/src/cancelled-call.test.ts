import { getEventListeners } from 'node:events';
import { createGate, createScope, defineTool, type ToolCall } from '@toolgate/core';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';

/** Ends when its signal is aborted, or at once where it is called so. */
const wait = defineTool({
  name: 'wait',
  description: 'Waits.',
  profile: { class: 'read' },
  input: { type: 'object', properties: { for: { type: 'string' } } } as const,
  execute: (input, { signal }) =>
    new Promise((resolve, reject) => {
      if (input.for === 'nobody') resolve('done');
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
});
const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  profile: { class: 'external' },
  input: { type: 'object' } as const,
  execute: () => 'paid',
});

function agentOn(turns: readonly ScriptedTurn[], scope = createScope()) {
  const model = createScriptedModel({ turns });
  return { model, agent: createAgent({ model, gate: createGate({ tools: [wait, pay], scope }) }) };
}

/** A signal for each call, and who aborts it. */
function controllers() {
  const byId = new Map<string, AbortController>();
  const callSignal = ({ id }: ToolCall): AbortSignal => {
    const controller = new AbortController();
    byId.set(id, controller);
    return controller.signal;
  };
  return { byId, callSignal };
}
/** A signal that is none of this realm, as a test environment or a polyfill makes it. */
function otherSignal() {
  const listeners = new Set<() => void>();
  const state = {
    aborted: false,
    reason: undefined as unknown,
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  };
  const abort = (): void => {
    state.aborted = true;
    state.reason = new Error('stopped');
    for (const listener of [...listeners]) listener();
  };
  // It has what is used of one.
  return { signal: state as unknown as AbortSignal, listeners, abort };
}
const two: ScriptedTurn = {
  calls: [
    { id: 'a', name: 'wait', arguments: { for: 'somebody' } },
    { id: 'b', name: 'wait', arguments: { for: 'nobody' } },
  ],
};

describe('one call', () => {
  test('that is cancelled ends alone: its sibling has its result, the model is told, and the run goes on', async () => {
    const { model, agent } = agentOn([two, { text: 'Done without it.' }]);
    const { byId, callSignal } = controllers();
    let result: Awaited<ReturnType<typeof agent.run>> | undefined;
    for await (const event of agent.stream('go', { context: undefined, callSignal })) {
      if (event.kind === 'tool-start' && event.call.id === 'a') byId.get('a')?.abort();
      if (event.kind === 'run-end') ({ result } = event);
    }
    expect(result).toMatchObject({ stopReason: 'answer', text: 'Done without it.' });
    const [first, second] = result?.outcomes ?? [];
    expect(['cancelled_after_dispatch', 'not_started']).toContain(first?.reason);
    expect(second?.reason).toBe('completed');
    expect(model.requests[1]?.items.filter(({ kind }) => kind === 'tool-result')).toHaveLength(2);
  });

  test('that runs is told, and nobody claims to know its effects', async () => {
    const { byId, callSignal } = controllers();
    const stop = defineTool({
      name: 'stop',
      description: 'Stops another call.',
      profile: { class: 'read' },
      input: { type: 'object' } as const,
      execute: () => byId.get('a')?.abort(),
    });
    const calls = [{ id: 'a', name: 'wait' }, { name: 'stop' }];
    const model = createScriptedModel({ turns: [{ calls }, { text: 'Done.' }] });
    const agent = createAgent({ model, gate: createGate({ tools: [wait, stop] }) });
    const { stopReason, outcomes } = await agent.run('go', { context: undefined, callSignal });
    expect(stopReason).toBe('answer');
    expect(outcomes.map(({ reason }) => reason)).toEqual(['cancelled_after_dispatch', 'completed']);
    expect(JSON.stringify(model.requests[1]?.items)).toContain('Its effects are unknown.');
  });

  test('that waits for its approver does not start, whatever comes of the question', async () => {
    const { byId, callSignal } = controllers();
    const scope = createScope({
      approvalThreshold: 'external',
      approve: ({ callId }) => {
        byId.get(callId)?.abort();
        return new Promise(() => {});
      },
    });
    const { agent } = agentOn([{ calls: [{ id: 'p', name: 'pay' }] }, { text: 'As you like.' }], scope);
    const { stopReason, outcomes } = await agent.run('go', { context: undefined, callSignal });
    expect([stopReason, outcomes[0]?.reason]).toEqual(['answer', 'not_started']);
  });

  test('that was approved can be cancelled when it goes on, and its yes stays unused', async () => {
    const scope = createScope({ approvalThreshold: 'external', approve: () => 'defer' });
    const turns = [{ calls: [{ id: 'p', name: 'pay' }] }, { text: 'As you like.' }, { text: 'Paid.' }];
    const { agent } = agentOn(turns, scope);
    const { state, pending } = await agent.run('go');
    if (state === undefined) throw new Error('a suspended run has a state');
    const yes = [{ approvalId: pending[0]?.id ?? '', decision: 'allow' }] as const;
    const callSignal = () => AbortSignal.abort();
    const none = await agent.resume(state, yes, { context: undefined, callSignal });
    expect([none.stopReason, none.outcomes[0]?.reason]).toEqual(['answer', 'not_started']);
    expect((await agent.resume(state, yes)).outcomes[0]?.reason).toBe('completed');
  });

  test('without a signal of its own is cancelled with its run only', async () => {
    const { agent } = agentOn([
      { calls: [{ name: 'wait', arguments: { for: 'nobody' } }] },
      { text: 'Done.' },
    ]);
    const result = await agent.run('go', { context: undefined, callSignal: () => undefined });
    expect(result.outcomes.map(({ reason }) => reason)).toEqual(['completed']);
  });

  test.each<[string, () => AbortSignal]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['gives something else', () => ({ aborted: false }) as AbortSignal],
  ])('does not start where who gives its signal %s', async (_, callSignal) => {
    const { agent } = agentOn([two]);
    const { stopReason, outcomes, error } = await agent.run('go', { context: undefined, callSignal });
    expect(stopReason).toBe('permanent_error');
    expect(outcomes.map(({ reason }) => reason)).toEqual(['not_started', 'not_started']);
    expect(error?.code).toBe('agent/call-failed');
  });

  test.each<[string, number | 'none']>([
    ['with a limit of its run', 60_000],
    ['without one', 'none'],
  ])(
    '%s leaves no listener on a signal that outlives it, also one of another realm',
    async (_, maxDurationMs) => {
      const { signal, listeners, abort } = otherSignal();
      const stop = defineTool({
        name: 'stop',
        description: 'Stops every call.',
        profile: { class: 'read' },
        input: { type: 'object' } as const,
        execute: abort,
      });
      const turns = [
        { calls: [{ name: 'wait' }, { name: 'stop' }] },
        { calls: [{ name: 'wait' }] },
        { text: 'Done.' },
      ];
      const gate = createGate({ tools: [wait, stop] });
      const agent = createAgent({ model: createScriptedModel({ turns }), gate, limits: { maxDurationMs } });
      const { stopReason, outcomes } = await agent.run('go', {
        context: undefined,
        callSignal: () => signal,
      });
      expect(stopReason).toBe('answer');
      expect(outcomes.map(({ reason }) => reason)).toEqual([
        'cancelled_after_dispatch',
        'completed',
        'not_started',
      ]);
      expect(listeners.size).toBe(0);
    },
  );

  test('is cancelled with its run by a signal of another realm, too', async () => {
    const { agent } = agentOn([two]);
    const { signal, abort } = otherSignal();
    const callSignal = (): undefined => {
      abort();
      return undefined;
    };
    const { stopReason } = await agent.run('go', { context: undefined, signal, callSignal });
    expect(stopReason).toBe('cancelled');
  });

  test('has its signal from a function', async () => {
    const { agent } = agentOn([]);
    const options = { context: undefined, callSignal: AbortSignal.abort() as never };
    await expect(agent.run('go', options)).rejects.toMatchObject({ code: 'agent/options-invalid' });
  });
});

test('any number of runs and calls of one signal have one listener on it, and leave none', async () => {
  const { signal } = new AbortController();
  let most = 0;
  const look = defineTool({
    name: 'look',
    description: 'Looks who listens.',
    profile: { class: 'read' },
    input: { type: 'object' } as const,
    execute: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      most = Math.max(most, getEventListeners(signal, 'abort').length);
    },
  });
  const calls = Array.from({ length: 3 }, () => ({ name: 'look' }));
  const gate = createGate({ tools: [look] });
  const start = () => {
    const model = createScriptedModel({ turns: [{ calls }, { text: 'Done.' }] });
    return createAgent({ model, gate });
  };
  const options = { context: undefined, signal, callSignal: () => signal };
  const streamed = async (): Promise<string> => {
    for await (const event of start().stream('go', options)) {
      if (event.kind === 'run-end') return event.result.stopReason;
    }
    return 'no end';
  };
  const runs = Array.from({ length: 15 }, async () => (await start().run('go', options)).stopReason);
  const ends = await Promise.all([...runs, ...Array.from({ length: 15 }, streamed)]);
  expect(new Set(ends)).toEqual(new Set(['answer']));
  expect([most, getEventListeners(signal, 'abort').length]).toEqual([1, 0]);
});

test.each<[string, ScriptedTurn, 'turn-start' | 'tool-start' | undefined]>([
  ['before it began', { text: 'Hello.' }, undefined],
  ['while the model answers', { text: 'Hello', fault: { kind: 'silence' } }, 'turn-start'],
  ['while a tool runs', { calls: [{ name: 'wait' }] }, 'tool-start'],
])('a run that was cancelled %s has not gone wrong: it has no error', async (_, turn, at) => {
  const controller = new AbortController();
  if (at === undefined) controller.abort();
  const { agent } = agentOn([turn]);
  for await (const event of agent.stream('go', { context: undefined, signal: controller.signal })) {
    if (event.kind === at) setImmediate(() => controller.abort());
    if (event.kind !== 'run-end') continue;
    expect(event.result.stopReason).toBe('cancelled');
    expect(event.result).not.toHaveProperty('error');
  }
});
