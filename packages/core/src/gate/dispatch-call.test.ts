import { expect, test } from 'vitest';
import { defineTool } from '../tool/define-tool.ts';
import { guard } from '../tool/guard.ts';
import { textOutput } from '../tool/make-output.ts';
import type { Tool } from '../tool/tool.ts';
import { createGate } from './create-gate.ts';

test('a tool that is handed an invocation cannot change it', async () => {
  const seen: unknown[] = [];
  const definition = { name: 'put', description: '', inputSchema: { type: 'object' } };
  const plain: Tool = {
    definition: () => definition,
    call: async (invocation) => {
      seen.push([
        Object.isFrozen(invocation),
        Reflect.set(invocation, 'arguments', () => ({ role: 'admin' })),
      ]);
      return textOutput('');
    },
  };
  const declared = defineTool({
    name: 'put',
    description: '',
    input: { type: 'object' },
    execute: () => 'ran',
  });
  const decorated: Tool = {
    definition: () => declared.definition(),
    call: async (invocation, call) => {
      seen.push([
        Object.isFrozen(invocation),
        Reflect.set(invocation, 'arguments', () => ({ role: 'admin' })),
      ]);
      return declared.call(invocation, call);
    },
  };
  const outcomes = [plain, decorated, guard({ tool: plain, authorizer: () => true })].map(async (tool) => {
    const session = await createGate({ tools: [tool] }).open();
    return (await session.execute({ id: 'c1', name: 'put', arguments: '{}' })).reason;
  });
  expect(await Promise.all(outcomes)).toEqual(['completed', 'completed', 'completed']);
  expect(seen).toEqual(Array.from({ length: 3 }, () => [true, false]));
});

test('what wraps the `call` of a declared tool is called, however it wraps it', async () => {
  const declared = defineTool({
    name: 'put',
    description: '',
    input: { type: 'object' },
    execute: () => 'ran',
  });
  const seen: string[] = [];
  const proxy = new Proxy(declared.call, {
    apply: (target, self, given) => {
      seen.push('proxy');
      return Reflect.apply(target, self, given);
    },
  });
  const copy: Tool['call'] = (invocation, call) => {
    seen.push('copy');
    return declared.call(invocation, call);
  };
  Object.defineProperties(copy, Object.getOwnPropertyDescriptors(declared.call));
  for (const call of [proxy, copy]) {
    const session = await createGate({ tools: [{ definition: () => declared.definition(), call }] }).open();
    await session.execute({ id: 'c1', name: 'put', arguments: '{}' });
  }
  expect(seen).toEqual(['proxy', 'copy']);
});

test.each<[string, unknown]>([
  ['a text', 'done'],
  ['an object', { a: 1 }],
  ['nothing', undefined],
  ['a value without a JSON form', { n: 10n }],
  [
    'an object that throws when it is read',
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new TypeError('no');
        },
      },
    ),
  ],
])('%s comes to the same, given at once or later', async (_, result) => {
  const outcomeOf = async (execute: () => unknown): Promise<unknown> => {
    const tool = defineTool({ name: 'put', description: '', input: { type: 'object' }, execute });
    const session = await createGate({ tools: [tool] }).open();
    const outcome = await session.execute({ id: 'c1', name: 'put', arguments: '{}' });
    return outcome.kind === 'suspended' ? outcome : [outcome.reason, outcome.output.text(), outcome.cause];
  };
  const adopted = { then: (resolve: (value: unknown) => void) => resolve(result) };
  const atOnce = await outcomeOf(() => result);
  expect(await outcomeOf(async () => result)).toEqual(atOnce);
  expect(await outcomeOf(() => adopted)).toEqual(atOnce);
});

test('a promise whose own `then` answers twice gives one outcome', async () => {
  const twice = Object.assign(Promise.resolve('first'), {
    then: (resolve: (value: string) => void, reject: (reason: unknown) => void) => {
      resolve('first');
      resolve('second');
      reject(new Error('third'));
    },
  });
  const tool = defineTool({ name: 'put', description: '', input: { type: 'object' }, execute: () => twice });
  const session = await createGate({ tools: [tool] }).open();
  const outcome = await session.execute({ id: 'c1', name: 'put', arguments: '{}' });
  expect(outcome.kind === 'completed' && outcome.output.text()).toBe('first');
  expect((await session.close()).stragglers).toEqual([]);
});

test('what a promise that its own `then` hands out becomes is the outcome', async () => {
  const handsOut = (result: Promise<unknown>): Promise<string> =>
    Object.assign(Promise.resolve('own'), { then: (resolve: (value: unknown) => void) => resolve(result) });
  const outcomeOf = async (returned: Promise<unknown>): Promise<string> => {
    const execute = () => returned;
    const tool = defineTool({ name: 'put', description: '', input: { type: 'object' }, execute });
    const session = await createGate({ tools: [tool] }).open();
    return (await session.execute({ id: 'c1', name: 'put', arguments: '{}' })).reason;
  };
  expect(await outcomeOf(handsOut(Promise.resolve('later')))).toBe('completed');
  expect(await outcomeOf(handsOut(Promise.reject(new Error('no'))))).toBe('handler_error');
});
