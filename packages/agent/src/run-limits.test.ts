import { createGate, defineTool } from '@toolgate/core';
import type { ToolChoice } from '@toolgate/model';
import { createFakeClock, createScriptedModel, type ScriptedTurn } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import type { AgentConfig } from './agent-config.ts';
import { createAgent } from './create-agent.ts';

const any = { type: 'object' } as const;

function tools() {
  let count = 0;
  const same = defineTool({
    name: 'same',
    description: 'Says the same.',
    input: any,
    execute: () => 'pending',
  });
  const other = defineTool({
    name: 'other',
    description: 'Says another thing.',
    input: any,
    execute: () => 'idle',
  });
  const next = defineTool({ name: 'next', description: 'Counts.', input: any, execute: () => ++count });
  return createGate({ tools: [same, other, next] });
}

async function runOn(turns: readonly ScriptedTurn[], options: Partial<AgentConfig> = {}) {
  const model = createScriptedModel({ turns });
  const result = await createAgent({ model, gate: tools(), ...options }).run('go');
  return { model, result };
}

const times = (count: number, ...turns: readonly ScriptedTurn[]): readonly ScriptedTurn[] =>
  Array.from({ length: count }, () => turns).flat();
const calling = (name: string, args?: string): ScriptedTurn => ({
  calls: [{ name, ...(args === undefined ? {} : { arguments: args }) }],
});

describe('no progress', () => {
  test('the same call with the same outcome three times ends the run', async () => {
    const { result } = await runOn(times(20, calling('same')));
    expect(result).toMatchObject({ stopReason: 'no_progress', turns: 3 });
    expect(result.outcomes).toHaveLength(3);
  });

  test('the model is told one time before', async () => {
    const { model } = await runOn(times(20, calling('same')));
    const said = model.requests.map(({ items }) =>
      JSON.stringify(items.at(-1)).includes('the same result 2 times'),
    );
    expect(said).toEqual([false, false, true]);
  });

  test('white space and the order of members make no other call', async () => {
    const args = ['{"a":1,"b":2}', '{ "b" : 2, "a" : 1 }', '{"b":2,"a":1.0}'];
    const { result } = await runOn([
      ...args.map((text) => calling('same', text)),
      ...times(9, calling('next')),
    ]);
    expect(result).toMatchObject({ stopReason: 'no_progress', turns: 3 });
  });

  test('two calls by turns end it as well', async () => {
    const { result } = await runOn(times(20, calling('same'), calling('other')));
    expect(result).toMatchObject({ stopReason: 'no_progress', turns: 5 });
  });

  test('a round of three calls ends it, however it turns', async () => {
    const round = [calling('same', '{"at":1}'), calling('other'), calling('same', '{"at":2}')];
    const { result } = await runOn(times(20, ...round), { limits: { maxTurns: 50 } });
    expect(result).toMatchObject({ stopReason: 'no_progress', turns: 7 });
  });

  test.each([
    ['another outcome', times(8, calling('next'))],
    ['something new in between', times(4, calling('same'), calling('next'))],
    ['something new beside it', times(8, { calls: [{ name: 'same' }, { name: 'next' }] })],
    ['other arguments', Array.from({ length: 8 }, (_, at) => calling('same', `{"at":${at}}`))],
  ])('%s is progress', async (_, turns) => {
    expect((await runOn([...turns, { text: 'Done.' }])).result.stopReason).toBe('answer');
  });

  test('the same call many times in one turn is one sign', async () => {
    const turn = { calls: Array.from({ length: 10 }, () => ({ name: 'same' })) };
    expect((await runOn([turn, { text: 'Done.' }])).result.stopReason).toBe('answer');
  });

  test('three turns of nothing but refused calls end the run', async () => {
    const turns = Array.from({ length: 9 }, (_, at) => calling(`unknown_${at}`));
    expect((await runOn(turns)).result).toMatchObject({ stopReason: 'no_progress', turns: 3 });
  });

  test('"none" has to be written to go on', async () => {
    const limits = { maxRepeats: 'none', maxFruitlessTurns: 'none' } as const;
    const { result } = await runOn([...times(9, calling('same')), { text: 'Done.' }], { limits });
    expect(result).toMatchObject({ stopReason: 'answer', turns: 10 });
  });
});

