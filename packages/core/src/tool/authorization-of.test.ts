import { expect, test } from 'vitest';
import { bind, dispatch } from './binding.ts';
import { defineTool } from './define-tool.ts';
import { DirectCall } from './direct-call.ts';
import { authorizationOf, guard } from './guard.ts';
import type { Tool } from './tool.ts';

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

function twice() {
  const asked: string[] = [];
  const { tool, runs } = counted();
  const ask = (name: string) => () => {
    asked.push(name);
    return true;
  };
  const inner = guard({ tool, authorizer: ask('inner') });
  const between: Tool<string> = { ...inner, unwrap: () => inner };
  const outer = guard({ tool: between, authorizer: ask('outer') });
  return { asked, outer, runs };
}

test('the gate asks all guards of a chain first, and they are not asked again when the call is dispatched', async () => {
  const { asked, outer, runs } = twice();
  const { binding, invocation } = prepare(outer);
  const call = new DirectCall('c1', 'me', undefined);
  expect(await authorizationOf(outer)?.(invocation, call)).toBe(true);
  expect(asked).toEqual(['outer', 'inner']);
  await dispatch(binding, invocation, call);
  expect([asked, runs.length]).toEqual([['outer', 'inner'], 1]);
});

test('a permission holds for one dispatch, for this call object and this invocation alone', async () => {
  const { asked, outer } = twice();
  const { binding, invocation } = prepare(outer);
  const call = new DirectCall('c1', 'me', undefined);
  const ask = authorizationOf(outer);
  await ask?.(invocation, call);
  await dispatch(binding, invocation, new DirectCall('c1', 'me', undefined));
  expect(asked).toHaveLength(4);
  await dispatch(binding, invocation, call);
  expect(asked).toHaveLength(4);
  await dispatch(binding, invocation, call);
  expect(asked).toHaveLength(6);
  const other = binding.contract.prepare({ id: 'c2', name: 'pay', arguments: '{}' });
  await ask?.(invocation, call);
  if (other.ok) await dispatch(binding, other.invocation, call);
  expect(asked).toHaveLength(10);
});

test('a no takes back an earlier yes', async () => {
  const answers = [true, false, false];
  const guarded = guard({ tool: counted().tool, authorizer: () => answers.shift() ?? false });
  const { binding, invocation } = prepare(guarded);
  const call = new DirectCall('c1', 'me', undefined);
  const ask = authorizationOf(guarded);
  expect([await ask?.(invocation, call), await ask?.(invocation, call)]).toEqual([true, false]);
  await expect(dispatch(binding, invocation, call)).rejects.toThrow(
    expect.objectContaining({ kind: 'rejected' }),
  );
});

test('a tool without guards has no question', () => {
  expect(authorizationOf(counted().tool)).toBeUndefined();
});
