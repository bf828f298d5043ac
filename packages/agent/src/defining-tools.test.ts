import { createGate, defineTool, ToolError } from '@toolgate/core';
import { createDeferredHandler, createScriptedModel } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { asks, type Caller, caller, done, lookup, query, run } from '../test-support/maintenance.ts';
import { createAgent } from './create-agent.ts';

describe('defining inputs', () => {
  test('the schema is shown to the provider as it was declared, and defaults are applied before the handler', async () => {
    const zones: unknown[] = [];
    const gate = createGate<Caller>({ tools: [lookup((_id, zone) => void zones.push(zone))] });
    const { model } = await run(gate, [asks(), done]);
    expect(model.requests[0]?.tools).toMatchObject([{ name: 'lookup-window', parameters: query }]);
    expect(zones).toEqual(['UTC']);
  });

  test.each([
    ['that cannot be decoded', '{"service_id":'],
    ['that break the schema', '{"service_id":""}'],
    ['of the wrong type', '{"service_id":7}'],
  ])('arguments %s become an error result for the model, and the handler does not run', async (_, args) => {
    let ran = false;
    const gate = createGate<Caller>({
      tools: [
        lookup(() => {
          ran = true;
        }),
      ],
    });
    const { result, model } = await run(gate, [asks(args), done]);
    expect(ran).toBe(false);
    expect(model.requests[1]?.items.at(-1)).toMatchObject({ kind: 'tool-result', isError: true });
    expect(result.stopReason).toBe('answer');
  });
});

describe('returning results', () => {
  test('a string goes to the model unchanged; anything else as JSON', async () => {
    for (const [value, text] of [
      ['from 2 to 3', 'from 2 to 3'],
      [{ startsAt: 2 }, '{"startsAt":2}'],
    ] as const) {
      const { model } = await run(createGate<Caller>({ tools: [lookup(() => value)] }), [asks(), done]);
      expect(model.requests[1]?.items.at(-1)).toMatchObject({ parts: [{ kind: 'text', text }] });
    }
  });

  test('the principal is the one of the trusted context, whatever the model supplies', async () => {
    const users: string[] = [];
    const findAuthorized = async (user: string) => {
      users.push(user);
      return { startsAt: 'now' };
    };
    const gate = createGate<Caller>({
      tools: [lookup((id, _zone, { user, windows: own }) => own.findAuthorized(user, id))],
    });
    await run(gate, [asks('{"service_id":"checkout","user":"root"}'), done], {
      user: 'ada',
      windows: { findAuthorized },
    });
    expect(users).toEqual(['ada']);
  });
});

describe('publishing a tool', () => {
  test('an invalid tool fails before any model is asked', () => {
    expect(() =>
      createGate({
        tools: [
          { ...lookup(() => 1), definition: () => ({ name: 'no spaces', description: '', inputSchema: {} }) },
        ],
      }),
    ).toThrow();
    expect(() =>
      defineTool({ name: 'Bad name!', description: 'x', input: query, execute: () => 1 }),
    ).toThrow();
  });
});

