import { createGate, createScope, defineTool, PermanentError, ToolError } from '@toolgate/core';
import type { Model, ModelCall, ModelEvent } from '@toolgate/model';
import { responseToEvents } from '@toolgate/model';
import { expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';

type Turn =
  | readonly ['text', string]
  | readonly ['calls', ...(readonly [name: string, args: string, id?: string])[]];

/** A model that says what it is told, turn by turn, and remembers what it was asked. */
function scripted(...turns: readonly Turn[]): Model & { readonly asked: ModelCall[] } {
  const asked: ModelCall[] = [];
  return {
    id: 'scripted',
    capabilities: new Set(['tools', 'streaming']),
    asked,
    async *stream(call): AsyncGenerator<ModelEvent> {
      const turn = turns[asked.length];
      asked.push({ ...call, items: [...call.items] });
      if (turn === undefined) throw new Error('the script is over');
      const [kind, ...rest] = turn;
      yield* responseToEvents({
        id: 'r',
        model: 'scripted',
        usage: { inputTotal: 10, cacheRead: null, cacheWrite: null, outputTotal: 5, reasoning: null },
        finish: kind === 'text' ? 'stop' : 'tool-calls',
        items:
          kind === 'text'
            ? [{ kind: 'message', role: 'assistant', parts: [{ kind: 'text', text: String(rest[0]) }] }]
            : (rest as readonly (readonly [string, string, string?])[]).map(([name, args, id], index) => ({
                kind: 'tool-call' as const,
                callId: id ?? `c${asked.length}_${index}`,
                name,
                arguments: args,
              })),
      });
    },
  };
}

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
  } as const,
  execute: ({ a, b }) => a + b,
});

test('a run executes calls and gives the answer, the history and one outcome for each call', async () => {
  const model = scripted(['calls', ['add', '{"a":1,"b":2}']], ['text', 'It is 3.']);
  const result = await createAgent({ model, gate: createGate({ tools: [add] }) }).run('1 + 2?');
  expect(result).toMatchObject({ stopReason: 'answer', text: 'It is 3.', turns: 2, pending: [] });
  expect(result.outcomes).toMatchObject([{ kind: 'completed', parts: [{ kind: 'json', value: 3 }] }]);
  expect(result.items.map(({ kind }) => kind)).toEqual(['message', 'tool-call', 'tool-result', 'message']);
  expect(result.usage).toEqual({ inputTotal: 20, outputTotal: 10 });
});

test('siblings keep call order, and a failing one does not take the others along', async () => {
  const fail = defineTool({
    name: 'fail',
    description: 'Fails.',
    input: { type: 'object' } as const,
    execute: () => {
      throw new ToolError('No window is scheduled.');
    },
  });
  const model = scripted(
    ['calls', ['add', '{"a":1,"b":1}'], ['fail', ''], ['add', '{"a":2,"b":2}']],
    ['text', 'Done.'],
  );
  const result = await createAgent({ model, gate: createGate({ tools: [add, fail] }) }).run('go');
  expect(result.outcomes.map(({ reason }) => reason)).toEqual(['completed', 'tool_error', 'completed']);
  expect(model.asked[1]?.items.at(-2)).toMatchObject({
    isError: true,
    parts: [{ text: 'No window is scheduled.' }],
  });
});

test('a call without an id, or with one that was used, gets one that pairs it with its result', async () => {
  const model = scripted(
    ['calls', ['add', '{"a":1,"b":1}', ''], ['add', '{"a":2,"b":2}', 'x'], ['add', '{"a":3,"b":3}', 'x']],
    ['calls', ['add', '{"a":4,"b":4}', 'x']],
    ['text', 'Done.'],
  );
  const result = await createAgent({ model, gate: createGate({ tools: [add] }) }).run('go');
  expect(result.outcomes.map(({ reason }) => reason)).toEqual([
    'completed',
    'completed',
    'call_id_duplicate',
    'completed',
  ]);
  const calls = result.items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
  const results = result.items.flatMap((item) => (item.kind === 'tool-result' ? [item.callId] : []));
  expect(new Set(calls).size).toBe(4);
  expect(results).toEqual(calls);
});

test('a permanent error ends the run with its cause sealed, and keeps what finished', async () => {
  const secret = new Error('postgres://app:pw@db');
  const boom = defineTool({
    name: 'boom',
    description: 'Ends the run.',
    profile: { class: 'read' },
    input: { type: 'object' } as const,
    execute: async () => {
      await Promise.resolve();
      throw new PermanentError(secret);
    },
  });
  const model = scripted(['calls', ['add', '{"a":1,"b":1}'], ['boom', '']]);
  const result = await createAgent({ model, gate: createGate({ tools: [add, boom] }) }).run('go');
  expect(result.stopReason).toBe('permanent_error');
  expect(result.error?.code).toBe('gate/permanent');
  expect(JSON.stringify(result)).not.toContain('postgres');
  expect(result.outcomes[0]).toMatchObject({ kind: 'completed' });
  expect(model.asked).toHaveLength(1);
});

test('an approval suspends the run, and a decision in another agent with the same key goes on', async () => {
  let ran = 0;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    profile: { class: 'external' },
    input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] } as const,
    execute: ({ amount }) => {
      ran++;
      return `paid ${amount}`;
    },
  });
  const gate = createGate({
    tools: [add, pay],
    scope: createScope({ approve: () => 'defer', approvalThreshold: 'external' }),
  });
  const stateKey = 'k'.repeat(32);
  const turns: Turn[] = [
    ['calls', ['pay', '{"amount":7}'], ['add', '{"a":1,"b":1}']],
    ['text', 'Paid.'],
  ];
  const first = await createAgent({ model: scripted(...turns), gate, stateKey }).run('pay 7');
  expect(first).toMatchObject({
    stopReason: 'suspended',
    pending: [{ tool: 'pay', arguments: { amount: 7 } }],
  });
  expect(ran).toBe(0);

  const stored = JSON.parse(JSON.stringify(first.state));
  const second = createAgent({ model: scripted(['text', 'Paid.']), gate, stateKey });
  const approvalId = first.pending[0]?.id ?? '';
  const done = await second.resume(stored, [{ approvalId, decision: 'allow' }]);
  expect(done).toMatchObject({ stopReason: 'answer', text: 'Paid.' });
  expect(done.outcomes.map(({ name, reason }) => [name, reason])).toEqual([
    ['pay', 'completed'],
    ['add', 'completed'],
  ]);
  expect(ran).toBe(1);

  const again = await second.resume(stored, [{ approvalId, decision: 'allow' }]);
  expect(again.outcomes[0]).toMatchObject({ kind: 'unknown', reason: 'interrupted' });
  expect(ran).toBe(1);

  const changed = { ...stored, body: stored.body.replace('"amount":7', '"amount":9') };
  await expect(second.resume(changed, [])).rejects.toMatchObject({ code: 'agent/state-invalid' });
});
