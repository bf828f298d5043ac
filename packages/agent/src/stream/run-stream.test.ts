import { createGate, defineTool } from '@toolgate/core';
import { createDeafHandler, createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { goodbye, rawModel, start } from '../../test-support/raw-model.ts';
import type { AgentEvent } from '../agent-event.ts';
import { createAgent } from '../create-agent.ts';

const any = { type: 'object' } as const;
const add = defineTool({ name: 'add', description: 'Adds.', input: any, execute: () => 3 });

async function collect(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

test('a stream tells a run in order, and ends with its one result', async () => {
  const model = createScriptedModel({
    turns: [
      { reasoning: 'hm', text: 'Let me see.', calls: [{ name: 'add', arguments: { a: 1 } }] },
      { text: 'It is 3.' },
    ],
    pieceLength: 100,
  });
  const events = await collect(createAgent({ model, gate: createGate({ tools: [add] }) }).stream('go'));
  expect(events.map(({ kind }) => kind)).toEqual([
    'turn-start',
    'reasoning-delta',
    'text-delta',
    'call-start',
    'call-delta',
    'call-end',
    'turn-end',
    'tool-start',
    'tool-end',
    'turn-start',
    'text-delta',
    'turn-end',
    'run-end',
  ]);
  expect(events.at(-1)).toMatchObject({ result: { stopReason: 'answer', text: 'It is 3.' } });
});

test('calls that never reach the gate have their end too', async () => {
  const calls = [
    { name: 'add', id: 'x' },
    { name: 'add', id: 'x' },
  ];
  const model = createScriptedModel({ turns: [{ calls }, { text: 'Done.' }] });
  const events = await collect(createAgent({ model, gate: createGate({ tools: [add] }) }).stream('go'));
  const ends = events.flatMap((event) => (event.kind === 'tool-end' ? [event.outcome.reason] : []));
  expect(ends.sort()).toEqual(['call_id_duplicate', 'completed']);
});

describe('exactly one run-end, and nothing after it', () => {
  const aborted = AbortSignal.abort();
  test.each([
    ['an answer', [{ text: 'Hi.' }], {}, 'answer'],
    ['a model that fails', [{ fault: { kind: 'error' as const } }], {}, 'model_error'],
    ['a model that breaks off', [{ text: 'Hal', fault: { kind: 'cut-off' as const } }], {}, 'model_error'],
    ['a run that was cancelled before it began', [{ text: 'Hi.' }], { signal: aborted }, 'cancelled'],
  ])('%s', async (_, turns, options, stopReason) => {
    const agent = createAgent({ model: createScriptedModel({ turns }), gate: createGate({ tools: [add] }) });
    const events = await collect(agent.stream('go', { context: undefined, ...options }));
    expect(events.filter(({ kind }) => kind === 'run-end')).toEqual([events.at(-1)]);
    expect(events.at(-1)).toMatchObject({ result: { stopReason } });
  });
});

test('a run that was cancelled before it began asks no model and counts no turn', async () => {
  const model = createScriptedModel({ turns: [{ text: 'Hi.' }] });
  const agent = createAgent({ model, gate: createGate({ tools: [add] }) });
  const result = await agent.run('go', { context: undefined, signal: AbortSignal.abort() });
  expect(result).toMatchObject({ stopReason: 'cancelled', turns: 0 });
  expect(model.requests).toEqual([]);
});

test('a stream can be iterated once, and has not begun before that', async () => {
  const model = createScriptedModel({ turns: [{ text: 'Hi.' }] });
  const stream = createAgent({ model, gate: createGate({ tools: [add] }) }).stream('go');
  await new Promise((resolve) => setImmediate(resolve));
  expect(model.requests).toEqual([]);
  await collect(stream);
  expect(() => stream[Symbol.asyncIterator]()).toThrow(
    expect.objectContaining({ code: 'agent/stream-used' }),
  );
});

test('leaving a stream cancels the run: the tool is told, the model is released, and both are waited for', async () => {
  const log: string[] = [];
  const slow = defineTool({
    name: 'slow',
    description: 'Waits for its signal.',
    profile: { class: 'read' },
    input: any,
    execute: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          log.push('told');
          setImmediate(() => {
            log.push('stopped');
            resolve('stopped');
          });
        });
      }),
  });
  const model = createScriptedModel({ turns: [{ calls: [{ name: 'slow' }] }, { text: 'never' }] });
  for await (const event of createAgent({ model, gate: createGate({ tools: [slow] }) }).stream('go')) {
    if (event.kind === 'tool-start') break;
  }
  log.push('left');
  expect(log).toEqual(['told', 'stopped', 'left']);
  expect(model.requests).toHaveLength(1);
});

