import { createGate, defineTool, type GateSession } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import type { AgentConfig } from './agent-config.ts';
import { createAgent } from './create-agent.ts';

/** An agent that pays once, and what was paid. */
function setUp(config: Partial<AgentConfig> = {}) {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'write' },
    input: { type: 'object' } as const,
    execute: (input) => {
      paid.push(input);
      return 'paid';
    },
  });
  const model = createScriptedModel({ turns: [{ calls: [{ id: 'a', name: 'pay' }] }, { text: 'Done.' }] });
  const gate = createGate({ tools: [pay] });
  return { paid, gate, agent: createAgent({ model, gate, ...config }) };
}

/** A signal that is none of this realm. */
function foreign(removeEventListener: unknown): AbortSignal {
  return { aborted: false, addEventListener: () => undefined, removeEventListener } as unknown as AbortSignal;
}
const broken = (): never => {
  throw new Error('broken');
};

describe.each<number | 'none'>([60_000, 'none'])('with %s ms for a run', (maxDurationMs) => {
  const limits = { maxDurationMs };

  test('a call with a signal that nobody could stop to listen to does not start, and nobody says it did', async () => {
    const { agent, paid } = setUp({ limits });
    const options = { context: undefined, callSignal: () => foreign(undefined) };
    const { stopReason, outcomes, error } = await agent.run('go', options);
    expect([stopReason, error?.code, paid.length]).toEqual(['permanent_error', 'agent/call-failed', 0]);
    expect(outcomes.map(({ reason }) => reason)).toEqual(['not_started']);
  });

  test('a signal that does not let go changes nothing', async () => {
    const { agent, paid } = setUp({ limits });
    const options = { context: undefined, signal: foreign(broken), callSignal: () => foreign(broken) };
    const { stopReason, outcomes } = await agent.run('go', options);
    expect([stopReason, outcomes.map(({ reason }) => reason), paid.length]).toEqual([
      'answer',
      ['completed'],
      1,
    ]);
  });
});

test('a run with a signal that nobody could stop to listen to is refused before it begins', async () => {
  const { agent, paid } = setUp();
  const options = { context: undefined, signal: foreign(undefined) };
  const refused = { code: 'agent/options-invalid', message: 'signal is an AbortSignal' };
  await expect(agent.run('go', options)).rejects.toMatchObject(refused);
  expect(() => agent.stream('go', options)).toThrow(expect.objectContaining(refused));
  expect(paid).toEqual([]);
});

describe('what fails after a call was handed over does not say that it was not started', () => {
  test('where it is a clock that cannot clear a timer, the outcome is what it was', async () => {
    let timers = 0;
    const clock = {
      now: () => 0,
      setTimer: () => ++timers,
      // The first one belongs to the model, which was asked before.
      clearTimer: (timer: unknown) => {
        if (timer === 2) throw new Error('broken');
      },
    };
    const { agent, paid } = setUp({ clock });
    const { stopReason, outcomes, error } = await agent.run('go');
    expect([stopReason, error?.code, paid.length]).toEqual(['permanent_error', 'agent/call-failed', 1]);
    expect(outcomes.map(({ reason }) => reason)).toEqual(['completed']);
  });

  test('where it is the gate itself, nobody knows', async () => {
    const { gate, paid } = setUp();
    const open: typeof gate.open = async (...options) => {
      const session = await gate.open(...options);
      const execute: GateSession['execute'] = async (...rest) => {
        await session.execute(...rest);
        throw new Error('broken');
      };
      return { ...session, execute };
    };
    const { agent } = setUp({ gate: { ...gate, open } });
    const { stopReason, outcomes } = await agent.run('go');
    expect([stopReason, paid.length]).toEqual(['permanent_error', 1]);
    expect(outcomes.map(({ kind, reason }) => [kind, reason])).toEqual([['unknown', 'interrupted']]);
  });
});
