import { createGate, createScope, defineTool, Failure } from '@toolgate/core';
import { createScriptedModel, type ScriptedCall } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';
import { createMemoryEngine } from './durable/memory-engine.ts';
import { createDurableAgent } from './durable-agent/create-durable-agent.ts';
import type { RunDecision } from './state/run-decision.ts';

/** An agent that may pay once; `how` says what becomes of the call. */
function setUp(calls: readonly (readonly ScriptedCall[])[], handler: () => string = () => 'paid') {
  const paid: number[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'write' },
    input: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] } as const,
    execute: ({ cents }) => {
      paid.push(cents);
      return handler();
    },
  });
  const approve = ({ arguments: { cents } }: { readonly arguments: { readonly cents?: unknown } }) =>
    cents === 1 ? ('decline' as const) : cents === 2 ? ('defer' as const) : ('allow' as const);
  const gate = createGate({ tools: [pay], scope: createScope({ approve, approvalThreshold: 'write' }) });
  const turns = [...calls.map((each) => ({ calls: each })), { text: 'Done.' }];
  const config = { model: createScriptedModel({ turns }), gate, limits: { maxCallsPerTool: { pay: 1 } } };
  return { paid, config, agent: createAgent(config) };
}

const pay = (cents: unknown): ScriptedCall => ({ name: 'pay', arguments: JSON.stringify({ cents }) });

describe('of the calls that one tool may have, none is used up by a call that did not reach it', () => {
  test.each<[string, ScriptedCall, string]>([
    ['invalid', pay('ten'), 'arguments_rejected'],
    ['no JSON', { name: 'pay', arguments: '{"cents":' }, 'arguments_malformed'],
    ['declined', pay(1), 'approval_declined'],
  ])('as it was %s', async (_, first, reason) => {
    const { paid, config, agent } = setUp([[first], [pay(10)], [pay(11)]]);
    const result = await agent.run('go');
    expect(result.outcomes.map((outcome) => outcome.reason)).toEqual([reason, 'completed', 'call_limit']);
    expect(paid).toEqual([10]);

    const model = createScriptedModel({
      turns: [{ calls: [first] }, { calls: [pay(10)] }, { calls: [pay(11)] }, { text: 'Done.' }],
    });
    const durable = createDurableAgent({ ...config, model }, { engine: createMemoryEngine });
    await durable.start('r', 'go');
    const { result: same } = await durable.finished('r');
    await durable.close();
    expect(same?.outcomes.map((outcome) => outcome.reason)).toEqual([reason, 'completed', 'call_limit']);
  });

  test.each<[string, RunDecision['decision'], string, string, readonly number[]]>([
    ['declined', 'decline', 'approval_declined', 'completed', [10]],
    ['allowed', 'allow', 'completed', 'call_limit', [2]],
  ])('as somebody who was asked later %s it', async (_, decision, first, second, sums) => {
    const { paid, agent } = setUp([[pay(2)], [pay(10)]]);
    const waiting = await agent.run('go');
    const decisions = waiting.pending.map(({ id }) => ({ approvalId: id, decision }) as RunDecision);
    if (waiting.state === undefined) throw new Error('nobody was asked');
    const result = await agent.resume(JSON.parse(JSON.stringify(waiting.state)), decisions);
    expect(result.outcomes.map(({ reason }) => reason)).toEqual([first, second]);
    expect(paid).toEqual(sums);
  });
});

test.each<[string, () => string, string]>([
  [
    'failed',
    () => {
      throw new Error('no');
    },
    'handler_error',
  ],
  [
    'refused',
    () => {
      throw new Failure({ kind: 'rejected', output: 'no' });
    },
    'tool_rejected',
  ],
])('a call that %s in its tool has used one up', async (_, handler, reason) => {
  const { paid, agent } = setUp([[pay(10)], [pay(11)]], handler);
  const result = await agent.run('go');
  expect(result.outcomes.map((outcome) => outcome.reason)).toEqual([reason, 'call_limit']);
  expect(paid).toEqual([10]);
});

test('calls of one turn take their places before anybody knows what becomes of them', async () => {
  const { paid, agent } = setUp([[pay('ten'), pay(10), pay(11)], [pay(12)], [pay(13)]]);
  const result = await agent.run('go');
  expect(result.outcomes.map(({ reason }) => reason)).toEqual([
    'arguments_rejected',
    'call_limit',
    'call_limit',
    'completed',
    'call_limit',
  ]);
  expect(paid).toEqual([12]);
  // Only the last one is told that the tool was called as often as it may be: before, it had not been called at all.
  const told = result.outcomes.map(({ parts: [part] }) => (part?.kind === 'text' ? part.text : ''));
  const never = 'The call was not started: the tool was called as often as it may be in this run.';
  expect(told.map((text) => text === never)).toEqual([false, false, false, false, true]);
  expect(told[1]).toContain('If one of them did not run, call it again.');
  expect(told[2]).toBe(told[1]);
});
