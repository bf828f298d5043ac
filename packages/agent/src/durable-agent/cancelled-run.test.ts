import { createGate, defineTool, type JsonValue } from '@toolgate/core';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { contextOf, firstApproval, paying, payingTurns } from '../../test-support/durable-fixtures.ts';
import { createMemoryEngine } from '../durable/memory-engine.ts';
import { createDurableAgent } from './create-durable-agent.ts';

/** A tool that says when it began, and ends as it is told: when it is, or never. */
function holding() {
  let begun = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const hold = defineTool({
    name: 'hold',
    description: 'Holds.',
    profile: { class: 'write' },
    input: { type: 'object', properties: { deaf: { type: 'boolean' } } } as const,
    execute: ({ deaf }, { signal }) => {
      begun();
      return new Promise<string>((resolve) => {
        if (deaf !== true) signal.addEventListener('abort', () => resolve('sent as tx 5'));
      });
    },
  });
  const note = defineTool({
    name: 'note',
    description: 'Notes.',
    profile: { class: 'write' },
    input: { type: 'object' } as const,
    execute: () => 'noted',
  });
  return { running, gate: createGate({ tools: [hold, note], graceMs: 50 }) };
}

const noting: ScriptedTurn = { text: 'First this.', calls: [{ name: 'note' }] };

describe('a durable run that was cancelled', () => {
  test('while it waited says what it did before, and that what waited did not start', async () => {
    const { gate, paid } = paying();
    const model = createScriptedModel({ turns: payingTurns });
    const agent = createDurableAgent({ model, gate }, { engine: createMemoryEngine, contextOf });
    await agent.start('r', 'Pay 7.', { reference: 'ada' });
    const { id } = await firstApproval(agent);
    await agent.cancel('r', 'no longer wanted');
    const status = await agent.finished('r');
    expect(status).toMatchObject({
      phase: 'cancelled',
      error: { message: 'no longer wanted' },
      result: { stopReason: 'cancelled', text: 'One moment.', turns: 1, pending: [] },
    });
    expect(status.result?.outcomes.map(({ name, reason }) => [name, reason])).toEqual([
      ['look', 'completed'],
      ['pay', 'not_started'],
    ]);
    expect(status.result?.items.map(({ kind }) => kind)).toEqual([
      'message',
      'message',
      'tool-call',
      'tool-call',
      'tool-result',
      'tool-result',
    ]);
    expect(await agent.decide('r', { approvalId: id, decision: 'allow' })).toBe('unknown');
    expect(paid).toEqual([]);
    await agent.close();
  });

  test.each([
    ['heard of it', { deaf: false }, 'completed', 'sent as tx 5'],
    ['did not', { deaf: true }, 'cancelled_after_dispatch', 'Its effects are unknown'],
  ])(
    'while a tool ran that %s claims nothing until that is known, and says it then',
    async (_, args, reason, text) => {
      const { gate, running } = holding();
      const model = createScriptedModel({ turns: [noting, { calls: [{ name: 'hold', arguments: args }] }] });
      const agent = createDurableAgent({ model, gate }, { engine: createMemoryEngine });
      await agent.start('r', 'go');
      await running;
      await agent.cancel('r', 'stop');
      const reasons = async (): Promise<readonly unknown[]> =>
        (await agent.status('r'))?.result?.outcomes.map((outcome) => outcome.reason) ?? [];
      expect(await reasons()).toEqual(['completed', 'interrupted']);
      await expect.poll(reasons).toEqual(['completed', reason]);
      const { result } = await agent.finished('r');
      expect(JSON.stringify(result?.items.at(-1))).toContain(text);
      await agent.close();
    },
  );

  test('while the model spoke has what was done by then, and no answer', async () => {
    const { gate } = holding();
    const model = createScriptedModel({ turns: [noting, { fault: { kind: 'silence' } }] });
    const agent = createDurableAgent({ model, gate }, { engine: createMemoryEngine });
    await agent.start('r', 'go');
    await expect.poll(() => model.requests.length).toBe(2);
    await agent.cancel('r', 'stop');
    expect(await agent.finished('r')).toMatchObject({
      result: { stopReason: 'cancelled', turns: 1, outcomes: [{ name: 'note', reason: 'completed' }] },
    });
    await agent.close();
  });

  test('before anything happened has only what it was asked', async () => {
    const { gate } = holding();
    const agent = createDurableAgent(
      { model: createScriptedModel({ turns: [] }), gate },
      { engine: createMemoryEngine },
    );
    await agent.start('r', 'go');
    await agent.cancel('r', 'stop');
    expect(await agent.finished('r')).toMatchObject({
      phase: 'cancelled',
      result: { turns: 0, outcomes: [], items: [{ kind: 'message', role: 'user' }] },
    });
    await agent.close();
  });
});

test.each<[string, Parameters<ReturnType<typeof createDurableAgent>['start']>]>([
  ['a principal that is no text', ['r', 'go', { principal: 5 as unknown as string }]],
  ['an empty principal', ['r', 'go', { principal: '' }]],
  ['a reference that is no JSON', ['r', 'go', { reference: 5n as unknown as JsonValue }]],
  ['a reference that is a function', ['r', 'go', { reference: (() => 1) as unknown as JsonValue }]],
  ['no options at all', ['r', 'go', null as never]],
])('a run is not started with %s', async (_, given) => {
  const gate = createGate({ tools: [] });
  const model = createScriptedModel({ turns: [{ text: 'Hello.' }] });
  const agent = createDurableAgent({ model, gate }, { engine: createMemoryEngine });
  await expect(agent.start(...given)).rejects.toMatchObject({
    code: expect.stringMatching(/^agent\/(?:input|options)-invalid$/),
  });
  expect(await agent.status('r')).toBeNull();
  await expect(agent.cancel('r', undefined as unknown as string)).rejects.toMatchObject({
    code: 'agent/input-invalid',
  });
  await agent.close();
});
