import { expect, test } from 'vitest';
import * as z from 'zod';
import { bind } from './binding.ts';
import { defineTool } from './define-tool.ts';
import { textOutput, toolOutput } from './make-output.ts';
import type { Tool } from './tool.ts';
import { ToolError } from './tool-error.ts';

const none = { type: 'object', additionalProperties: false } as const;
const base = { name: 'do', description: 'Does.', input: none, execute: () => 'done' };

async function run<Context>(tool: Tool<Context>, text = '{}', context?: Context, signal?: AbortSignal) {
  const binding = bind(tool as Tool<Context | undefined>);
  const name = binding.contract.definition.name;
  const prepared = binding.contract.prepare({ id: 'c1', name, arguments: text });
  if (!prepared.ok) throw new Error(`${prepared.error.reason}: ${prepared.error.text}`);
  return binding.call(prepared.invocation, signal === undefined ? { context } : { context, signal });
}

/** A library of one schema. */
const library = (validate: () => Promise<never>) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'ours',
    validate,
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
});

test.each<[string, unknown, string]>([
  ['a string unchanged', ' {"a":\n', ' {"a":\n'],
  ['nothing as no content', undefined, ''],
  ['null as JSON', null, 'null'],
  ['a number as JSON', 1.5, '1.5'],
  ['a list as JSON', [1, 'x'], '[1,"x"]'],
  ['an object as JSON', { b: new Date(0), a: undefined }, '{"b":"1970-01-01T00:00:00.000Z"}'],
  ['a result as it is', textOutput('x'), 'x'],
])('%s', async (_, result, text) => {
  expect((await run(defineTool({ ...base, execute: () => result }))).text()).toBe(text);
  expect((await run(defineTool({ ...base, execute: async () => result }))).text()).toBe(text);
});

test('results of one tool are told apart, whatever members the one before had', async () => {
  const results = [
    { a: 1, b: 'x' },
    { a: 2, b: 'y' },
    { b: 1, a: 2 },
    { a: undefined, b: 3 },
    {},
    { a: [], b: { c: 1 } },
  ];
  let turn = 0;
  const tool = defineTool({ ...base, execute: () => results[turn++] });
  const texts: string[] = [];
  for (const _ of results) texts.push((await run(tool)).text());
  expect(texts).toEqual(results.map((result) => JSON.stringify(result)));
});

test.each<[string, unknown]>([
  ['a bigint', { n: 10n }],
  ['not a number', { ratio: Number.NaN }],
  ['a function', () => 1],
  ['a map', new Map()],
])('%s in a result is an invalid output, not a guess', async (_, result) => {
  await expect(run(defineTool({ ...base, execute: () => result }))).rejects.toThrow(
    expect.objectContaining({ code: 'tool/output-invalid' }),
  );
});

test('a declared output is advertised, structured, and enforced', async () => {
  const output = z.object({ sum: z.number().max(10) });
  const tool = defineTool({
    ...base,
    output,
    execute: (_, { context }: { readonly context: number }) => ({ sum: context }),
  });
  expect(bind(tool).contract.definition.outputSchema).toMatchObject({ type: 'object', required: ['sum'] });
  const good = await run(tool, '{}', 4);
  expect([good.text(), good.structured]).toEqual(['{"sum":4}', { sum: 4 }]);
  await expect(run(tool, '{}', 11)).rejects.toThrow(expect.objectContaining({ code: 'tool/output-invalid' }));
});

test('an output declared as JSON Schema makes a plain value structured', async () => {
  const tool = defineTool({
    ...base,
    output: { type: 'array', items: { type: 'integer' } } as const,
    execute: () => [1, 2],
  });
  const output = await run(tool);
  expect([output.text(), output.structured, output.parts]).toEqual([
    '[1,2]',
    [1, 2],
    [{ kind: 'json', value: [1, 2] }],
  ]);
});

test('a refinement of the declared output is enforced, and its transform is not applied', async () => {
  const output = z.object({ even: z.number().refine((value) => value % 2 === 0) });
  const tool = (even: number) => defineTool({ ...base, output, execute: () => ({ even }) });
  expect((await run(tool(2))).structured).toEqual({ even: 2 });
  await expect(run(tool(3))).rejects.toThrow(expect.objectContaining({ code: 'tool/output-invalid' }));
});

