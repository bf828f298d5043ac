import { type Item, type Model, responseToEvents } from '@toolgate/model';
import { createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { counting } from '../test-support/counting-run.ts';
import { createAgent } from './create-agent.ts';
import type { RunResult } from './run-result.ts';

const adds: ScriptedTurn = { calls: [{ name: 'add', arguments: { a: 1, b: 2 } }] };

function runOn(...turns: readonly ScriptedTurn[]): Promise<RunResult> {
  return createAgent({ model: createScriptedModel({ turns }), gate: counting().gate }).run('go');
}

/** A model whose only answer has these items. */
function saying(...items: readonly Item[]): Model {
  return {
    id: 'm',
    capabilities: new Set(['tools', 'streaming']),
    async *stream() {
      yield* responseToEvents({ id: null, model: null, usage: null, finish: 'stop', items });
    },
  };
}

describe('an answer in which nothing is said', () => {
  test.each<[string, ScriptedTurn]>([
    ['nothing at all', {}],
    ['blanks', { text: ' \n\t' }],
    ['thoughts alone', { reasoning: 'The tool has done it.' }],
    ['an end that speaks of calls, without any', { finish: 'tool-calls' }],
    ['an end without a reason', { finish: 'unknown' }],
  ])('is none, and what was done before stays: %s', async (_, last) => {
    const result = await runOn(adds, last);
    expect(result).toMatchObject({ stopReason: 'no_answer', turns: 2, outcomes: [{ kind: 'completed' }] });
    const next = createScriptedModel({ turns: [{ text: 'It is 3.' }] });
    const again = await createAgent({ model: next, gate: counting().gate }).run(result.items);
    expect(again).toMatchObject({ stopReason: 'answer', text: 'It is 3.' });
  });

  test('keeps the reason of its end where that has one of its own', async () => {
    const ends = ['length', 'content-filter', 'refusal'] as const;
    const results = await Promise.all(ends.map((finish) => runOn({ finish })));
    expect(results.map(({ stopReason }) => stopReason)).toEqual(['length', 'content_filter', 'refusal']);
  });

  test('is not one that holds what only its provider understands', async () => {
    const value = { type: 'picture' };
    const model = saying({ kind: 'foreign', role: 'assistant', protocol: 'openai-responses', value });
    const result = await createAgent({ model, gate: counting().gate }).run('Draw a cat.');
    expect(result).toMatchObject({ stopReason: 'answer', text: '' });
  });

  test('ends a closing turn as the limit that it closes', async () => {
    const model = createScriptedModel({ turns: [adds, {}] });
    const agent = createAgent({ model, gate: counting().gate, closingTurn: true, limits: { maxTurns: 1 } });
    expect(await agent.run('go')).toMatchObject({ stopReason: 'turn_limit', turns: 2 });
  });

  test('takes nothing away that was said beside calls before it, and makes no answer of that', async () => {
    const result = await runOn({ ...adds, text: 'I found three windows.' }, {});
    expect(result).toMatchObject({ stopReason: 'no_answer', text: '' });
    expect(result.items[1]).toMatchObject({
      role: 'assistant',
      parts: [{ kind: 'text', text: 'I found three windows.' }],
    });
  });
});
