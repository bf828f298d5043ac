import { createGate, createScope, defineTool } from '@toolgate/core';
import type { ToolChoice } from '@toolgate/model';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import type { AgentConfig } from './agent-config.ts';
import { createAgent } from './create-agent.ts';

const tool = (name: string) =>
  defineTool({
    name,
    description: 'Answers with what it got.',
    profile: { class: name === 'pay' ? 'external' : 'read' },
    input: { type: 'object', properties: { n: { type: 'integer' } } } as const,
    execute: ({ n = 0 }) => n,
  });
const scope = createScope({ approve: () => 'defer', approvalThreshold: 'external' });

function agentOn(turns: readonly ScriptedTurn[], options: Partial<AgentConfig>) {
  const model = createScriptedModel({ turns });
  const gate = createGate({ tools: ['look', 'find', 'pay'].map(tool), scope });
  return { model, agent: createAgent({ model, gate, ...options }) };
}

/** A model that keeps to the choice: it calls where it has to, and answers where it may. */
const obedient = (calls: number, name = 'look'): readonly ScriptedTurn[] => [
  ...Array.from({ length: calls }, (_, n) => ({ calls: [{ name, arguments: { n } }] })),
  { text: 'Done.' },
];

describe('a choice that demands a call', () => {
  test.each<[string, ToolChoice, ToolChoice, readonly string[]]>([
    ['one tool', { mode: 'named', name: 'look' }, { mode: 'auto' }, ['look']],
    ['any tool', { mode: 'any' }, { mode: 'auto' }, ['look', 'find', 'pay']],
    [
      'one of some',
      { mode: 'any', allowed: ['look', 'find'] },
      { mode: 'auto', allowed: ['look', 'find'] },
      ['look', 'find', 'pay'],
    ],
  ])(
    'of %s holds until one ran, and leaves no more tools afterwards',
    async (_, toolChoice, then, offered) => {
      const { model, agent } = agentOn([...obedient(1), ...obedient(1)], { call: { toolChoice } });
      const { stopReason, items } = await agent.run('go');
      expect(stopReason).toBe('answer');
      expect(model.requests.map((request) => request.toolChoice)).toEqual([toolChoice, then]);
      expect(model.requests[1]?.tools?.map((each) => 'name' in each && each.name)).toEqual(offered);
      // A next run has its own first call.
      await agent.run([
        ...items,
        { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Again.' }] },
      ]);
      expect(model.requests[2]?.toolChoice).toEqual(toolChoice);
    },
  );

  test('holds as long as nothing ran', async () => {
    const refused = { calls: [{ name: 'look', arguments: { n: 'x' } }] };
    const { model, agent } = agentOn([refused, ...obedient(1)], { call: { toolChoice: { mode: 'any' } } });
    expect((await agent.run('go')).stopReason).toBe('answer');
    expect(model.requests.map(({ toolChoice }) => toolChoice?.mode)).toEqual(['any', 'any', 'auto']);
  });

  test('is over after an approval, too', async () => {
    const { model, agent } = agentOn(obedient(1, 'pay'), { call: { toolChoice: { mode: 'any' } } });
    const { state, pending } = await agent.run('go');
    if (state === undefined) throw new Error('a suspended run has a state');
    const { stopReason } = await agent.resume(state, [
      { approvalId: pending[0]?.id ?? '', decision: 'allow' },
    ]);
    expect(stopReason).toBe('answer');
    expect(model.requests.map(({ toolChoice }) => toolChoice?.mode)).toEqual(['any', 'auto']);
  });

  test('holds to the end where a tool that it leaves ends the run', async () => {
    const turns = [...obedient(2).slice(0, 2), { calls: [{ name: 'find' }] }];
    const options = { call: { toolChoice: { mode: 'any' } }, stopAfterTools: ['find'] } as const;
    const { model, agent } = agentOn(turns, options);
    expect((await agent.run('go')).stopReason).toBe('tool_stop');
    expect(model.requests.map(({ toolChoice }) => toolChoice?.mode)).toEqual(['any', 'any', 'any']);
  });

  test('does not hold where only a tool that it does not leave would end the run', async () => {
    const options = {
      call: { toolChoice: { mode: 'named', name: 'look' } },
      stopAfterTools: ['find'],
    } as const;
    const { model, agent } = agentOn(obedient(1), options);
    expect((await agent.run('go')).stopReason).toBe('answer');
    expect(model.requests.map(({ toolChoice }) => toolChoice?.mode)).toEqual(['named', 'auto']);
  });
});
