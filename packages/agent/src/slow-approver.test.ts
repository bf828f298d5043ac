import { type Approver, createGate, createScope, defineTool } from '@toolgate/core';
import { createFakeClock, createScriptedModel, type FakeClock, type ScriptedTurn } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import type { AgentConfig } from './agent-config.ts';
import { createAgent } from './create-agent.ts';

const MINUTE = 60_000;
const input = { type: 'object' } as const;

/** A run with ten minutes for its work, in which everything that needs a yes is put to this approver. */
async function runWith(
  approve: (clock: FakeClock) => Approver,
  turns: readonly ScriptedTurn[],
  limits: AgentConfig['limits'] = { maxDurationMs: 10 * MINUTE },
) {
  const clock = createFakeClock();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'external' },
    input,
    execute: () => 'paid',
  });
  const hang = defineTool({
    name: 'hang',
    description: 'Hangs.',
    profile: { class: 'external', timeoutMs: 60 * MINUTE },
    input,
    execute: (_input, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  const scope = createScope({
    approve: approve(clock),
    approvalThreshold: 'external',
    approvalLifetimeMs: 24 * 60 * MINUTE,
  });
  const gate = createGate({ tools: [pay, hang], scope, clock });
  const agent = createAgent({ model: createScriptedModel({ turns }), gate, clock, limits });
  const run = agent.run('go');
  // It has come to its question.
  await clock.advance(0);
  return { clock, run };
}

/** A person who says yes after so many minutes. */
const after =
  (minutes: number) =>
  (clock: FakeClock): Approver =>
  () =>
    new Promise((resolve) => {
      clock.setTimer(() => resolve('allow'), minutes * MINUTE);
    });

describe('the time of a run stands still while somebody is asked', () => {
  test('so that a late yes is a yes, and its call runs', async () => {
    const { clock, run } = await runWith(after(90), [{ calls: [{ name: 'pay' }] }, { text: 'Paid.' }]);
    await clock.advance(90 * MINUTE);
    expect(await run).toMatchObject({ stopReason: 'answer', outcomes: [{ reason: 'completed' }] });
    expect(clock.pending).toBe(0);
  });

  test('also for what else is asked about or waits for its turn behind it', async () => {
    const calls = [{ name: 'pay' }, { name: 'pay' }, { name: 'pay' }];
    const { clock, run } = await runWith(after(40), [{ calls }, { calls }, { text: 'Paid.' }]);
    for (let hour = 0; hour < 5; hour += 1) await clock.advance(60 * MINUTE);
    const { outcomes, stopReason } = await run;
    expect([stopReason, new Set(outcomes.map(({ reason }) => reason))]).toEqual([
      'answer',
      new Set(['completed']),
    ]);
  });

  test('and goes on with what was left of it when they have answered', async () => {
    const { clock, run } = await runWith(after(90), [{ calls: [{ name: 'hang' }] }, { text: 'Never.' }]);
    await clock.advance(90 * MINUTE);
    await clock.advance(10 * MINUTE - 1);
    expect(clock.pending).toBeGreaterThan(0);
    await clock.advance(1);
    expect(await run).toMatchObject({
      stopReason: 'time_limit',
      outcomes: [{ reason: 'cancelled_after_dispatch' }],
    });
    expect(clock.pending).toBe(0);
  });

  test('and an approver that never answers ends with its own time, not with that of the run', async () => {
    const never = (): Approver => () => new Promise(() => undefined);
    const { clock, run } = await runWith(never, [{ calls: [{ name: 'pay' }] }, { text: 'As you like.' }]);
    await clock.advance(24 * 60 * MINUTE);
    expect(await run).toMatchObject({ stopReason: 'answer', outcomes: [{ reason: 'approval_expired' }] });
    expect(clock.pending).toBe(0);
  });
});
