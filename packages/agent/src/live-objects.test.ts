import { createGate, createScope, defineTool } from '@toolgate/core';
import type { Model, ModelCall } from '@toolgate/model';
import { createScriptedModel } from '@toolgate/testing';
import { expect, test } from 'vitest';
import type { AgentEvent } from './agent-event.ts';
import { createAgent } from './create-agent.ts';
import { createMemoryEngine } from './durable/memory-engine.ts';
import { createDurableAgent } from './durable-agent/create-durable-agent.ts';

/** Paths of what is not frozen in a value. */
function live(value: unknown, path = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = Object.isFrozen(value) ? [] : [path];
  return [...here, ...Object.entries(value).flatMap(([name, member]) => live(member, `${path}/${name}`))];
}

/** A tool that gives back its arguments, and one that asks somebody; a model that calls both, and one that is not there. */
function setUp(look: (call: ModelCall) => void = () => undefined) {
  const seen: unknown[] = [];
  const echo = defineTool({
    name: 'echo',
    description: 'Gives back what it got.',
    profile: { class: 'read' },
    input: { type: 'object' } as const,
    execute: (input) => {
      seen.push(input);
      return { got: [input] };
    },
  });
  const ask = defineTool({
    name: 'ask',
    description: 'Somebody is asked.',
    profile: { class: 'write' },
    input: { type: 'object' } as const,
    execute: () => 'yes',
  });
  const scope = createScope({ approvalThreshold: 'write', approve: () => 'defer' });
  const usage = { inputTotal: 5, cacheRead: null, cacheWrite: null, outputTotal: 5, reasoning: null };
  const scripted = createScriptedModel({
    turns: [
      {
        // The second one has no usable id and gets one.
        calls: [
          { id: 'a', name: 'echo', arguments: { x: 1 } },
          { id: 'null', name: 'echo', arguments: { x: 2 } },
          { id: 'c', name: 'ask' },
          { id: 'd', name: 'nobody' },
        ],
        usage,
      },
      { text: 'Done.', usage },
    ],
  });
  const model: Model = {
    ...scripted,
    stream: (call, options) => {
      look(call);
      return scripted.stream(call, options);
    },
  };
  return { seen, config: { model, gate: createGate({ tools: [echo, ask], scope }) } };
}

test('whoever gives the signal of a call, or reads the events, cannot change what runs or what is told of it', async () => {
  const { seen, config } = setUp();
  const shown: (readonly string[])[] = [];
  const look = (value: unknown): void => void shown.push(live(value));
  const agent = createAgent(config);
  const ids: string[] = [];
  const options = { context: undefined, callSignal: (call: unknown) => look(call) as undefined };
  for await (const event of agent.stream('go', options)) {
    if (event.kind === 'tool-start') {
      look(event.call);
      ids.push(event.call.id);
    }
    if (event.kind === 'tool-end') look(event.outcome);
    if (event.kind === 'approval-request') look(event.approval);
    // It counts against the limits of the run.
    if (event.kind === 'turn-end') look(event.usage);
  }
  expect(ids).toHaveLength(4);
  expect(shown).toHaveLength(13);
  expect(shown.flat()).toEqual([]);
  expect(seen).toEqual([{ x: 1 }, { x: 2 }]);
});

test('a model cannot change the history that it is shown', async () => {
  const shown: (readonly string[])[] = [];
  const { config } = setUp(({ items }) => shown.push(live(items)));
  const agent = createAgent(config);
  const { state, pending } = await agent.run('go');
  if (state === undefined) throw new Error('nobody was asked');
  const edit = { approvalId: pending[0]?.id ?? '', decision: 'edit', arguments: {} } as const;
  expect((await agent.resume(state, [edit])).stopReason).toBe('answer');
  expect(shown).toEqual([[], []]);
});

test('neither who wrote the choice of an agent nor its model lets it call more later', async () => {
  const shown: (readonly string[])[] = [];
  const { seen, config } = setUp(({ toolChoice, sampling }) => shown.push(live({ toolChoice, sampling })));
  const allowed = ['ask'];
  const call = { toolChoice: { mode: 'auto', allowed }, sampling: { temperature: 1 } } as const;
  const agent = createAgent({ ...config, call });
  allowed.push('echo');
  const { outcomes } = await agent.run('go');
  expect(outcomes.map(({ reason }) => reason)).toEqual(Array(3).fill('tool_unavailable'));
  expect(seen).toEqual([]);
  expect(shown).toEqual([['']]);
});

test('settings of a call that have no JSON form are refused when the agent is made', () => {
  const { config } = setUp();
  const call = { extensions: { big: 1n } } as never;
  expect(() => createAgent({ ...config, call })).toThrow('call has no JSON form');
});

test('of those who listen to a durable run, none changes what the others and the run get', async () => {
  const { seen, config } = setUp();
  const agent = createDurableAgent(config, { engine: createMemoryEngine });
  const listen = async (): Promise<readonly AgentEvent['kind'][]> => {
    const kinds: AgentEvent['kind'][] = [];
    for await (const event of agent.events('r')) {
      kinds.push(event.kind);
      if (event.kind === 'tool-start') expect(live(event)).toEqual([]);
      if (event.kind === 'tool-end') expect(live(event)).toEqual([]);
      if (event.kind === 'approval-request') await agent.cancel('r', 'enough');
    }
    return kinds;
  };
  const both = Promise.all([listen(), listen()]);
  await agent.start('r', 'go');
  const [first, second] = await both;
  await agent.close();
  expect(first).toContain('tool-end');
  expect(second).toEqual(first);
  expect(seen).toHaveLength(2);
});
