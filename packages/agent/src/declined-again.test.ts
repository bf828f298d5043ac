import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGate, createScope, defineTool, type JsonObject } from '@toolgate/core';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { expect, test, vi } from 'vitest';
import { allow, decline, stateKey } from '../test-support/waiting-run.ts';
import { createAgent } from './create-agent.ts';
import { createSqliteEngine } from './durable/sqlite/sqlite-engine.ts';
import { createDurableAgent } from './durable-agent/create-durable-agent.ts';

/** A gate that asks about each payment; the note has a default, so that one call can be written in two ways. */
function payments() {
  const asked: JsonObject[] = [];
  const ran: unknown[] = [];
  const properties = { amount: { type: 'integer' }, note: { type: 'string', default: 'none' } } as const;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'write' },
    input: { type: 'object', properties, required: ['amount'] } as const,
    execute: ({ amount }) => {
      ran.push(amount);
      return `paid ${amount}`;
    },
  });
  const approve = (request: { readonly arguments: JsonObject }): 'defer' => {
    asked.push(request.arguments);
    return 'defer';
  };
  return { asked, ran, gate: createGate({ tools: [pay], scope: createScope({ approve }) }) };
}

const paying = (args: JsonObject): ScriptedTurn => ({ calls: [{ name: 'pay', arguments: args }] });
/** One that is declined, one that is allowed, and the first one again in other words. */
const FIRST = [paying({ amount: 1 })];
const SECOND = [paying({ amount: 2 })];
const AGAIN = [paying({ amount: 1, note: 'none' }), { text: 'As you like.' }];

test('a declined call stays declined over every later resume, also in other words', async () => {
  const { asked, gate, ran } = payments();
  const agentOf = (turns: readonly ScriptedTurn[]) =>
    createAgent({ model: createScriptedModel({ turns }), gate, stateKey });
  const first = await agentOf(FIRST).run('go');
  if (first.state === undefined) throw new Error('It waits.');
  const second = await agentOf(SECOND).resume(first.state, [decline(first.pending[0]?.id ?? '')]);
  if (second.state === undefined) throw new Error('It waits again.');
  const state = JSON.parse(JSON.stringify(second.state));
  const last = await agentOf(AGAIN).resume(state, [allow(second.pending[0]?.id ?? '')]);
  expect(last).toMatchObject({ stopReason: 'answer', pending: [] });
  expect(last.outcomes.map(({ reason }) => reason)).toEqual([
    'approval_declined',
    'completed',
    'approval_declined',
  ]);
  expect([ran, asked.length]).toEqual([[2], 2]);
});

test('so it does where another process goes on with a durable run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-declined-'));
  try {
    const { asked, gate, ran } = payments();
    const open = (turns: readonly ScriptedTurn[]) =>
      createDurableAgent(
        { model: createScriptedModel({ turns }), gate },
        { engine: (parts) => createSqliteEngine({ ...parts, database: join(folder, 'runs.db'), pollMs: 5 }) },
      );
    const waiting = async (agent: ReturnType<typeof open>, amount: number): Promise<string> =>
      vi.waitFor(async () => {
        const found = (await agent.pending()).find(({ approval }) => approval.arguments['amount'] === amount);
        if (found === undefined) throw new Error('not yet');
        return found.approval.id;
      });
    const one = open([...FIRST, ...SECOND]);
    await one.start('r', 'go');
    await one.decide('r', decline(await waiting(one, 1)));
    const id = await waiting(one, 2);
    await one.close();
    const two = open(AGAIN);
    await two.decide('r', allow(id));
    const { result } = await two.finished('r');
    await two.close();
    expect(result).toMatchObject({ stopReason: 'answer' });
    expect([ran, asked.length]).toEqual([[2], 2]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
