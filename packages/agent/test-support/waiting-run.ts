import { createGate, createScope, defineTool, type Gate } from '@toolgate/core';
import { type createFakeClock, createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { expect } from 'vitest';
import { createAgent } from '../src/create-agent.ts';
import type { RunDecision } from '../src/state/run-decision.ts';

/** Signs the states of all agents of these tests. */
export const stateKey = 'k'.repeat(32);
/** A yes. */
export const allow = (approvalId: string): RunDecision => ({ approvalId, decision: 'allow' });
/** A no. */
export const decline = (approvalId: string, reason?: string): RunDecision => ({
  approvalId,
  decision: 'decline',
  ...(reason === undefined ? {} : { reason }),
});

/** Payments that need a yes, and a look that needs none. Everything that ran is in `ran`. */
export function paying(
  options: { readonly description?: string; readonly clock?: ReturnType<typeof createFakeClock> } = {},
) {
  const ran: string[] = [];
  const input = {
    type: 'object',
    properties: { amount: { type: 'integer', minimum: 1 } },
    required: ['amount'],
  } as const;
  const pay = defineTool({
    name: 'pay',
    description: options.description ?? 'Pays.',
    profile: { class: 'external' },
    input,
    execute: ({ amount }) => {
      ran.push(`pay ${amount}`);
      return `paid ${amount}`;
    },
  });
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    profile: { class: 'read' },
    input: { type: 'object' } as const,
    execute: () => {
      ran.push('look');
      return 'seen';
    },
  });
  const scope = createScope({
    approve: () => 'defer',
    approvalThreshold: 'external',
    approvalLifetimeMs: 60_000,
  });
  const { clock } = options;
  return { ran, gate: createGate({ tools: [pay, look], scope, ...(clock === undefined ? {} : { clock }) }) };
}

/** A turn that pays. */
export const pays = (...amounts: readonly number[]): ScriptedTurn => ({
  calls: amounts.map((amount) => ({ name: 'pay', arguments: { amount } })),
});

/** An agent that can open the states of the others. */
export function agentOn(
  gate: Gate,
  turns: readonly ScriptedTurn[],
  clock?: ReturnType<typeof createFakeClock>,
) {
  const model = createScriptedModel({ turns });
  const agent = createAgent({ model, gate, stateKey, ...(clock === undefined ? {} : { clock }) });
  return { model, agent };
}

/** A run that waits, as it comes back from a store. */
export async function suspended(gate: Gate, turn: ScriptedTurn, clock?: ReturnType<typeof createFakeClock>) {
  const result = await agentOn(gate, [turn], clock).agent.run('go');
  expect(result.stopReason).toBe('suspended');
  return { result, state: JSON.parse(JSON.stringify(result.state)), ids: result.pending.map(({ id }) => id) };
}
