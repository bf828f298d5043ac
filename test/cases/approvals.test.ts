import { createAgent, type RunDecision } from '@toolgate/agent';
import {
  type Approver,
  createGate,
  createScope,
  defineTool,
  type JsonObject,
  type Tool,
  withStandingGrants,
} from '@toolgate/core';
import { createFakeClock, createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const stateKey = 's'.repeat(32);
const deferring: Approver = () => 'defer';

/** A tool that takes anything, and what it was given. */
function recording(name: string) {
  const given: JsonObject[] = [];
  const tool = defineTool({
    name,
    description: '',
    input: { type: 'object' } as const,
    profile: { class: 'external' },
    execute: (args) => {
      given.push(args as JsonObject);
      return 'ok';
    },
  });
  return { tool, given };
}

function agentOf(tool: Tool, turns: readonly ScriptedTurn[]) {
  const gate = createGate({ tools: [tool], scope: createScope({ approve: deferring }) });
  return createAgent({ model: createScriptedModel({ turns }), gate, stateKey });
}

const asks: ScriptedTurn = { calls: [{ name: 'answer', arguments: { value: 'proposed' } }] };

describe('an answer of a person', () => {
  test('may be false, zero, nothing or empty: it is what the tool gets', async () => {
    const values = fc.constantFrom(false, 0, -0, '', null, [], {});
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const { tool, given } = recording('answer');
        const { state, pending } = await agentOf(tool, [asks]).run('Ask.');
        if (state === undefined) throw new Error('a suspended run has a state');
        const decision: RunDecision = {
          approvalId: pending[0]?.id ?? '',
          decision: 'edit',
          arguments: { value },
        };
        const result = await agentOf(tool, [{ text: 'Done.' }]).resume(state, [decision]);
        expect(result.outcomes[0]).toMatchObject({ reason: 'completed', edited: true });
        expect(given).toEqual([{ value: value === 0 ? 0 : value }]);
      }),
    );
  });

  test('is for the run that asked: given to another one, nothing runs in either', async () => {
    const { tool, given } = recording('answer');
    const outer = await agentOf(tool, [asks]).run('Outer.');
    const inner = await agentOf(tool, [asks]).run('Inner.');
    const [asked] = inner.pending;
    if (outer.state === undefined || asked === undefined) throw new Error('both runs are suspended');
    await expect(
      agentOf(tool, []).resume(outer.state, [{ approvalId: asked.id, decision: 'allow' }]),
    ).rejects.toMatchObject({ code: 'agent/decision-invalid' });
    expect(given).toEqual([]);
  });
});

test('an approved call whose executor never answers ends at its time limit, and the run goes on', async () => {
  const clock = createFakeClock();
  const never = defineTool({
    name: 'in_the_browser',
    description: '',
    input: { type: 'object' } as const,
    profile: { class: 'external', timeoutMs: 1_000 },
    execute: () => new Promise<never>(() => undefined),
  });
  const gate = createGate({
    tools: [never],
    scope: createScope({ approve: deferring }),
    clock,
    graceMs: 100,
  });
  const agent = (turns: readonly ScriptedTurn[]) =>
    createAgent({ model: createScriptedModel({ turns }), gate, stateKey, clock });
  const { state, pending } = await agent([{ calls: [{ name: 'in_the_browser' }] }]).run('go');
  if (state === undefined) throw new Error('a suspended run has a state');
  const resumed = agent([{ text: 'No answer came.' }]).resume(state, [
    { approvalId: pending[0]?.id ?? '', decision: 'allow' },
  ]);
  let ended = false;
  void resumed.finally(() => {
    ended = true;
  });
  while (!ended) await clock.advance(200);
  const result = await resumed;
  expect(result.outcomes[0]).toMatchObject({ kind: 'unknown', reason: 'deadline_exceeded' });
  expect(result).toMatchObject({ stopReason: 'answer', text: 'No answer came.' });
});

describe('a yes in advance', () => {
  const grants = [
    { tool: 'write_file', otherArguments: 'any', principal: 'build', expiresAt: 'none' },
  ] as const;
  const approve = withStandingGrants(grants, () => 'decline' as const);
  const call = { id: 'c', name: 'write_file', arguments: '{}' };

  test.each([
    ['who it was given to', 'build', createScope({ approve }), 'completed'],
    ['somebody else', 'plan', createScope({ approve }), 'approval_declined'],
    ['who may not use the tool', 'build', createScope({ approve, deny: ['write_file'] }), 'tool_unavailable'],
  ])('and %s: %s', async (_, principal, scope, reason) => {
    const { tool, given } = recording('write_file');
    const session = await createGate({ tools: [tool], scope }).open({ context: undefined, principal });
    expect((await session.execute(call)).reason).toBe(reason);
    expect(given).toHaveLength(reason === 'completed' ? 1 : 0);
    await session.close();
  });

  test('does not stand in for a second approver', async () => {
    const { tool, given } = recording('write_file');
    const gate = createGate({ tools: [tool], scope: createScope({ approve }) });
    const session = await gate.open({
      context: undefined,
      principal: 'build',
      narrow: { approve: () => 'decline' },
    });
    expect((await session.execute(call)).reason).toBe('approval_declined');
    expect(given).toEqual([]);
    await session.close();
  });
});