describe('limits', () => {
  test('16 turns are the default, and every call of them has its result', async () => {
    const { result } = await runOn(times(40, calling('next')));
    expect(result).toMatchObject({ stopReason: 'turn_limit', turns: 16 });
    expect(result.items.filter(({ kind }) => kind === 'tool-result')).toHaveLength(16);
  });

  test.each<[string, ToolChoice, readonly string[]]>([
    ['no tool', { mode: 'none' }, []],
    ['one tool', { mode: 'named', name: 'next' }, ['next']],
    ['some tools', { mode: 'auto', allowed: ['next', 'other'] }, ['next', 'other']],
    ['some tools, of which one is a must', { mode: 'any', allowed: ['other'] }, ['other']],
    ['any tool', { mode: 'any' }, ['same', 'next', 'other']],
  ])('a model that was let call %s cannot call another one', async (_what, toolChoice, ran) => {
    const calls = ['same', 'next', 'other'].map((name) => ({ name }));
    const { result } = await runOn([{ calls }, { text: 'done' }], { call: { toolChoice } });
    const done = result.outcomes.flatMap(({ kind, name }) => (kind === 'completed' ? [name] : []));
    expect(done).toEqual(ran);
    expect(result.text).toBe('done');
  });

  test('a closing turn lets the model sum up: no choice of tools, no call, and still the turn limit', async () => {
    const { model, result } = await runOn(
      [calling('next'), { text: 'So far: 1.', calls: [{ name: 'next' }] }],
      {
        limits: { maxTurns: 1 },
        closingTurn: true,
        call: { toolChoice: { mode: 'named', name: 'next' } },
      },
    );
    expect(model.requests.map(({ toolChoice }) => toolChoice?.mode)).toEqual(['named', 'none']);
    expect(model.requests[1]?.tools).toHaveLength(3);
    expect(result).toMatchObject({ stopReason: 'turn_limit', turns: 2, text: 'So far: 1.' });
    expect(result.outcomes.map(({ reason }) => reason)).toEqual(['completed', 'tool_unavailable']);
  });

  test('a closing turn that only answers is the turn limit too', async () => {
    const { result } = await runOn([calling('next'), { text: 'So far: 1.' }], {
      limits: { maxTurns: 1 },
      closingTurn: true,
    });
    expect(result).toMatchObject({ stopReason: 'turn_limit', text: 'So far: 1.' });
  });

  test('tokens of all turns together', async () => {
    const usage = { inputTotal: 400, outputTotal: 100 };
    const { result } = await runOn(times(9, { ...calling('next'), usage }), { limits: { maxTokens: 1_000 } });
    expect(result).toMatchObject({
      stopReason: 'token_limit',
      turns: 2,
      usage: { inputTotal: 800, outputTotal: 200 },
    });
  });

  test('time of work, measured on the clock that was given', async () => {
    const clock = createFakeClock();
    const slow = defineTool({
      name: 'slow',
      description: 'Takes a minute.',
      input: any,
      execute: async () => {
        clock.setTimer(() => undefined, 60_000);
        await clock.advance(60_000);
        return clock.now();
      },
    });
    const model = createScriptedModel({ turns: times(9, calling('slow')) });
    const gate = createGate({ tools: [slow], clock });
    const result = await createAgent({ model, gate, clock, limits: { maxDurationMs: 150_000 } }).run('go');
    expect(result).toMatchObject({ stopReason: 'time_limit', turns: 3 });
  });

  test('time of work also ends a turn that runs: its calls are cancelled, and the model is not asked again', async () => {
    const clock = createFakeClock();
    const aborted: string[] = [];
    let start: () => void = () => undefined;
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const stuck = defineTool({
      name: 'stuck',
      description: 'Never ends by itself.',
      input: any,
      execute: (_input, { signal }) =>
        new Promise((_, reject) => {
          start();
          signal.addEventListener('abort', () => {
            aborted.push(signal.reason.name);
            reject(signal.reason);
          });
        }),
      profile: { class: 'read', timeoutMs: 600_000 },
    });
    const model = createScriptedModel({ turns: times(9, calling('stuck')) });
    const gate = createGate({ tools: [stuck], clock });
    const run = createAgent({ model, gate, clock, limits: { maxDurationMs: 150_000 } }).run('go');
    await started;
    await clock.advance(149_999);
    expect(aborted).toEqual([]);
    await clock.advance(1);
    expect(await run).toMatchObject({
      stopReason: 'time_limit',
      turns: 1,
      outcomes: [{ name: 'stuck', reason: 'cancelled_after_dispatch' }],
    });
    expect([aborted, clock.pending]).toEqual([['TimeoutError'], 0]);
  });

  test('calls of one turn beyond 128 are refused by name and in order', async () => {
    const turn = { calls: Array.from({ length: 130 }, (_, at) => ({ name: 'same', arguments: { at } })) };
    const { result } = await runOn([turn, { text: 'Done.' }]);
    const reasons = result.outcomes.map(({ reason }) => reason);
    expect(reasons.slice(0, 128)).toEqual(Array(128).fill('completed'));
    expect(reasons.slice(128)).toEqual(['call_limit', 'call_limit']);
  });

  test('calls of one tool, in the whole run', async () => {
    const { result } = await runOn(
      [...times(3, { calls: [{ name: 'next' }, { name: 'next' }] }), { text: 'Done.' }],
      {
        limits: { maxCallsPerTool: { next: 3 } },
      },
    );
    expect(result.outcomes.map(({ reason }) => reason)).toEqual([
      'completed',
      'completed',
      'completed',
      'call_limit',
      'call_limit',
      'call_limit',
    ]);
    expect(JSON.stringify(result.outcomes[3])).toContain('as often as it may be in this run');
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null])('%s is no limit', (maxTurns) => {
    const limits = { maxTurns: maxTurns as number };
    expect(() => createAgent({ model: createScriptedModel({ turns: [] }), gate: tools(), limits })).toThrow(
      expect.objectContaining({ code: 'agent/options-invalid' }),
    );
  });
});

