import { expect, test } from 'vitest';
import { defineTool } from './define-tool.ts';
import { Registry } from './registry.ts';
import type { Tool } from './tool.ts';

const tool = (name: string, text = name) =>
  defineTool({ name, description: text, input: { type: 'object' } as const, execute: () => text });

const names = (registry: Registry) => registry.definitions().map(({ name }) => name);

test('tools are found by their exact name only', () => {
  const registry = new Registry([tool('a'), tool('constructor')]);
  expect(registry.resolve('a')?.contract.definition.name).toBe('a');
  expect(registry.resolve('constructor')?.contract.definition.name).toBe('constructor');
  for (const name of ['A', ' a', 'a ', '', '__proto__', 'toString', 'hasOwnProperty']) {
    expect(registry.resolve(name)).toBeUndefined();
  }
  for (const name of [undefined, null, 7, ['a'], {}])
    expect(registry.resolve(name as string)).toBeUndefined();
});

test('definitions are a frozen snapshot sorted by name, bindings one in the order of registration', () => {
  const registry = new Registry([tool('b'), tool('a'), tool('B2')]);
  const definitions = registry.definitions();
  registry.register(tool('c'));
  expect(definitions.map(({ name }) => name)).toEqual(['B2', 'a', 'b']);
  expect([Object.isFrozen(definitions), Object.isFrozen(definitions[0])]).toEqual([true, true]);
  expect(registry.bindings().map(({ contract }) => contract.definition.name)).toEqual(['b', 'a', 'B2', 'c']);
  registry.bindings().pop();
  expect(registry.size).toBe(4);
});

const refused: readonly (readonly [string, () => readonly unknown[], string])[] = [
  ['a name that is taken', () => [tool('x'), tool('a')], 'tool/name-duplicate'],
  ['a name twice in one batch', () => [tool('x'), tool('x')], 'tool/name-duplicate'],
  ['another letter case', () => [tool('x'), tool('A')], 'tool/name-confusable'],
  ['a dash for an underscore', () => [tool('get_user'), tool('get-user')], 'tool/name-confusable'],
  ['nothing', () => [tool('x'), undefined], 'tool/not-a-tool'],
  ['no tool', () => [tool('x'), {}], 'tool/not-a-tool'],
  ['a broken definition', () => [tool('x'), { definition: () => ({}), call: () => 1 }], 'tool/name-invalid'],
];

test.each(refused)('%s is refused, and nothing of its batch is registered', (_, batch, code) => {
  const registry = new Registry([tool('a')]);
  const before = registry.generation;
  expect(() => registry.register(...(batch() as readonly Tool[]))).toThrow(expect.objectContaining({ code }));
  expect([names(registry), registry.size, registry.generation]).toEqual([['a'], 1, before]);
});

test('a name that was removed is free again, as are the names that look like it', () => {
  const registry = new Registry([tool('a_b')]);
  expect([registry.remove('a_b'), registry.remove('a_b'), registry.remove('__proto__')]).toEqual([
    true,
    false,
    false,
  ]);
  registry.register(tool('A-B'));
  expect(names(registry)).toEqual(['A-B']);
});

test('a call prepared for an older registration does not run on the newer one', async () => {
  const registry = new Registry([tool('a', 'old')]);
  const old = registry.resolve('a');
  const prepared = old?.contract.prepare({ id: 'c', name: 'a', arguments: '' });
  registry.remove('a');
  registry.register(tool('a', 'new'));
  if (prepared?.ok !== true) throw new Error('was refused');
  await expect(registry.resolve('a')?.call(prepared.invocation)).rejects.toThrow(
    expect.objectContaining({ code: 'tool/invocation-foreign' }),
  );
  expect((await old?.call(prepared.invocation))?.text()).toBe('old');
});

test('the generation grows with each change and with nothing else', () => {
  const registry = new Registry([tool('a')]);
  const generations = [registry.generation];
  const then = (change: () => unknown) => {
    change();
    generations.push(registry.generation);
  };
  then(() => registry.definitions());
  then(() => registry.remove('none'));
  then(() => registry.register());
  then(() => registry.register(tool('b')));
  then(() => registry.remove('b'));
  const [first = 0] = generations;
  expect(generations.map((generation) => generation - first)).toEqual([0, 0, 0, 0, 1, 2]);
});

test('options of the registry hold for its tools', () => {
  const registry = new Registry([], { maxArgumentBytes: 4 });
  registry.register(tool('a'));
  expect(registry.resolve('a')?.contract.prepare({ id: 'c', name: 'a', arguments: '{"a":1}' })).toMatchObject(
    {
      error: { reason: 'arguments_too_large' },
    },
  );
});

test('two registries share nothing', () => {
  const [one, two] = [new Registry([tool('a')]), new Registry()];
  expect([one.size, two.size]).toEqual([1, 0]);
});
