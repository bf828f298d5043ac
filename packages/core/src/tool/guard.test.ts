import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { AuthorizationError } from './authorization-error.ts';
import type { Authorization } from './authorizer.ts';
import { bind } from './binding.ts';
import { defineTool } from './define-tool.ts';
import { DirectCall } from './direct-call.ts';
import { type GuardConfig, guard } from './guard.ts';
import { textOutput } from './make-output.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

function counted() {
  const runs: object[] = [];
  const tool = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' } as const,
    execute: (input, _call: { readonly context: string }) => {
      runs.push(input);
      return 'paid';
    },
  });
  return { tool, runs };
}

function prepare(tool: Tool<string>) {
  const binding = bind(tool);
  const prepared = binding.contract.prepare({ id: 'c1', name: 'pay', arguments: '{"to":"b"}' });
  if (!prepared.ok) throw new Error(prepared.error.text);
  return { binding, invocation: prepared.invocation };
}

test('a yes lets the call through, at once or later', async () => {
  for (const authorizer of [() => true, async () => true]) {
    const { tool, runs } = counted();
    const { binding, invocation } = prepare(guard({ tool, authorizer }));
    expect((await binding.call(invocation, { context: 'me' })).text()).toBe('paid');
    expect(runs).toHaveLength(1);
  }
});

test('a no is a rejection without details, and the tool does not run', async () => {
  const { tool, runs } = counted();
  const { binding, invocation } = prepare(guard({ tool, authorizer: () => false }));
  const failure = await binding.call(invocation, { context: 'me' }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'Failure', kind: 'rejected' });
  expect(Reflect.get(Object(failure), 'output').text()).toBe('The call is not authorized.');
  expect(runs).toEqual([]);
});

const undecided: readonly (readonly [string, () => unknown])[] = [
  [
    'a throw',
    () => {
      throw new Error('ldap://secret');
    },
  ],
  ['a rejection', () => Promise.reject(new Error('ldap://secret'))],
  [
    'a ToolError',
    () => {
      throw new ToolError('ldap://secret');
    },
  ],
  [
    'a throw of nothing',
    () => {
      throw undefined;
    },
  ],
  [
    'a cancellation of something else',
    () => {
      throw new DOMException('ldap://secret', 'AbortError');
    },
  ],
  ['a truthy text', () => 'ldap://secret'],
  ['one', () => 1],
  ['nothing', () => undefined],
  ['a promise of nothing', async () => undefined],
  ['an object', () => ({ allowed: true })],
  ['a boolean in a box', () => new Boolean(true)],
];

test.each(undecided)('%s is no decision: sealed, and the tool does not run', async (_, authorizer) => {
  const { tool, runs } = counted();
  const { binding, invocation } = prepare(guard({ tool, authorizer: authorizer as () => boolean }));
  const error: unknown = await binding.call(invocation, { context: 'me' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'AuthorizationError', code: 'tool/authorization' });
  expect([AuthorizationError.is(error), AuthorizationError.is(new Error('x'))]).toEqual([true, false]);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('ldap');
  expect('cause' in Object(error)).toBe(false);
  expect(runs).toEqual([]);
});

test('what the authorizer threw is given to who asks', async () => {
  const cause = new Error('ldap');
  const { binding, invocation } = prepare(
    guard({
      tool: counted().tool,
      authorizer: () => {
        throw cause;
      },
    }),
  );
  const error: unknown = await binding.call(invocation, { context: 'me' }).catch((thrown: unknown) => thrown);
  expect(Reflect.get(Object(error), 'diagnosis').call(error)).toBe(cause);
});

test('the authorizer sees the frozen definition, detached arguments, context and signal, and nothing to execute', async () => {
  const { tool, runs } = counted();
  const seen: Authorization<string>[] = [];
  const { binding, invocation } = prepare(
    guard({
      tool,
      authorizer: (authorization) => {
        seen.push(authorization);
        Object.assign(authorization.arguments, { to: 'attacker' });
        return true;
      },
    }),
  );
  const { signal } = new AbortController();
  await binding.call(invocation, { context: 'me', signal });
  const [question] = seen;
  expect(question).toMatchObject({ callId: 'c1', context: 'me', arguments: { to: 'attacker' } });
  expect(question?.signal).toBe(signal);
  expect(question?.argumentsDigest).toBe(invocation.digest);
  expect(question?.definition).toBe(binding.contract.definition);
  expect(Object.isFrozen(question) && Object.isFrozen(question?.definition)).toBe(true);
  expect(Object.values(Object(question)).some((value) => typeof value === 'function')).toBe(false);
  expect(runs).toEqual([{ to: 'b' }]);
});

