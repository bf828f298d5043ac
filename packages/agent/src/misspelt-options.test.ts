import { createGate, createScope, defineTool } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';
import { createMemoryEngine } from './durable/memory-engine.ts';
import { createDurableAgent } from './durable-agent/create-durable-agent.ts';
import type { RunOptions } from './run-options.ts';

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  profile: { class: 'external' },
  input: { type: 'object' },
  execute: () => 'paid',
});
const gate = createGate({ tools: [pay], scope: createScope({ approve: () => 'defer' }) });
const model = () => createScriptedModel({ turns: [{ text: 'Hello.' }] });
const refused = (message: string) =>
  expect.objectContaining({ code: 'agent/options-invalid', message: expect.stringContaining(message) });

describe('what an agent is given and does not know is refused, and not left out in silence', () => {
  test.each<[string, object, string]>([
    ['a setting of its calls', { call: { temprature: 0 } }, 'call has no field "temprature"'],
    [
      'a continuation of its own',
      { call: { previousResponseId: 'resp_1' } },
      'no field "previousResponseId"',
    ],
    ['a choice by the word of a protocol', { call: { toolChoice: 'none' } }, "such as { mode: 'none' }"],
    ['a choice of a protocol', { call: { toolChoice: { type: 'none' } } }, 'call.toolChoice has a mode'],
    ['a choice by another word', { call: { toolChoice: { mode: 'required' } } }, "'auto', 'none', 'any'"],
    [
      'what a choice allows, by another name',
      { call: { toolChoice: { mode: 'any', alowed: ['pay'] } } },
      'call.toolChoice has no field "alowed"',
    ],
    ['a name for a list', { call: { toolChoice: { mode: 'auto', allowed: 'pay' } } }, 'a list of names'],
    ['a choice of no tool', { call: { toolChoice: { mode: 'named', tool: 'pay' } } }, 'no field "tool"'],
    ['a named choice without a name', { call: { toolChoice: { mode: 'named' } } }, 'names its tool'],
    ['choices in a list', { call: { toolChoice: [] } }, 'call.toolChoice is an object'],
    ['tools beside its gate', { call: { tools: [] } }, 'call has no field "tools"'],
    ['a word for a choice', { closingTurn: 'no' }, 'closingTurn must be true or false'],
    ['a name for a list', { stopAfterTools: 'pay' }, 'stopAfterTools must be a list'],
    ['a clock without a time', { clock: {} }, 'clock has now'],
    ['a store that is no function', { claimDecision: true }, 'claimDecision must be a function'],
    ['an id for all runs', { ids: 'run' }, 'ids must be a function'],
  ])('%s', (_what, config, message) => {
    expect(() => createAgent({ model: model(), gate, ...config })).toThrow(refused(message));
  });

  test.each(['run', 'stream', 'resume', 'resumeStream'] as const)(
    'a signal by another name: %s',
    async (door) => {
      const options = { context: 0, sginal: new AbortController().signal } as RunOptions;
      const agent = createAgent({ model: model(), gate });
      const state = {} as never;
      const start = async (): Promise<unknown> => {
        if (door === 'run' || door === 'stream') return agent[door]('Hello?', options);
        return agent[door](state, [], options);
      };
      await expect(start()).rejects.toThrow(refused('the options of a run has no field "sginal"'));
    },
  );

  test('what settles calls in doubt, by another name or of another kind', async () => {
    const durable = (options: object) =>
      createDurableAgent({ model: model(), gate }, { engine: createMemoryEngine, ...options });
    expect(() => durable({ reconsile: () => ({ kind: 'unknown' }) })).toThrow(refused('"reconsile"'));
    expect(() => durable({ reconcile: 'unknown' })).toThrow(refused('reconcile and contextOf are functions'));
    const agent = durable({});
    await expect(agent.start('r', 'Hello?', { principle: 'ada' } as object)).rejects.toThrow(
      refused('the start of a run has no field "principle"'),
    );
    await agent.close();
  });
});
