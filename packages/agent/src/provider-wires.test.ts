import { createGate, createScope, defineTool, type Scope } from '@toolgate/core';
import { codecOf, createHttpModel, type Model, type Protocol } from '@toolgate/model';
import type { Script, ScriptedTurn } from '@toolgate/testing';
import { createProviderServer, type ProviderServer } from '@toolgate/testing/node';
import { describe, expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  profile: { class: 'read' },
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
  } as const,
  execute: ({ a, b }) => a + b,
});
const gate = createGate({ tools: [add] });
const approving = (): Scope => createScope({ approve: () => 'defer' });

function modelOn(protocol: Protocol, { baseUrl }: ProviderServer): Model {
  return createHttpModel({
    codec: codecOf(protocol),
    model: 'local',
    baseUrl,
    apiKey: 'sk-local-test-key-1',
  });
}

async function withServer<Value>(
  protocol: Protocol,
  script: Script,
  work: (server: ProviderServer) => Promise<Value>,
): Promise<Value> {
  const server = await createProviderServer({ protocol, script, apiKey: 'sk-local-test-key-1' });
  try {
    const value = await work(server);
    expect(server.failures).toEqual([]);
    return value;
  } finally {
    await server.close();
  }
}

const adding = (
  a: number,
): { readonly name: string; readonly arguments: { readonly a: number; readonly b: number } } => ({
  name: 'add',
  arguments: { a, b: 1 },
});

describe.each(['openai-chat', 'anthropic', 'openai-responses', 'gemini'] as const)(
  'over the wire of %s',
  (protocol) => {
    test('50 turns with a call each, one after the other', async () => {
      const turns: ScriptedTurn[] = Array.from({ length: 50 }, (_, at) => ({
        calls: [adding(at)],
        ...(at === 0 ? {} : { expect: { results: [String(at)] } }),
      }));
      const script = { turns: [...turns, { text: 'Done.', expect: { results: ['50'] } }] };
      await withServer(protocol, script, async (server) => {
        const agent = createAgent({ model: modelOn(protocol, server), gate, limits: { maxTurns: 60 } });
        const result = await agent.run('go');
        expect(result).toMatchObject({ stopReason: 'answer', text: 'Done.', turns: 51 });
        expect(result.outcomes.map(({ kind }) => kind)).toEqual(Array(50).fill('completed'));
        expect(server.requests).toHaveLength(51);
      });
    });

    test('50 calls of one turn, streamed, each with its own result in order', async () => {
      const calls = Array.from({ length: 50 }, (_, at) => adding(at));
      const results = calls.map(({ arguments: { a } }) => String(a + 1));
      await withServer(
        protocol,
        { turns: [{ calls }, { text: 'Done.', expect: { results } }] },
        async (server) => {
          const agent = createAgent({ model: modelOn(protocol, server), gate });
          for await (const event of agent.stream('go')) {
            if (event.kind !== 'run-end') continue;
            expect(event.result).toMatchObject({ stopReason: 'answer', text: 'Done.' });
            expect(event.result.outcomes).toHaveLength(50);
          }
        },
      );
    });

    test('an approval across the wire: the call that waited gets its result where it belongs', async () => {
      const script = {
        turns: [{ calls: [adding(1), adding(2)] }, { text: 'Done.', expect: { results: ['declined', '3'] } }],
      };
      await withServer(protocol, script, async (server) => {
        const held = createGate({ tools: [add], scope: approving() });
        const agent = createAgent({ model: modelOn(protocol, server), gate: held });
        const { state, pending } = await agent.run('go');
        if (state === undefined) throw new Error('a suspended run has a state');
        const result = await agent.resume(JSON.parse(JSON.stringify(state)), [
          { approvalId: pending[1]?.id ?? '', decision: 'allow' },
          { approvalId: pending[0]?.id ?? '', decision: 'decline' },
        ]);
        expect(result).toMatchObject({ stopReason: 'answer', text: 'Done.' });
      });
    });

    test('a stream that breaks in the middle of a call executes nothing of the turn', async () => {
      const script = {
        turns: [{ calls: [adding(1), adding(2)], fault: { kind: 'cut-off' as const, abrupt: true } }],
      };
      await withServer(protocol, script, async (server) => {
        const result = await createAgent({ model: modelOn(protocol, server), gate }).run('go');
        expect(result.stopReason).toBe('model_error');
        expect(result.outcomes.every(({ reason }) => reason === 'call_incomplete')).toBe(true);
      });
    });

    test('a wrong key is one clear sentence with status and request id, and without the key', async () => {
      const script = { turns: [{ text: 'never' }] };
      const server = await createProviderServer({ protocol, script, apiKey: 'sk-right-key-12345678' });
      const result = await createAgent({ model: modelOn(protocol, server), gate }).run('go');
      await server.close();
      expect(result).toMatchObject({
        stopReason: 'model_error',
        error: { code: 'model/http-status', status: 401, requestId: 'req_1' },
      });
      expect(JSON.stringify(result)).not.toContain('sk-');
    });

    test('cancelling closes the connection of the answer that was being given', async () => {
      const script = { turns: [{ text: 'Hal', fault: { kind: 'silence' as const } }] };
      await withServer(protocol, script, async (server) => {
        const agent = createAgent({ model: modelOn(protocol, server), gate });
        for await (const event of agent.stream('go')) if (event.kind === 'turn-start') break;
        await server.idle();
        expect(server.openAnswers).toBe(0);
      });
    });
  },
);

test('a turn that fails before its first event is asked again, and the calls before it do not run again', async () => {
  let ran = 0;
  const once = defineTool({
    name: 'once',
    description: 'Counts.',
    input: { type: 'object' } as const,
    execute: () => ++ran,
  });
  const headers = { 'retry-after': '0' };
  const script = {
    turns: [
      { calls: [{ name: 'once' }] },
      { fault: { kind: 'error' as const, status: 503, headers } },
      { fault: { kind: 'error' as const, status: 429, headers } },
      { text: 'Done.', expect: { results: ['1'] } },
    ],
  };
  await withServer('anthropic', script, async (server) => {
    const result = await createAgent({
      model: modelOn('anthropic', server),
      gate: createGate({ tools: [once] }),
    }).run('go');
    expect(result).toMatchObject({ stopReason: 'answer', turns: 2 });
    expect(ran).toBe(1);
    expect(server.requests).toHaveLength(4);
  });
});
