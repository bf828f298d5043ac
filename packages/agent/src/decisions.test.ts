import { createGate, createScope, defineTool, guard } from '@toolgate/core';
import { createFakeClock, createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { agentOn, allow, decline, paying, pays, stateKey, suspended } from '../test-support/waiting-run.ts';
import { createAgent } from './create-agent.ts';
import type { RunDecision } from './state/run-decision.ts';

describe('decisions', () => {
  test('come a few at a time and in any order; each is carried out once, and the rest stays pending', async () => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, {
      calls: [...(pays(1, 2, 3).calls ?? []), { name: 'look' }],
    });
    expect(ran).toEqual(['look']);
    const { agent, model } = agentOn(gate, [{ text: 'Done.' }]);
    const second = await agent.resume(state, [allow(ids[2] ?? '')]);
    expect(second.stopReason).toBe('suspended');
    expect(second.pending.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(second.outcomes.map(({ parts }) => parts)).toMatchObject([
      [{ text: 'paid 3' }],
      [{ text: 'seen' }],
    ]);
    expect(model.requests).toEqual([]);
    if (second.state === undefined) throw new Error('a suspended run has a state');
    const last = await agent.resume(second.state, [
      decline(ids[0] ?? ''),
      allow(ids[1] ?? ''),
      decline(ids[2] ?? ''),
    ]);
    expect(last.outcomes.map(({ reason }) => reason)).toEqual([
      'approval_declined',
      'completed',
      'completed',
      'completed',
    ]);
    expect(ran).toEqual(['look', 'pay 3', 'pay 2']);
  });

  test('that nobody waits for do not hide what was done: the history of a next run has it', async () => {
    const { gate } = paying();
    const { state, ids } = await suspended(gate, { calls: [...(pays(1, 2).calls ?? []), { name: 'look' }] });
    const { agent, model } = agentOn(gate, [{ text: 'As you like.' }]);
    const { items } = await agent.resume(state, [allow(ids[1] ?? '')]);
    await agent.run([...items, { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Stop.' }] }]);
    const results = model.requests[0]?.items.filter(({ kind }) => kind === 'tool-result');
    expect(results).toMatchObject([{ parts: [{ text: 'paid 2' }] }, { parts: [{ text: 'seen' }] }]);
  });

  test('that come twice count once, and the first one wins', async () => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, pays(1));
    const [id = ''] = ids;
    const result = await agentOn(gate, [{ text: 'Done.' }]).agent.resume(state, [
      decline(id),
      allow(id),
      allow(id),
    ]);
    expect(result.outcomes[0]?.reason).toBe('approval_declined');
    expect(ran).toEqual([]);
  });

  test('given to the same state twice execute nothing twice, and the second run does not claim to know', async () => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, pays(1));
    const { agent } = agentOn(gate, [{ text: 'Done.' }, { text: 'Again.' }]);
    const [one, two] = await Promise.all([
      agent.resume(state, [allow(ids[0] ?? '')]),
      agent.resume(state, [allow(ids[0] ?? '')]),
    ]);
    expect(ran).toEqual(['pay 1']);
    expect(new Set([one, two].map(({ outcomes }) => outcomes[0]?.kind))).toEqual(
      new Set(['completed', 'unknown']),
    );
  });

  test('about something that the run never asked are refused, and nothing runs', async () => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, pays(1));
    const { agent } = agentOn(gate, []);
    await expect(agent.resume(state, [allow(ids[0] ?? ''), allow('other')])).rejects.toMatchObject({
      code: 'agent/decision-invalid',
    });
    expect(ran).toEqual([]);
  });

  test.each([
    ['nothing', undefined],
    ['a word', 'allow'],
    ['no id', { decision: 'allow' }],
    ['another word', { approvalId: 'x', decision: 'yes' }],
    ['true', { approvalId: 'x', decision: true }],
    ['a reason with a yes', { approvalId: 'x', decision: 'allow', reason: 'why not' }],
    ['arguments with a yes', { approvalId: 'x', decision: 'allow', arguments: '{}' }],
    ['an edit by another name', { approvalId: 'x', decision: 'allow', argumnets: '{"amount":1}' }],
    ['an edit without arguments', { approvalId: 'x', decision: 'edit' }],
    ['arguments that are no JSON', { approvalId: 'x', decision: 'edit', arguments: '{' }],
    [
      'arguments with a member twice',
      { approvalId: 'x', decision: 'edit', arguments: '{"amount":1,"amount":9}' },
    ],
    ['arguments that are a list', { approvalId: 'x', decision: 'edit', arguments: '[1]' }],
  ])('that are none (%s) are refused, and nothing runs', async (_, decision) => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, pays(1));
    const given =
      typeof decision === 'object' && 'approvalId' in decision
        ? { ...decision, approvalId: ids[0] }
        : decision;
    await expect(agentOn(gate, []).agent.resume(state, [given as RunDecision])).rejects.toMatchObject({
      code: 'agent/decision-invalid',
    });
    expect(ran).toEqual([]);
  });

  test('that come too late are over, and are not shown as a refusal by a person', async () => {
    const clock = createFakeClock({ now: 1_000_000 });
    const { gate, ran } = paying({ clock });
    const { state, ids } = await suspended(gate, pays(1), clock);
    await clock.advance(60_000);
    const { agent } = agentOn(gate, [{ text: 'Done.' }], clock);
    const result = await agent.resume(state, [allow(ids[0] ?? '')]);
    expect(result.outcomes[0]).toMatchObject({
      reason: 'approval_expired',
      parts: [{ text: 'Approval was not given in time.' }],
    });
    expect(ran).toEqual([]);
  });

  test('that are not there leave the run as it was; time decides in the end', async () => {
    const clock = createFakeClock({ now: 1_000_000 });
    const { gate } = paying({ clock });
    const { state, result } = await suspended(gate, pays(1), clock);
    const { agent } = agentOn(gate, [{ text: 'Done.' }], clock);
    const again = await agent.resume(state, []);
    expect(again.pending).toEqual(result.pending);
    await clock.advance(60_000);
    expect((await agent.resume(state, [])).outcomes[0]?.reason).toBe('approval_expired');
  });

  test('of no: the reason is for the model, and the same call is not asked about again in the run', async () => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, pays(1, 2));
    const { agent, model } = agentOn(gate, [pays(1, 2), { text: 'Sorry.' }]);
    const second = await agent.resume(state, [decline(ids[0] ?? '', 'Not this month.')]);
    if (second.state === undefined) throw new Error('a suspended run has a state');
    const third = await agent.resume(second.state, [allow(ids[1] ?? '')]);
    expect(JSON.stringify(model.requests[0]?.items)).toContain('Not this month.');
    // The call for 1 is declined without asking; the call for 2 is asked about.
    expect(third.pending.map(({ arguments: args }) => args)).toEqual([{ amount: 2 }]);
    expect(third.outcomes.at(-1)).toMatchObject({ reason: 'approval_declined' });
    expect(ran).toEqual(['pay 2']);
  });
});

