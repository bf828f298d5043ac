import { createGate, createScope, defineTool } from '@toolgate/core';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { allow, stateKey } from '../test-support/waiting-run.ts';
import type { AgentLimits } from './agent-config.ts';
import { createAgent } from './create-agent.ts';

const tool = (name: string, type: 'read' | 'external') =>
  defineTool({
    name,
    description: name,
    profile: { class: type },
    input: { type: 'object', properties: { id: { type: 'string' } } } as const,
    execute: () => `${name}: running`,
  });
const scope = createScope({ approve: () => 'defer', approvalThreshold: 'external' });
const gate = createGate({
  tools: [tool('status', 'read'), tool('look', 'read'), tool('pay', 'external')],
  scope,
});

const calls = (...names: readonly string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name })) });
const times = (count: number, ...turns: readonly ScriptedTurn[]): readonly ScriptedTurn[] =>
  Array.from({ length: count }, () => turns).flat();

function agentOf(turns: readonly ScriptedTurn[], limits: AgentLimits = { mayRepeat: ['status'] }) {
  const model = createScriptedModel({ turns });
  return { model, agent: createAgent({ model, gate, stateKey, limits }) };
}

describe('a tool that may repeat', () => {
  test('asks how a job stands as often as the other limits let it, and nobody tells the model to stop', async () => {
    const { agent, model } = agentOf([...times(12, calls('status')), { text: 'Done.' }]);
    expect(await agent.run('go')).toMatchObject({ stopReason: 'answer', turns: 13 });
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('the same result');
    expect(await agentOf(times(40, calls('status'))).agent.run('go')).toMatchObject({
      stopReason: 'turn_limit',
      turns: 16,
    });
  });

  test.each([
    ['beside it', times(9, calls('status', 'look')), 3],
    ['between its calls', times(9, calls('status'), calls('look')), 6],
  ])('does not hide another one that goes round in circles %s', async (_, turns, ended) => {
    expect(await agentOf(turns).agent.run('go')).toMatchObject({ stopReason: 'no_progress', turns: ended });
  });

  test('may not be refused for ever', async () => {
    const wrong: ScriptedTurn = { calls: [{ name: 'status', arguments: { id: 5 } }] };
    expect(await agentOf(times(9, wrong)).agent.run('go')).toMatchObject({
      stopReason: 'no_progress',
      turns: 3,
    });
  });

  test('may so after a resume as well', async () => {
    const turns = [
      ...times(2, calls('status')),
      calls('pay'),
      ...times(6, calls('status')),
      { text: 'Done.' },
    ];
    const { agent } = agentOf(turns);
    const { pending, state } = await agent.run('go');
    if (state === undefined) throw new Error('It waits.');
    const resumed = await agent.resume(state, [allow(pending[0]?.id ?? '')]);
    expect(resumed).toMatchObject({ stopReason: 'answer', turns: 10 });
  });

  test.each<[unknown, string]>([
    [['stauts'], 'limits.mayRepeat: there is no tool with the name "stauts"'],
    ['status', 'limits.mayRepeat must be a list of names'],
  ])('is one that there is: %j', (mayRepeat, message) => {
    const limits = { mayRepeat } as AgentLimits;
    expect(() => agentOf([], limits)).toThrow(
      expect.objectContaining({ code: 'agent/options-invalid', message }),
    );
  });
});
