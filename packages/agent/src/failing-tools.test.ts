import {
  bind,
  type CallContext,
  createGate,
  createScope,
  defineTool,
  PermanentError,
  recheck,
  ToolError,
} from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { asks, type Caller, done, lookup, run } from '../test-support/maintenance.ts';

describe('handling failures', () => {
  test('an ordinary error is one fixed sentence, and the run goes on', async () => {
    const gate = createGate<Caller>({
      tools: [
        lookup(() => {
          throw new Error('connect ECONNREFUSED 10.0.0.5:5432 postgres://app:pw@db.internal/prod');
        }),
      ],
    });
    const { result, told } = await run(gate, [asks(), done]);
    expect(told).toContain('The tool failed.');
    expect(told).not.toMatch(/10\.0\.0\.5|postgres|at .*\.ts/);
    expect(result.stopReason).toBe('answer');
  });

  test('the text of a ToolError is published, also when it is wrapped', async () => {
    for (const error of [
      new ToolError('No window is scheduled.'),
      new Error('inner secret', { cause: new ToolError('No window is scheduled.') }),
    ]) {
      const gate = createGate<Caller>({
        tools: [
          lookup(() => {
            throw error;
          }),
        ],
      });
      const { told } = await run(gate, [asks(), done]);
      expect(told).toContain('No window is scheduled.');
      expect(told).not.toContain('inner secret');
    }
  });

  test('a PermanentError ends the run with its cause; siblings are told, joined, and do not replace it', async () => {
    const cause = new Error('license revoked');
    const joined: string[] = [];
    const sibling = defineTool({
      name: 'sibling',
      description: 'Fails late.',
      profile: { class: 'read' },
      input: { type: 'object' } as const,
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () =>
            setImmediate(() => {
              joined.push('sibling');
              reject(new PermanentError(new Error('a later one')));
            }),
          ),
        ),
    });
    const quick = defineTool({
      name: 'quick',
      description: 'Quick.',
      profile: { class: 'read' },
      input: { type: 'object' } as const,
      execute: () => 'kept',
    });
    const gate = createGate<Caller>({
      tools: [
        sibling,
        quick,
        lookup(async () => {
          throw new PermanentError(cause);
        }),
      ],
    });
    const { result, model } = await run(gate, [
      { calls: [{ name: 'sibling' }, { name: 'quick' }, ...(asks().calls ?? [])] },
    ]);
    expect(result).toMatchObject({
      stopReason: 'permanent_error',
      error: { code: 'gate/permanent', callId: 'call_1_2' },
    });
    expect(result.error?.cause).toHaveProperty('cause', cause);
    expect(joined).toEqual(['sibling']);
    expect(result.outcomes.map(({ name, kind }) => [name, kind])).toEqual([
      ['sibling', 'failed'],
      ['quick', 'completed'],
      ['lookup-window', 'failed'],
    ]);
    expect(result.items.filter(({ kind }) => kind === 'tool-result')).toHaveLength(3);
    expect(model.requests).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain('license');
  });

  test('an approver that cannot decide ends the run; a refusal does not', async () => {
    const ask = (approve: () => never | 'decline') =>
      run(createGate<Caller>({ tools: [lookup(() => 1)], scope: createScope<Caller>({ approve }) }), [
        asks(),
        done,
      ]);
    expect(
      (
        await ask(() => {
          throw new Error('queue is down');
        })
      ).result,
    ).toMatchObject({ stopReason: 'permanent_error', error: { code: 'gate/approval' } });
    expect((await ask(() => 'decline')).result).toMatchObject({
      stopReason: 'answer',
      outcomes: [{ reason: 'approval_declined' }],
    });
  });
});

test('a policy that a running handler asked and that cannot decide does not make its call one that never started', async () => {
  const tool = defineTool({
    name: 'open-page',
    description: 'Opens a page and where it leads.',
    profile: { class: 'external' },
    input: { type: 'object' } as const,
    execute: async (_, call: CallContext<Caller>) => {
      visited.push('first page');
      await recheck(down, contract, {}, call);
    },
  });
  const { contract } = bind(tool);
  const visited: string[] = [];
  const down = (): never => {
    throw new Error('the policy is down');
  };
  const { result } = await run(createGate<Caller>({ tools: [tool] }), [{ calls: [{ name: 'open-page' }] }]);
  expect(visited).toEqual(['first page']);
  expect(result).toMatchObject({
    stopReason: 'permanent_error',
    error: { code: 'gate/authorization' },
    outcomes: [{ kind: 'failed', reason: 'handler_error' }],
  });
  expect(JSON.stringify(result.items)).not.toContain('not started');
});
