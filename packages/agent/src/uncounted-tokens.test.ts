import { createGate, defineTool } from '@toolgate/core';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { expect, test } from 'vitest';
import type { AgentConfig } from './agent-config.ts';
import type { AgentEvent } from './agent-event.ts';
import { createAgent } from './create-agent.ts';

const add = defineTool({ name: 'add', description: 'Adds.', input: { type: 'object' }, execute: () => 3 });
const calls: ScriptedTurn = { calls: [{ name: 'add' }] };
const counted = { inputTotal: 9, outputTotal: 1 };
const uncounted = { inputTotal: null, outputTotal: null };

/** The codes of the warnings of a run, which its events carry too. */
async function warningsOf(turns: readonly ScriptedTurn[], limits: AgentConfig['limits']) {
  const model = createScriptedModel({ turns });
  const agent = createAgent({
    model,
    gate: createGate({ tools: [add] }),
    ...(limits === undefined ? {} : { limits }),
  });
  const events: AgentEvent[] = [];
  for await (const event of agent.stream('go')) events.push(event);
  const end = events.at(-1);
  const kept = end?.kind === 'run-end' ? end.result.warnings.map(({ code }) => code) : [];
  expect(events.flatMap((event) => (event.kind === 'warning' ? [event.code] : []))).toEqual(kept);
  return kept;
}

test.each<[string, readonly ScriptedTurn[]]>([
  ['nothing is counted', [calls, { text: 'Done.' }]],
  [
    'the counts are empty',
    [
      { ...calls, usage: uncounted },
      { text: 'Done.', usage: uncounted },
    ],
  ],
])('somebody who wrote a limit of tokens is told when %s', async (_, turns) => {
  expect(await warningsOf(turns, { maxTokens: 1_000 })).toEqual(['tokens-uncounted']);
});

test.each<[string, readonly ScriptedTurn[], AgentConfig['limits']]>([
  ['who wrote none', [calls, { text: 'Done.' }], undefined],
  ["who wrote 'none'", [calls, { text: 'Done.' }], { maxTokens: 'none' }],
  ['whose answers are counted', [{ text: 'Done.', usage: counted }], { maxTokens: 1_000 }],
  ['whose model failed', [{ fault: { kind: 'error' } }], { maxTokens: 1_000 }],
])('nobody is told %s', async (_, turns, limits) => {
  expect(await warningsOf(turns, limits)).toEqual([]);
});