test('leaving in the middle of an answer releases the model', async () => {
  let released = false;
  const model = rawModel(async function* () {
    try {
      yield start;
      yield { kind: 'text-start', index: 0 };
      for (;;) yield { kind: 'text-delta', index: 0, text: 'more and ' };
    } finally {
      released = true;
    }
  });
  for await (const event of createAgent({ model, gate: createGate({ tools: [] }) }).stream('go')) {
    if (event.kind === 'text-delta') break;
  }
  expect(released).toBe(true);
});

test('a tool that hears nothing is given up after the grace period, and named', async () => {
  const deaf = createDeafHandler();
  const stuck = defineTool({ name: 'stuck', description: 'Deaf.', input: any, execute: deaf.execute });
  const controller = new AbortController();
  const model = createScriptedModel({ turns: [{ calls: [{ name: 'stuck', id: 'c1' }] }] });
  const agent = createAgent({ model, gate: createGate({ tools: [stuck], graceMs: 1 }) });
  const events = agent.stream('go', { context: undefined, signal: controller.signal });
  let result: unknown;
  for await (const event of events) {
    if (event.kind === 'tool-start') setImmediate(() => controller.abort());
    if (event.kind === 'run-end') result = event.result;
  }
  expect(result).toMatchObject({
    stopReason: 'cancelled',
    stragglers: [{ callId: 'c1', tool: 'stuck' }],
    outcomes: [{ kind: 'unknown', reason: 'cancelled_after_dispatch' }],
  });
  deaf.release();
});

test('a result that was there when the run was cancelled is kept', async () => {
  const controller = new AbortController();
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'read' },
    input: any,
    execute: () => {
      controller.abort();
      return 'tx 0xabc';
    },
  });
  const model = createScriptedModel({ turns: [{ calls: [{ name: 'pay' }] }] });
  const agent = createAgent({ model, gate: createGate({ tools: [pay] }) });
  const result = await agent.run('go', { context: undefined, signal: controller.signal });
  expect(result).toMatchObject({ stopReason: 'cancelled', outcomes: [{ kind: 'completed' }] });
  expect(JSON.stringify(result.items.at(-1))).toContain('tx 0xabc');
});

test('a slow consumer slows the model down: events do not pile up', async () => {
  let given = 0;
  const model = rawModel(async function* () {
    yield start;
    yield { kind: 'text-start', index: 0 };
    for (; given < 10_000; given++) yield { kind: 'text-delta', index: 0, text: 'x' };
    yield* [{ kind: 'text-end', index: 0 }, goodbye.at(-1)];
  });
  let taken = 0;
  let ahead = 0;
  for await (const event of createAgent({ model, gate: createGate({ tools: [] }) }).stream('go')) {
    if (event.kind !== 'text-delta') continue;
    taken++;
    if (taken % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve));
    ahead = Math.max(ahead, given - taken);
  }
  expect(taken).toBe(10_000);
  expect(ahead).toBeLessThan(70);
});

test('progress of a tool is seen, and more of it than there is room for is dropped', async () => {
  const chatty = defineTool({
    name: 'chatty',
    description: 'Reports.',
    profile: { class: 'read' },
    input: any,
    execute: async (_, { progress }) => {
      for (let at = 1; at <= 10_000; at++) progress?.({ progress: at, total: 10_000 });
      return 'done';
    },
  });
  const model = createScriptedModel({
    turns: [{ calls: [{ name: 'chatty', id: 'c1' }] }, { text: 'Done.' }],
  });
  const events = await collect(createAgent({ model, gate: createGate({ tools: [chatty] }) }).stream('go'));
  const progress = events.filter(({ kind }) => kind === 'tool-progress');
  expect(progress[0]).toMatchObject({ callId: 'c1', progress: { progress: 1, total: 10_000 } });
  expect(progress.length).toBeLessThan(100);
  expect(events.at(-1)).toMatchObject({ result: { stopReason: 'answer' } });
});

test('misuse of the gate is thrown to who iterates, and nothing is left behind', async () => {
  const model = createScriptedModel({ turns: [] });
  const agent = createAgent({ model, gate: createGate({ tools: [add] }) });
  const options = { context: undefined, principal: '' };
  await expect(collect(agent.stream('go', options))).rejects.toMatchObject({ code: 'gate/options-invalid' });
  await expect(agent.run('go', options)).rejects.toMatchObject({ code: 'gate/options-invalid' });
});