describe('tools that end the run', () => {
  test('siblings finish, the model is not asked again, and there is one stop reason', async () => {
    const { model, result } = await runOn(
      [{ calls: [{ name: 'same' }, { name: 'next' }, { name: 'other' }] }],
      {
        stopAfterTools: ['next'],
      },
    );
    expect(result).toMatchObject({ stopReason: 'tool_stop', turns: 1 });
    expect(result.outcomes.map(({ reason }) => reason)).toEqual(['completed', 'completed', 'completed']);
    expect(model.requests).toHaveLength(1);
  });

  test('"any" means every tool', async () => {
    expect((await runOn([calling('other')], { stopAfterTools: 'any' })).result.stopReason).toBe('tool_stop');
  });

  test('a call that did not complete ends nothing', async () => {
    const { result } = await runOn([calling('next', '['), { text: 'Sorry.' }], { stopAfterTools: ['next'] });
    expect(result).toMatchObject({ stopReason: 'answer', text: 'Sorry.' });
  });

  test.each<[string, Partial<AgentConfig>]>([
    ['stopAfterTools', { stopAfterTools: ['nxt'] }],
    ['limits.maxCallsPerTool', { limits: { maxCallsPerTool: { nxt: 1 } } }],
    ['call.toolChoice', { call: { toolChoice: { mode: 'named', name: 'nxt' } } }],
    ['call.toolChoice', { call: { toolChoice: { mode: 'any', allowed: ['next', 'nxt'] } } }],
  ])('a name that no tool has is refused at construction, with its place: %s', (place, config) => {
    const model = createScriptedModel({ turns: [] });
    expect(() => createAgent({ model, gate: tools(), ...config })).toThrow(
      expect.objectContaining({
        code: 'agent/options-invalid',
        message: `${place}: there is no tool with the name "nxt"`,
      }),
    );
  });
});

test.each([
  ['stop', 'answer'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
  ['refusal', 'refusal'],
  ['unknown', 'answer'],
] as const)('an answer that ends with %s ends the run with %s', async (finish, stopReason) => {
  const { result } = await runOn([{ text: 'Text.', finish }]);
  expect(result).toMatchObject({ stopReason, text: 'Text.' });
});

test('a turn that was cut off at its length with a call goes on, and the call did not run', async () => {
  const { result } = await runOn([{ ...calling('next'), finish: 'length' }, { text: 'Shorter.' }]);
  expect(result).toMatchObject({ stopReason: 'answer', text: 'Shorter.' });
  expect(result.outcomes.map(({ reason }) => reason)).toEqual(['call_incomplete']);
});

test('a provider that paused is asked again with what it said', async () => {
  const { model, result } = await runOn([{ text: 'Half', finish: 'paused' }, { text: 'whole.' }]);
  expect(result).toMatchObject({ stopReason: 'answer', text: 'whole.', turns: 2 });
  expect(model.requests[1]?.items.at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'Half' }] });
});

test('the text of a result is that of the last answer, not of an earlier one', async () => {
  const { result } = await runOn([{ text: 'Let me see.', ...calling('next') }, {}]);
  expect(result).toMatchObject({ stopReason: 'no_answer', text: '' });
});

test('a failed model request keeps what was done, and no tool runs again', async () => {
  const { result } = await runOn([calling('next'), { fault: { kind: 'error', status: 500 } }]);
  expect(result).toMatchObject({
    stopReason: 'model_error',
    error: { code: 'model/http-status', status: 500 },
  });
  const goOn = createScriptedModel({ turns: [{ text: 'It is 1.' }] });
  const again = await createAgent({ model: goOn, gate: tools() }).run(result.items);
  expect(again).toMatchObject({ stopReason: 'answer', outcomes: [] });
  expect(JSON.stringify(goOn.requests[0]?.items.at(-1))).toContain('"1"');
});