test('every call is asked about, whoever calls', async () => {
  let asked = 0;
  const guarded = guard({
    tool: counted().tool,
    authorizer: () => {
      asked += 1;
      return true;
    },
  });
  const { binding, invocation } = prepare(guarded);
  await binding.call(invocation, { context: 'me' });
  await binding.call(invocation, { context: 'me' });
  await guarded.call(invocation, new DirectCall('c1', 'me', undefined));
  expect(asked).toBe(3);
});

test('cancellation of this call stays cancellation, before, during and after the question', async () => {
  const { tool, runs } = counted();
  const reason = new Error('gone');
  let asked = 0;
  const before = prepare(
    guard({
      tool,
      authorizer: () => {
        asked += 1;
        return true;
      },
    }),
  );
  await expect(
    before.binding.call(before.invocation, { context: 'me', signal: AbortSignal.abort(reason) }),
  ).rejects.toBe(reason);
  expect(asked).toBe(0);
  for (const end of [
    (signal: AbortSignal) => {
      throw signal.reason;
    },
    () => true,
  ]) {
    const controller = new AbortController();
    const { binding, invocation } = prepare(
      guard({
        tool,
        authorizer: ({ signal }) => {
          controller.abort(reason);
          return end(signal);
        },
      }),
    );
    await expect(binding.call(invocation, { context: 'me', signal: controller.signal })).rejects.toBe(reason);
  }
  expect(runs).toEqual([]);
});

test('a policy that fails on its own while the call is cancelled is not taken for cancellation', async () => {
  const controller = new AbortController();
  const authorizer = () => {
    controller.abort(new Error('gone'));
    throw new Error('ldap');
  };
  const { binding, invocation } = prepare(guard({ tool: counted().tool, authorizer }));
  await expect(binding.call(invocation, { context: 'me', signal: controller.signal })).rejects.toThrow(
    expect.objectContaining({ code: 'tool/authorization' }),
  );
});

test('a definition that grows later does not widen what was approved', () => {
  const definitions = [{ type: 'object', additionalProperties: false }, { type: 'object' }];
  const tool: Tool = {
    definition: () => ({ name: 'pay', description: '', inputSchema: definitions.shift() ?? {} }),
    call: async () => textOutput('x'),
  };
  const guarded = guard({ tool, authorizer: () => true });
  const { contract } = bind(guarded);
  expect(contract.prepare({ id: 'c', name: 'pay', arguments: '{"more":1}' }).ok).toBe(false);
  expect(definitions).toHaveLength(1);
});

test('a guard passes on the capabilities of its tool', () => {
  const inner = defineTool({
    name: 'pay',
    description: '',
    input: { type: 'object' } as const,
    maxArgumentBytes: 4,
    execute: () => '',
  });
  const { contract } = bind(guard({ tool: inner, authorizer: () => true }));
  expect(contract.prepare({ id: 'c', name: 'pay', arguments: '{"a":1}' })).toMatchObject({
    error: { reason: 'arguments_too_large' },
  });
});

test.each<[string, unknown, string]>([
  ['no authorizer', { tool: counted().tool }, 'tool/options-invalid'],
  ['no tool', { authorizer: () => true }, 'tool/not-a-tool'],
  [
    'a definition that throws',
    {
      tool: {
        definition: () => {
          throw new Error('x');
        },
        call: () => 1,
      },
      authorizer: () => true,
    },
    'tool/definition-invalid',
  ],
  [
    'a bad name',
    { tool: { definition: () => ({ name: '' }), call: () => 1 }, authorizer: () => true },
    'tool/name-invalid',
  ],
])('%s is refused at construction', (_, config, code) => {
  expect(() => guard(config as GuardConfig)).toThrow(expect.objectContaining({ code }));
});
