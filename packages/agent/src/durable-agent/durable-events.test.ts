import { createGate } from '@toolgate/core';
import { createScriptedModel } from '@toolgate/testing';
import { expect, test } from 'vitest';
import { collect, contextOf, firstEvent, paying, payingTurns } from '../../test-support/durable-fixtures.ts';
import { createMemoryEngine } from '../durable/memory-engine.ts';
import { createDurableAgent } from './create-durable-agent.ts';

test('a decision may be given as soon as the approval is told of', async () => {
  const { gate, paid } = paying();
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate },
    { engine: createMemoryEngine, contextOf },
  );
  const told: string[] = [];
  const events = agent.events('r');
  const listening = (async () => {
    for await (const event of events) {
      if (event.kind !== 'approval-request') continue;
      const decision = { approvalId: event.approval.id, decision: 'allow' } as const;
      told.push(await agent.decide('other', decision), await agent.decide('r', decision));
      told.push(await agent.decide('r', decision));
    }
  })();
  await agent.start('r', 'Pay 7.', { reference: 'ada' });
  await listening;
  expect(told).toEqual(['unknown', 'accepted', 'already']);
  expect(paid).toHaveLength(1);
  await agent.close();
});

test('events of a durable run end with its status, also for who listens too late', async () => {
  const gate = createGate({ tools: [] });
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: [{ text: 'hello' }] }), gate },
    { engine: createMemoryEngine },
  );
  const events = collect(agent.events('r'));
  await agent.start('r', 'go');
  const kinds = (await events).map(({ kind }) => kind);
  expect(kinds[0]).toBe('turn-start');
  expect(kinds.filter((kind) => kind === 'run-end')).toHaveLength(1);
  expect(kinds.at(-1)).toBe('run-end');
  const late = await collect(agent.events('r'));
  expect(late).toMatchObject([{ kind: 'run-end', status: { phase: 'done' } }]);
  await agent.close();
});

test('a cancelled run is over, and its events say so', async () => {
  const gate = createGate({ tools: [] });
  const model = createScriptedModel({ turns: [{ text: 'half', fault: { kind: 'silence' } }] });
  const agent = createDurableAgent({ model, gate }, { engine: createMemoryEngine });
  const events = collect(agent.events('r'));
  const speaking = firstEvent(agent.events('r'), 'text-delta');
  await agent.start('r', 'go');
  await speaking;
  await agent.cancel('r', 'no longer wanted');
  expect((await events).at(-1)).toMatchObject({ kind: 'run-end', status: { phase: 'cancelled' } });
  await agent.close();
});

test('closing the agent lets everybody go who waits, and the run stays where it is', async () => {
  const { gate } = paying();
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate },
    { engine: createMemoryEngine, contextOf },
  );
  const waiting = agent.finished('r');
  const listening = collect(agent.events('r'));
  const asked = firstEvent(agent.events('r'), 'approval-request');
  await agent.start('r', 'Pay 7.', { reference: 'ada' });
  await asked;
  await agent.close();
  const closed = { code: 'agent/closed' };
  await expect(waiting).rejects.toMatchObject(closed);
  await expect(listening).rejects.toMatchObject(closed);
  await expect(agent.start('s', 'Pay 8.')).rejects.toMatchObject(closed);
  await expect(agent.decide('r', { approvalId: 'a', decision: 'allow' })).rejects.toMatchObject(closed);
  await expect(agent.status('r')).rejects.toMatchObject(closed);
  await agent.close();
});

test('the reason of a cancellation is kept in whole characters', async () => {
  const gate = createGate({ tools: [] });
  const model = createScriptedModel({ turns: [{ fault: { kind: 'silence' } }] });
  const agent = createDurableAgent({ model, gate }, { engine: createMemoryEngine });
  const speaking = firstEvent(agent.events('r'), 'turn-start');
  await agent.start('r', 'go');
  await speaking;
  await agent.cancel('r', `${'x'.repeat(199)}😀`);
  expect((await agent.finished('r')).error?.message).toBe(`${'x'.repeat(199)}\ufffd`);
  await agent.close();
});