describe('edited arguments', () => {
  test.each([
    ['as a text', '{"amount": 5}'],
    ['as an object', { amount: 5 }],
  ])('%s run instead, and the model is told that they did, and which', async (_, edited) => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, pays(7));
    const { agent, model } = agentOn(gate, [{ text: 'Done.' }]);
    const result = await agent.resume(state, [
      { approvalId: ids[0] ?? '', decision: 'edit', arguments: edited },
    ]);
    expect(ran).toEqual(['pay 5']);
    expect(result.outcomes[0]).toMatchObject({ kind: 'completed', edited: true });
    expect(model.requests[0]?.items.at(-1)).toMatchObject({
      parts: [
        { text: 'paid 5' },
        { text: 'A reviewer changed the arguments of this call before it ran. It ran with {"amount":5}' },
      ],
    });
  });

  test('are admitted by the contract like any others', async () => {
    const { gate, ran } = paying();
    const { state, ids } = await suspended(gate, pays(7));
    const { agent, model } = agentOn(gate, [{ text: 'Sorry.' }]);
    const result = await agent.resume(state, [
      { approvalId: ids[0] ?? '', decision: 'edit', arguments: { amount: 0 } },
    ]);
    expect(result.outcomes[0]?.reason).toBe('arguments_rejected');
    expect(JSON.stringify(model.requests[0]?.items.at(-1))).toContain('of this call; it did not run.');
    expect(ran).toEqual([]);
  });

  test('are authorised again, by the arguments that would run', async () => {
    const seen: unknown[] = [];
    const inner = defineTool({
      name: 'pay',
      description: 'Pays.',
      profile: { class: 'external' },
      input: { type: 'object', properties: { amount: { type: 'integer' } } } as const,
      execute: () => 'paid',
    });
    const tool = guard({
      tool: inner,
      authorizer: ({ arguments: args }) => {
        seen.push(args);
        return (args['amount'] as number) < 100;
      },
    });
    const gate = createGate({ tools: [tool], scope: createScope({ approve: () => 'defer' }) });
    const { state, ids } = await suspended(gate, pays(7));
    const { agent } = agentOn(gate, [{ text: 'Sorry.' }]);
    const result = await agent.resume(state, [
      { approvalId: ids[0] ?? '', decision: 'edit', arguments: { amount: 1_000 } },
    ]);
    expect(result.outcomes[0]?.reason).toBe('not_authorized');
    expect(seen.at(-1)).toEqual({ amount: 1_000 });
  });
});

test('a store of decisions that fails ends the run, and the call does not run', async () => {
  const { gate, ran } = paying();
  const { state, ids } = await suspended(gate, pays(1));
  const claimDecision = (): never => {
    throw new Error('redis://:pw@cache is down');
  };
  const agent = createAgent({ model: createScriptedModel({ turns: [] }), gate, stateKey, claimDecision });
  const result = await agent.resume(state, [allow(ids[0] ?? '')]);
  expect(result).toMatchObject({ stopReason: 'permanent_error', error: { code: 'agent/call-failed' } });
  expect(result.outcomes[0]?.reason).toBe('not_started');
  expect(JSON.stringify(result)).not.toContain('redis');
  expect(ran).toEqual([]);
});

test('a resume that was cancelled before anything started leaves its decisions to the next one', async () => {
  const { gate, ran } = paying();
  const { state, ids } = await suspended(gate, pays(1));
  const { agent } = agentOn(gate, [{ text: 'Done.' }]);
  const decisions = [allow(ids[0] ?? '')];
  const cancelled = await agent.resume(state, decisions, { context: undefined, signal: AbortSignal.abort() });
  expect(cancelled).toMatchObject({ stopReason: 'cancelled', outcomes: [{ reason: 'not_started' }] });
  expect(ran).toEqual([]);
  const { outcomes } = await agent.resume(state, decisions);
  expect(outcomes).toMatchObject([{ kind: 'completed' }]);
  expect(ran).toEqual(['pay 1']);
});
