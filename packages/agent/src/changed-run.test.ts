import { AuthorizationError, createGate, createScope, defineTool, type Gate, guard } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { agentOn, allow, decline, paying, pays, stateKey, suspended } from '../test-support/waiting-run.ts';
import { createAgent } from './create-agent.ts';

describe('what changed while a run waited', () => {
  test('a contract: the approved call does not run, nor any other call of that tool', async () => {
    const { state, ids } = await suspended(paying().gate, pays(1));
    const { gate, ran } = paying({ description: 'Pays twice.' });
    const { agent, model } = agentOn(gate, [pays(2), { text: 'Sorry.' }]);
    const result = await agent.resume(state, [allow(ids[0] ?? '')]);
    expect(result.outcomes.map(({ reason }) => reason)).toEqual(['approval_expired', 'tool_unavailable']);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['look']);
    expect(result.warnings.map(({ code }) => code)).toEqual(['contract-changed', 'contract-changed']);
    expect(ran).toEqual([]);
  });

  test('a tool that came later is not offered, and its guessed name does not run', async () => {
    const { state, ids } = await suspended(paying().gate, pays(1));
    let ran = false;
    const late = defineTool({
      name: 'late',
      description: 'New.',
      input: { type: 'object' } as const,
      execute: () => {
        ran = true;
      },
    });
    const { agent, model } = agentOn(withTool(late), [{ calls: [{ name: 'late' }] }, { text: 'Sorry.' }]);
    const result = await agent.resume(state, [decline(ids[0] ?? '')]);
    expect(model.requests[0]?.tools?.map(({ name }) => name)).not.toContain('late');
    expect(result.outcomes.at(-1)).toMatchObject({ name: 'late', reason: 'tool_unavailable' });
    expect(ran).toBe(false);
  });

  test('the availability: an approved call of a tool that is gone does not run', async () => {
    const { gate, available, ran } = revocable();
    const { state, ids } = await suspended(gate, { calls: [{ name: 'pay', arguments: { amount: 1 } }] });
    available.now = false;
    const result = await agentOn(gate, [{ text: 'Sorry.' }]).agent.resume(state, [allow(ids[0] ?? '')]);
    expect(result.outcomes[0]?.reason).toBe('tool_unavailable');
    expect(ran).toEqual([]);
  });

  test('the principal: another one cannot resume, and uses nothing up', async () => {
    const { gate, ran } = paying();
    const model = createScriptedModel({ turns: [pays(1), { text: 'Done.' }] });
    const agent = createAgent({ model, gate, stateKey });
    const { state, pending } = await agent.run('go', { context: undefined, principal: 'ada' });
    if (state === undefined) throw new Error('a suspended run has a state');
    const decisions = [allow(pending[0]?.id ?? '')];
    for (const principal of ['bob', undefined])
      await expect(
        agent.resume(state, decisions, {
          context: undefined,
          ...(principal === undefined ? {} : { principal }),
        }),
      ).rejects.toMatchObject({ code: 'agent/state-foreign' });
    expect(ran).toEqual([]);
    const result = await agent.resume(state, decisions, { context: undefined, principal: 'ada' });
    expect(result.outcomes[0]?.reason).toBe('completed');
  });
});

test('an authorizer that cannot decide ends a resumed run; the approved call did not run', async () => {
  let broken = false;
  const inner = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' } as const,
    execute: () => 'paid',
  });
  const tool = guard({
    tool: inner,
    authorizer: () => {
      if (broken) throw new AuthorizationError(new Error('directory is down'));
      return true;
    },
  });
  const gate = createGate({ tools: [tool], scope: createScope({ approve: () => 'defer' }) });
  const { state, ids } = await suspended(gate, { calls: [{ name: 'pay' }] });
  broken = true;
  const result = await agentOn(gate, []).agent.resume(state, [allow(ids[0] ?? '')]);
  expect(result).toMatchObject({ stopReason: 'permanent_error', error: { code: 'gate/authorization' } });
  expect(result.outcomes[0]?.reason).toBe('not_started');
  expect(JSON.stringify(result)).not.toContain('directory');
});

function withTool(tool: ReturnType<typeof defineTool>): Gate {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'external' },
    input: {
      type: 'object',
      properties: { amount: { type: 'integer', minimum: 1 } },
      required: ['amount'],
    } as const,
    execute: () => 'paid',
  });
  const scope = createScope({ approve: () => 'defer', approvalThreshold: 'external' });
  return createGate({ tools: [pay, tool], scope });
}

function revocable() {
  const ran: string[] = [];
  const available = { now: true };
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' } as const,
    available: () => available.now,
    execute: () => {
      ran.push('pay');
    },
  });
  return {
    ran,
    available,
    gate: createGate({ tools: [pay], scope: createScope({ approve: () => 'defer' }) }),
  };
}

test('a run that is cancelled while it asks for a decision is over: nothing waits, and every call has its result', async () => {
  const controller = new AbortController();
  const stop = defineTool({
    name: 'stop',
    description: 'Cancels the run from inside.',
    profile: { class: 'read' },
    input: { type: 'object' } as const,
    execute: () => controller.abort(),
  });
  const model = createScriptedModel({ turns: [{ calls: [...(pays(1).calls ?? []), { name: 'stop' }] }] });
  const agent = createAgent({ model, gate: withTool(stop), stateKey });
  const result = await agent.run('go', { context: undefined, signal: controller.signal });
  expect(result).toMatchObject({ stopReason: 'cancelled', pending: [] });
  expect(result.state).toBeUndefined();
  expect(result.outcomes.map(({ reason }) => reason)).toEqual(['not_started', 'completed']);
});
