import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGate, createScope, defineTool } from '@toolgate/core';
import { createFakeClock, createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { expect, test } from 'vitest';
import {
  advanceUntil,
  type Caller,
  contextOf,
  firstApproval,
  paying,
  payingTurns,
  simpleTool,
} from '../../test-support/durable-fixtures.ts';
import { createAgent } from '../create-agent.ts';
import { createJournalHost } from '../durable/journal-host.ts';
import { createMemoryEngine } from '../durable/memory-engine.ts';
import { createMemoryStore } from '../durable/memory-store.ts';
import { createSqliteEngine } from '../durable/sqlite/sqlite-engine.ts';
import { createDurableAgent } from './create-durable-agent.ts';
import type { CreateEngine } from './durable-config.ts';

test('a durable run waits for a decision, goes on with it, and says how it ended', async () => {
  const { gate, paid } = paying();
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate },
    { engine: createMemoryEngine, contextOf },
  );
  expect(await agent.start('r1', 'Pay 7.', { principal: 'ada', reference: 'ada' })).toBe('started');
  expect(await agent.start('r1', 'Pay 8.')).toBe('exists');
  const approval = await firstApproval(agent);
  expect(approval).toMatchObject({ tool: 'pay', arguments: { amount: 7 }, principal: 'ada' });
  expect(await agent.status('r1')).toMatchObject({ phase: 'waiting' });
  expect(paid).toEqual([]);

  const decision = { approvalId: approval.id, decision: 'allow' } as const;
  expect(await agent.decide('r1', { ...decision, approvalId: 'other' })).toBe('unknown');
  expect(await agent.decide('r1', decision)).toBe('accepted');
  expect(await agent.decide('r1', { approvalId: approval.id, decision: 'decline' })).toBe('already');
  const { phase, result } = await agent.finished('r1');
  expect({ phase, stopReason: result?.stopReason, text: result?.text }).toEqual({
    phase: 'done',
    stopReason: 'answer',
    text: 'Done.',
  });
  expect(result?.outcomes.map(({ name, reason }) => [name, reason])).toEqual([
    ['look', 'completed'],
    ['pay', 'completed'],
  ]);
  expect(paid).toMatchObject([{ amount: 7, user: 'ada' }]);
  expect(await agent.pending()).toEqual([]);
  await agent.close();
});

test('a durable run and a direct one have the same history, byte for byte', async () => {
  const script = { turns: [{ text: 'A moment.', calls: [{ name: 'look' }] }, { text: 'Done.' }] };
  const { gate } = paying();
  const agent = createDurableAgent(
    { model: createScriptedModel(script), gate },
    { engine: createMemoryEngine, contextOf },
  );
  await agent.start('r', 'Look.', { reference: 'ada' });
  const { result } = await agent.finished('r');
  await agent.close();
  const direct = await createAgent({ model: createScriptedModel(script), gate }).run('Look.', {
    context: { user: 'ada' },
  });
  expect(JSON.stringify(result?.items)).toBe(JSON.stringify(direct.items));
  expect(JSON.stringify(result?.outcomes)).toBe(JSON.stringify(direct.outcomes));
});

test('another worker goes on with a run that waits, without asking the model or running a settled call again', async () => {
  const store = createMemoryStore();
  const shared = { ...store, close: () => undefined };
  const first = paying();
  const one = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate: first.gate },
    { engine: (parts) => createJournalHost(shared, parts), contextOf },
  );
  await one.start('r', 'Pay 7.', { reference: 'ada' });
  const approval = await firstApproval(one);
  await one.close();

  const second = paying();
  const model = createScriptedModel({ turns: payingTurns.slice(1) });
  const two = createDurableAgent(
    { model, gate: second.gate },
    { engine: (parts) => createJournalHost(shared, parts), contextOf },
  );
  expect(await two.decide('r', { approvalId: approval.id, decision: 'edit', arguments: { amount: 5 } })).toBe(
    'accepted',
  );
  const { result } = await two.finished('r');
  expect(result).toMatchObject({ stopReason: 'answer', text: 'Done.' });
  expect(first.paid).toEqual([]);
  expect(second.paid).toMatchObject([{ amount: 5, user: 'ada' }]);
  expect(model.requests).toHaveLength(1);
  expect(result?.outcomes[1]).toMatchObject({ name: 'pay', edited: true });
  await two.close();
});

test('all approvals of a turn are visible at once, and the run goes on when the last one is decided', async () => {
  const { gate, paid } = paying();
  const script: ScriptedTurn[] = [
    { calls: [1, 2, 3].map((amount) => ({ name: 'pay', arguments: { amount } })) },
    { text: 'Done.' },
  ];
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: script }), gate },
    { engine: createMemoryEngine, contextOf },
  );
  await agent.start('r', 'Pay.', { reference: 'ada' });
  await firstApproval(agent);
  const pending = await agent.pending();
  expect(pending.map(({ approval }) => approval.arguments)).toEqual([
    { amount: 1 },
    { amount: 2 },
    { amount: 3 },
  ]);
  const [a, b, c] = pending.map(({ approval }) => approval.id);
  await agent.decide('r', { approvalId: c ?? '', decision: 'allow' });
  await agent.decide('r', { approvalId: a ?? '', decision: 'decline', reason: 'not today' });
  expect(paid).toEqual([]);
  await agent.decide('r', { approvalId: b ?? '', decision: 'allow' });
  const { result } = await agent.finished('r');
  expect(result?.outcomes.map(({ reason }) => reason)).toEqual([
    'approval_declined',
    'completed',
    'completed',
  ]);
  expect(paid.map(({ amount }) => amount)).toEqual([2, 3]);
  await agent.close();
});