describe('offering capabilities', () => {
  test('each policy is asked once before the model, in order of declaration, and the list stays fixed', async () => {
    const asked: string[] = [];
    const tool = (name: string, offered: () => boolean) =>
      defineTool({
        name,
        description: name,
        profile: { class: 'read' },
        input: { type: 'object' } as const,
        available: () => {
          asked.push(name);
          return offered();
        },
        execute: () => name,
      });
    let granted = false;
    const gate = createGate<Caller>({
      tools: [tool('b', () => true), tool('hidden', () => granted), tool('a', () => true)],
    });
    const model = createScriptedModel({
      turns: [{ calls: [{ name: 'a' }] }, { calls: [{ name: 'hidden' }] }, done],
    });
    const beforeModel: number[] = [];
    const watched = {
      ...model,
      stream: (...given: Parameters<typeof model.stream>) => {
        beforeModel.push(asked.length);
        granted = true;
        return model.stream(...given);
      },
    };
    const result = await createAgent<Caller>({ model: watched, gate }).run('go', { context: caller });
    expect(asked.slice(0, 3)).toEqual(['b', 'hidden', 'a']);
    expect(beforeModel[0]).toBe(3);
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([
      ['b', 'a'],
      ['b', 'a'],
      ['b', 'a'],
    ]);
    // A capability that was granted meanwhile appears only in a new run; its guessed name does not bypass the policy.
    expect(result.outcomes.at(-1)).toMatchObject({ name: 'hidden', reason: 'tool_unavailable' });
    expect((await run(gate, [done])).model.requests[0]?.tools).toHaveLength(3);
  });

  test('a hidden tool and one that does not exist get the same answer, and the loop goes on', async () => {
    const gate = createGate<Caller>({
      tools: [
        lookup(
          () => 1,
          () => false,
        ),
      ],
    });
    const { result } = await run(gate, [
      {
        calls: [
          { name: 'lookup-window', arguments: '{}' },
          { name: 'nothing', arguments: '{}' },
        ],
      },
      done,
    ]);
    const [hidden, unknown] = result.outcomes;
    expect(hidden?.parts).toEqual(unknown?.parts);
    expect(hidden?.parts).toEqual([{ kind: 'text', text: 'The tool is not available.' }]);
    expect(result.stopReason).toBe('answer');
  });

  test('a revocation blocks later calls of the run, before their arguments are read', async () => {
    const available = { now: true };
    let ran = 0;
    const gate = createGate<Caller>({
      tools: [
        lookup(
          () => {
            ran++;
            available.now = false;
            return 'once';
          },
          () => available.now,
        ),
      ],
    });
    const { result } = await run(gate, [asks(), asks('not even JSON'), done]);
    expect(result.outcomes.map(({ reason }) => reason)).toEqual(['completed', 'tool_unavailable']);
    expect(ran).toBe(1);
  });

  test('availability is asked again after the slot was taken', async () => {
    const available = { now: true };
    const handler = createDeferredHandler();
    const first = defineTool({
      name: 'first',
      description: 'First.',
      profile: { class: 'read' },
      input: { type: 'object' } as const,
      execute: handler.execute,
    });
    let ran = false;
    const gate = createGate<Caller>({
      tools: [
        first,
        lookup(
          () => {
            ran = true;
          },
          () => available.now,
        ),
      ],
      concurrency: 1,
    });
    const running = run(gate, [{ calls: [{ name: 'first' }, ...(asks().calls ?? [])] }, done]);
    while (handler.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    available.now = false;
    handler.calls[0]?.resolve('done');
    const { result } = await running;
    expect(result.outcomes.map(({ reason }) => reason)).toEqual(['completed', 'tool_unavailable']);
    expect(ran).toBe(false);
  });

  test('a policy that fails at discovery prevents any model call, keeps its cause, and shows nothing of it', async () => {
    const cause = new ToolError('even an approved text, about db.internal');
    const gate = createGate<Caller>({
      tools: [
        lookup(
          () => 1,
          () => {
            throw cause;
          },
        ),
      ],
    });
    const { result, model } = await run(gate, [done]);
    expect(result).toMatchObject({ stopReason: 'permanent_error', error: { code: 'gate/availability' } });
    expect(result.error?.cause).toHaveProperty('cause', cause);
    expect(model.requests).toEqual([]);
    expect(JSON.stringify(result)).not.toContain('db.internal');
  });

  test('a policy that fails at execution ends the run and cancels the siblings', async () => {
    const state = { asked: 0, told: false };
    const waits = defineTool({
      name: 'waits',
      description: 'Waits.',
      profile: { class: 'read' },
      input: { type: 'object' } as const,
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => {
            state.told = true;
            reject(signal.reason);
          }),
        ),
    });
    const gate = createGate<Caller>({
      tools: [
        waits,
        lookup(
          () => 1,
          async () => {
            if (state.asked++ > 0) throw new Error('db.internal');
            return true;
          },
        ),
      ],
    });
    const { result } = await run(gate, [{ calls: [{ name: 'waits' }, ...(asks().calls ?? [])] }]);
    expect(result).toMatchObject({ stopReason: 'permanent_error', error: { code: 'gate/availability' } });
    expect(state.told).toBe(true);
    expect(JSON.stringify(result)).not.toContain('db.internal');
  });
});

test('a definition may be shared: two agents with it at the same time stay apart', async () => {
  const tool = lookup((id, _zone, { user }) => `${user} ${id}`);
  const one = createGate<Caller>({ tools: [tool] });
  const results = await Promise.all(
    ['ada', 'bob'].map((user) => run(one, [asks(), done], { ...caller, user })),
  );
  expect(results.map(({ result }) => result.outcomes[0]?.parts)).toEqual([
    [{ kind: 'text', text: 'ada checkout' }],
    [{ kind: 'text', text: 'bob checkout' }],
  ]);
});