test.each<[string, () => Promise<never>]>([
  [
    'throws',
    () => {
      throw new Error('bug');
    },
  ],
  ['answers later', () => Promise.reject(new Error('later'))],
])('a library that %s while it checks a result has not accepted it', async (_, validate) => {
  const tool = defineTool({ ...base, output: library(validate), execute: () => ({}) });
  await expect(run(tool)).rejects.toThrow(
    expect.objectContaining({ code: 'tool/output-invalid', cause: expect.any(Error) }),
  );
});

test('a ready result of a tool with a declared output needs its structured value', async () => {
  const tool = (structured?: { readonly ok: boolean }) =>
    defineTool({
      ...base,
      output: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] } as const,
      execute: () => toolOutput({ parts: [{ kind: 'text', text: 'fine' }], structured }),
    });
  expect((await run(tool({ ok: true }))).text()).toBe('fine');
  await expect(run(tool())).rejects.toThrow(expect.objectContaining({ code: 'tool/output-invalid' }));
});

test('a call that is cancelled before it starts does not enter the handler', async () => {
  let entered = 0;
  const tool = defineTool({
    ...base,
    execute: () => {
      entered += 1;
    },
  });
  const reason = new Error('gone');
  await expect(run(tool, '{}', undefined, AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(entered).toBe(0);
});

test('a result that was returned is not replaced by a later cancellation', async () => {
  const controller = new AbortController();
  const tool = defineTool({
    ...base,
    execute: async (_, { signal }) => {
      controller.abort();
      return signal.aborted ? 'finished all the same' : 'not cancelled';
    },
  });
  expect((await run(tool, '{}', undefined, controller.signal)).text()).toBe('finished all the same');
});

test('a throw and a rejection of the handler are both rejections, unchanged', async () => {
  const error = new ToolError('public');
  await expect(
    run(
      defineTool({
        ...base,
        execute: () => {
          throw error;
        },
      }),
    ),
  ).rejects.toBe(error);
  await expect(run(defineTool({ ...base, execute: () => Promise.reject(error) }))).rejects.toBe(error);
  const hostile = {
    get then(): never {
      throw error;
    },
  };
  await expect(run(defineTool({ ...base, execute: () => hostile }))).rejects.toBe(error);
});

test('each execution has input of its own', async () => {
  const seen: object[] = [];
  const tool = defineTool({
    ...base,
    input: { type: 'object' } as const,
    execute: (value) => {
      seen.push(value);
      Object.assign(value, { a: 2 });
    },
  });
  const binding = bind(tool);
  const prepared = binding.contract.prepare({ id: 'c', name: 'do', arguments: '{"a":1}' });
  if (!prepared.ok) throw new Error(prepared.error.text);
  expect(prepared.invocation.argumentsText).toBe('{"a":1}');
  await binding.call(prepared.invocation);
  await binding.call(prepared.invocation);
  expect(seen[0]).not.toBe(seen[1]);
  expect(prepared.invocation.arguments()).toEqual({ a: 1 });
});

test('a decorator that shows another schema cannot bring other arguments to the handler', async () => {
  const inner = defineTool({
    ...base,
    input: { type: 'object', properties: { a: { type: 'integer' } } } as const,
    execute: ({ a }) => a,
  });
  const open: Tool = {
    definition: () => ({ ...inner.definition(), inputSchema: { type: 'object' } }),
    call: (invocation, call) => inner.call(invocation, call),
    unwrap: () => inner,
  };
  expect((await run(open, '{"a":1}')).text()).toBe('1');
  await expect(run(open, '{"a":"x"}')).rejects.toThrow(
    expect.objectContaining({ code: 'tool/invocation-foreign' }),
  );
});

test('a handler is not entered with something that is no invocation', async () => {
  const tool = defineTool(base);
  const call = { context: undefined, signal: new AbortController().signal };
  await expect(tool.call({ arguments: () => ({}) } as never, call)).rejects.toThrow(
    expect.objectContaining({ code: 'tool/invocation-foreign' }),
  );
});