test('an approval that nobody gave in time is over, and is not a refusal by a person', async () => {
  const clock = createFakeClock({ now: 1_000 });
  const gate = createGate<Caller>({
    tools: [simpleTool('look', 'read'), simpleTool('pay', 'external')],
    scope: createScope<Caller>({
      approve: () => 'defer',
      approvalThreshold: 'external',
      approvalLifetimeMs: 60_000,
    }),
    clock,
  });
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate, clock },
    { engine: createMemoryEngine, contextOf },
  );
  await agent.start('r', 'Pay 7.', { reference: 'ada' });
  await advanceUntil(clock, async () => (await agent.pending()).length > 0);
  const [{ approval } = { approval: { id: '' } }] = await agent.pending();
  await clock.advance(59_000);
  expect(await agent.status('r')).toMatchObject({ phase: 'waiting' });
  const finished = agent.finished('r');
  await clock.advance(2_000);
  expect((await finished).result?.outcomes[1]).toMatchObject({
    kind: 'rejected',
    reason: 'approval_expired',
  });
  expect(await agent.decide('r', { approvalId: approval.id, decision: 'allow' })).toBe('already');
  await agent.close();
});

test('time that a run waits for a decision is not time that it works', async () => {
  const clock = createFakeClock();
  const gate = createGate<Caller>({
    tools: [simpleTool('look', 'read'), simpleTool('pay', 'external')],
    scope: createScope<Caller>({
      approve: () => 'defer',
      approvalThreshold: 'external',
      approvalLifetimeMs: 'none',
    }),
    clock,
  });
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate, clock, limits: { maxDurationMs: 1_000 } },
    { engine: createMemoryEngine, contextOf },
  );
  await agent.start('r', 'Pay 7.', { reference: 'ada' });
  await advanceUntil(clock, async () => (await agent.pending()).length > 0);
  await clock.advance(600_000);
  const [{ approval } = { approval: { id: '' } }] = await agent.pending();
  await agent.decide('r', { approvalId: approval.id, decision: 'allow' });
  const finished = agent.finished('r');
  await advanceUntil(clock, async () => (await agent.status('r'))?.phase === 'done');
  expect((await finished).result).toMatchObject({ stopReason: 'answer' });
  await agent.close();
}, 60_000);

test('an availability policy that cannot decide ends a durable run before the model is asked', async () => {
  const model = createScriptedModel({ turns: payingTurns });
  const tool = defineTool({
    name: 'gone',
    description: 'Gone.',
    input: { type: 'object' } as const,
    available: () => {
      throw new Error('db password is hunter2');
    },
    execute: () => 'x',
  });
  const agent = createDurableAgent(
    { model, gate: createGate({ tools: [tool] }) },
    { engine: createMemoryEngine },
  );
  await agent.start('r', 'go');
  const { result } = await agent.finished('r');
  expect(result).toMatchObject({
    stopReason: 'permanent_error',
    error: { code: 'gate/availability' },
    turns: 0,
  });
  expect(JSON.stringify(result)).not.toContain('hunter2');
  expect(model.requests).toEqual([]);
  await agent.close();
});

test('a context that cannot be found ends the run, and its error stays inside', async () => {
  const { gate } = paying();
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate },
    {
      engine: createMemoryEngine,
      contextOf: () => {
        throw new Error('secret dsn');
      },
    },
  );
  await agent.start('r', 'go');
  const status = await agent.finished('r');
  expect(status.result).toMatchObject({
    stopReason: 'permanent_error',
    error: { code: 'agent/context-failed' },
  });
  expect(JSON.stringify(status)).not.toContain('secret');
  await agent.close();
});

test('a text that only a tolerant journal can hold comes back as it was said', async () => {
  const text = 'end \uffff, \ud83d half';
  const gate = createGate({ tools: [] });
  const agent = createDurableAgent(
    { model: createScriptedModel({ turns: [{ text }], pieceLength: 100 }), gate },
    { engine: createMemoryEngine },
  );
  await agent.start('r', 'go');
  expect((await agent.finished('r')).result?.text).toBe('end \uffff, \ufffd half');
  await agent.close();
});

test('a run in one SQLite file is found again by the next engine on it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-'));
  const engine: CreateEngine = (parts) =>
    createSqliteEngine({ ...parts, database: join(folder, 'runs.db'), pollMs: 10 });
  const first = paying();
  const one = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns }), gate: first.gate },
    { engine, contextOf },
  );
  await one.start('r', 'Pay 7.', { reference: 'ada' });
  const { id } = await firstApproval(one);
  await one.close();

  const second = paying();
  const two = createDurableAgent(
    { model: createScriptedModel({ turns: payingTurns.slice(1) }), gate: second.gate },
    { engine, contextOf },
  );
  expect(await two.decide('r', { approvalId: id, decision: 'allow' })).toBe('accepted');
  expect((await two.finished('r')).result).toMatchObject({ stopReason: 'answer', text: 'Done.' });
  expect([first.paid.length, second.paid.length]).toEqual([0, 1]);
  await two.close();
  rmSync(folder, { recursive: true });
});
