import { createGate, createScope, defineTool } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';

test('approved calls reach the gate in call order, also when an earlier claim takes longer than a later one', async () => {
  const ran: number[] = [];
  const write = defineTool({
    name: 'write',
    description: 'Writes.',
    profile: { class: 'write' },
    input: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const,
    execute: ({ n }) => {
      ran.push(n);
    },
  });
  const gate = createGate({
    tools: [write],
    scope: createScope({ approve: () => 'defer', approvalThreshold: 'write' }),
  });
  const releases: (() => void)[] = [];
  const agent = createAgent({
    model: createScriptedModel({
      turns: [{ calls: [1, 2, 3].map((n) => ({ name: 'write', arguments: { n } })) }, { text: 'Done.' }],
    }),
    gate,
    claimDecision: () =>
      new Promise<boolean>((resolve) => {
        releases.push(() => resolve(true));
      }),
  });
  const first = await agent.run('go');
  const { state } = first;
  if (state === undefined) throw new Error('the run did not wait');
  const resumed = agent.resume(
    state,
    first.pending.map(({ id }) => ({ approvalId: id, decision: 'allow' as const })),
  );
  // The last claim that is open is let go first.
  for (let round = 0; round < 200; round++) {
    await Promise.resolve();
    releases.pop()?.();
  }
  expect((await resumed).stopReason).toBe('answer');
  expect(ran).toEqual([1, 2, 3]);
});
