import { createGate, defineTool, type Profile } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import {
  type Caller,
  contextOf,
  firstApproval,
  firstEvent,
  paying,
  payingTurns,
} from '../../test-support/durable-fixtures.ts';
import { createJournalHost } from '../durable/journal-host.ts';
import type { JournalStore } from '../durable/journal-store.ts';
import { createMemoryStore } from '../durable/memory-store.ts';
import { createDurableAgent } from './create-durable-agent.ts';
import type { CreateEngine, Reconcile, Reconciled } from './durable-config.ts';

test('a host that closes in the middle of a turn leaves the run where it was, and another one ends it', async () => {
  const store = createMemoryStore();
  const engine: CreateEngine = (parts) => createJournalHost({ ...store, close: () => undefined }, parts);
  let reads = 0;
  const slow = defineTool({
    name: 'slow',
    description: 'Reads slowly.',
    profile: { class: 'read' },
    input: { type: 'object' } as const,
    execute: (_, { signal }) => {
      reads++;
      return reads > 1
        ? 'read'
        : new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason), { once: true });
          });
    },
  });
  const gate = createGate({ tools: [slow] });
  const script = [{ calls: [{ name: 'slow' }] }, { text: 'Done.' }];
  const one = createDurableAgent({ model: createScriptedModel({ turns: script }), gate }, { engine });
  const started = firstEvent(one.events('r'), 'tool-start');
  await one.start('r', 'go');
  await started;
  await one.close();
  expect(store.readRun('r')).toMatchObject({ phase: 'running' });

  const two = createDurableAgent(
    { model: createScriptedModel({ turns: script.slice(1) }), gate },
    { engine },
  );
  const { result } = await two.finished('r');
  expect(result).toMatchObject({ stopReason: 'answer', outcomes: [{ reason: 'completed' }] });
  expect(reads).toBe(2);
  await two.close();
});

test('a model turn that a closing host breaks off is asked for again', async () => {
  const store = createMemoryStore();
  const engine: CreateEngine = (parts) => createJournalHost({ ...store, close: () => undefined }, parts);
  const gate = createGate({ tools: [] });
  const silent = createScriptedModel({ turns: [{ text: 'half', fault: { kind: 'silence' } }] });
  const one = createDurableAgent({ model: silent, gate }, { engine });
  const started = firstEvent(one.events('r'), 'text-delta');
  await one.start('r', 'go');
  await started;
  await one.close();
  const two = createDurableAgent(
    { model: createScriptedModel({ turns: [{ text: 'whole' }] }), gate },
    { engine },
  );
  expect((await two.finished('r')).result).toMatchObject({ stopReason: 'answer', text: 'whole', turns: 1 });
  await two.close();
});

describe('a call that was started and never recorded', () => {
  /** Runs until the effect, as a process that dies right after it; and what another one makes of the rest. */
  async function dieAfterEffect(reconcile?: Reconcile<Caller>, profile: Profile = {}) {
    const store = createMemoryStore();
    const { gate, paid } = paying(profile);
    let dead = false;
    const dying: JournalStore = {
      ...store,
      close: () => undefined,
      claimableRuns: (...given) => (dead ? [] : store.claimableRuns(...given)),
      settle: (runId, position, outcome) => {
        dead ||= outcome.includes('paid 7');
        return dead ? true : store.settle(runId, position, outcome);
      },
      begin: (...given) => !dead && store.begin(...given),
      end: (...given) => !dead && store.end(...given),
      renew: (...given) => dead || store.renew(...given),
      release: (...given) => (dead ? undefined : store.release(...given)),
    };
    const one = createDurableAgent(
      { model: createScriptedModel({ turns: payingTurns }), gate },
      { engine: (parts) => createJournalHost(dying, { ...parts, leaseMs: 100 }), contextOf },
    );
    await one.start('r', 'Pay 7.', { reference: 'ada' });
    const approval = await firstApproval(one);
    await one.decide('r', { approvalId: approval.id, decision: 'allow' });
    while (paid.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await one.close();

    const model = createScriptedModel({ turns: payingTurns.slice(1) });
    const two = createDurableAgent(
      { model, gate },
      {
        engine: (parts) => createJournalHost(store, { ...parts, pollMs: 10 }),
        contextOf,
        ...(reconcile === undefined ? {} : { reconcile }),
      },
    );
    const { result } = await two.finished('r');
    await two.close();
    return { paid, result, told: JSON.stringify(model.requests[0]?.items.at(-1)) };
  }

  test('is not run again, and the model is told that nobody knows', async () => {
    const { paid, result, told } = await dieAfterEffect();
    expect(paid).toHaveLength(1);
    expect(result?.outcomes[1]).toMatchObject({ kind: 'unknown', reason: 'interrupted' });
    expect(told).toContain('Its effects are unknown.');
    expect(result?.stopReason).toBe('answer');
  });

  test('names the tool that shows whether it was, where the run offers that', async () => {
    const { told } = await dieAfterEffect(undefined, { checkWith: 'look' });
    expect(told).toContain('Its effects are unknown. Check with look before you repeat it.');
    expect((await dieAfterEffect(undefined, { checkWith: 'elsewhere' })).told).not.toContain('Check with');
  });

  test('is settled by what the application knows, by the key that the handler saw', async () => {
    const asked: unknown[] = [];
    const { paid, result, told } = await dieAfterEffect((call, { context }) => {
      asked.push({ ...call, user: context.user });
      return { kind: 'completed', output: 'paid 7, as the bank says' };
    });
    expect(paid).toHaveLength(1);
    expect(asked).toEqual([
      {
        runId: 'r',
        callId: 'call_1_1',
        tool: 'pay',
        arguments: '{"amount":7}',
        idempotencyKey: paid[0]?.key,
        user: 'ada',
      },
    ]);
    expect(result?.outcomes[1]).toMatchObject({ kind: 'completed' });
    expect(told).toContain('as the bank says');
  });

  test.each([
    ['does not know', (): Reconciled => ({ kind: 'unknown' }), 'interrupted'],
    ['says that it never started', (): Reconciled => ({ kind: 'not-started' }), 'not_started'],
    ['throws', () => Promise.reject(new Error('bank is down')), 'interrupted'],
    ['answers nonsense', () => 'yes' as unknown as Reconciled, 'interrupted'],
  ])('stays what it is when the application %s', async (_, reconcile, reason) => {
    const { paid, result } = await dieAfterEffect(reconcile);
    expect(paid).toHaveLength(1);
    expect(result?.outcomes[1]?.reason).toBe(reason);
  });
});
