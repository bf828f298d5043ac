import { createFakeClock, createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { allow, decline, paying, pays, stateKey, suspended } from '../test-support/waiting-run.ts';
import type { AgentConfig } from './agent-config.ts';
import { createAgent } from './create-agent.ts';

/** A run that waits, and an agent that goes on with it over this store of decisions. */
async function waiting(claimDecision: unknown, options: Partial<AgentConfig> = {}) {
  const { gate, ran } = paying();
  const { state, ids } = await suspended(gate, pays(1));
  const model = createScriptedModel({ turns: [{ text: 'Done.' }] });
  const agent = createAgent({
    model,
    gate,
    stateKey,
    claimDecision: claimDecision as NonNullable<AgentConfig['claimDecision']>,
    ...options,
  });
  return { agent, ran, state, id: ids[0] ?? '' };
}

describe('a store of decisions', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 1],
    ['the word for no', 'false'],
    ['what a database says of no row', { rowCount: 0 }],
    ['a promise of an object', Promise.resolve({ inserted: false })],
  ])('that answers %s has taken no decision, and its call does not run', async (_, answer) => {
    const { agent, id, ran, state } = await waiting(() => answer);
    for (const decision of [allow(id), decline(id)]) {
      expect(await agent.resume(state, [decision])).toMatchObject({
        stopReason: 'permanent_error',
        error: { code: 'agent/call-failed' },
        outcomes: [{ reason: 'not_started' }],
      });
    }
    expect(ran).toEqual([]);
  });

  test('that never answers keeps no run from being cancelled, and nothing runs when it answers then', async () => {
    let answer: (taken: boolean) => void = () => undefined;
    let asked = (): void => undefined;
    const asking = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const store = (): Promise<boolean> =>
      new Promise((resolve) => {
        answer = resolve;
        asked();
      });
    const { agent, id, ran, state } = await waiting(store);
    const abort = new AbortController();
    const resumed = agent.resume(state, [allow(id)], { context: undefined, signal: abort.signal });
    await asking;
    abort.abort();
    expect(await resumed).toMatchObject({ stopReason: 'cancelled', outcomes: [{ reason: 'not_started' }] });
    answer(true);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ran).toEqual([]);
  });

  test('that never answers takes no longer than the run may', async () => {
    const clock = createFakeClock();
    const { agent, id, ran, state } = await waiting(() => new Promise(() => undefined), {
      clock,
      limits: { maxDurationMs: 1_000 },
    });
    const resumed = agent.resume(state, [allow(id)]);
    await clock.advance(0);
    await clock.advance(1_000);
    expect(await resumed).toMatchObject({ stopReason: 'time_limit', outcomes: [{ reason: 'not_started' }] });
    expect(ran).toEqual([]);
  });
});

test.each([
  [
    'throws',
    () => {
      throw new Error('no key');
    },
  ],
  ['gives no text', () => 5],
  ['gives a promise', async () => 'text'],
  ['gives half a character', () => '\ud800'],
])('a cipher that %s loses no result: what ran is told, and what waited did not run', async (_, encrypt) => {
  const { gate, ran } = paying();
  const cipher = { encrypt: encrypt as () => string, decrypt: (text: string) => text };
  const model = createScriptedModel({ turns: [{ calls: [...(pays(1).calls ?? []), { name: 'look' }] }] });
  const result = await createAgent({ model, gate, cipher }).run('go');
  expect(result).toMatchObject({
    stopReason: 'permanent_error',
    error: { code: 'agent/state-failed' },
    pending: [],
    outcomes: [{ reason: 'not_started' }, { reason: 'completed' }],
  });
  expect(result.items.filter(({ kind }) => kind === 'tool-result')).toHaveLength(2);
  expect(JSON.stringify(result)).not.toContain('no key');
  expect([result.state, ran]).toEqual([undefined, ['look']]);
});
