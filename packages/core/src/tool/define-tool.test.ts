import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import Type from 'typebox';
import * as v from 'valibot';
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

const sources = [
  ['Zod', z.object({ city: z.string(), days: z.number().int().default(3) })],
  [
    'Valibot',
    toStandardJsonSchema(
      v.object({ city: v.string(), days: v.optional(v.pipe(v.number(), v.integer()), 3) }),
    ),
  ],
  ['ArkType', type({ city: 'string', days: 'number.integer = 3' })],
  [
    'TypeBox',
    Type.Object({ city: Type.String(), days: Type.Integer({ default: 3 }) }, { additionalProperties: false }),
  ],
  [
    'JSON Schema',
    {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', default: 3 } },
      required: ['city'],
      additionalProperties: false,
    },
  ],
] as const;

test.each(sources)('a handler gets the typed input of %s, defaults filled', async (_, input) => {
  const tool = defineTool({ ...base, input, execute: (value) => value });
  expect(JSON.parse((await run(tool, '{"city":"Bern"}')).text())).toEqual({ city: 'Bern', days: 3 });
});

test.each(sources)('what %s does not take is refused before the handler', async (_, input) => {
  let entered = 0;
  const tool = defineTool({
    ...base,
    input,
    execute: () => {
      entered += 1;
    },
  });
  const { contract } = bind(tool);
  for (const text of [
    '{}',
    '{"city":7}',
    '{"city":"Bern","days":"3"}',
    '{"city":"Bern","admin":true}',
    '[]',
    '{"city":',
  ]) {
    expect([text, contract.prepare({ id: 'c', name: 'do', arguments: text }).ok]).toEqual([text, false]);
  }
  expect(entered).toBe(0);
});

test('transforms and refinements of the library hold', async () => {
  const input = z
    .object({ at: z.string().transform((text) => text.length) })
    .refine(({ at }) => at < 4, 'Give a shorter at.');
  const tool = defineTool({ ...base, input, execute: ({ at }) => at });
  expect((await run(tool, '{"at":"abc"}')).text()).toBe('3');
  const prepared = bind(tool).contract.prepare({ id: 'c', name: 'do', arguments: '{"at":"abcd"}' });
  expect(prepared).toMatchObject({
    ok: false,
    error: { reason: 'arguments_rejected', text: expect.stringContaining('Give a shorter at.') },
  });
});

test('a refinement of ArkType that rules on the whole input is reported at the root', () => {
  const input = type({ n: 'number' }).narrow(({ n }, context) => n > 3 || context.mustBe('larger'));
  const prepared = bind(defineTool({ ...base, input })).contract.prepare({
    id: 'c',
    name: 'do',
    arguments: '{"n":1}',
  });
  expect(prepared).toMatchObject({ ok: false, error: { issues: [{ pointer: '' }] } });
});

test('a refinement with I/O is refused at declaration', () => {
  const input = z.object({ a: z.string().refine(async () => false) });
  expect(() => defineTool({ ...base, input })).toThrow(
    expect.objectContaining({
      code: 'tool/schema-invalid',
      cause: expect.objectContaining({ code: 'schema/input-asynchronous' }),
    }),
  );
});

/** A library of one schema. */
const library = (validate: () => Promise<never>) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'ours',
    validate,
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
});

test.each<[string, () => Promise<never>]>([
  [
    'throws',
    () => {
      throw new Error('bug');
    },
  ],
  ['answers later', () => Promise.reject(new Error('later'))],
  ['never answers', () => new Promise(() => undefined)],
])('a library that %s is a defect of the validator, and nothing is left unhandled', (_, validate) => {
  const tool = defineTool({ ...base, input: library(validate) });
  const prepared = bind(tool).contract.prepare({ id: 'c', name: 'do', arguments: '{}' });
  expect(prepared).toMatchObject({ ok: false, error: { reason: 'validator_defect' } });
});

test('a union of objects is an object to the model', () => {
  const input = z.discriminatedUnion('op', [
    z.object({ op: z.literal('add'), a: z.number() }),
    z.object({ op: z.literal('stop') }),
  ]);
  const { contract } = bind(defineTool({ ...base, input }));
  expect(contract.definition.inputSchema['type']).toBe('object');
  const admits = (text: string) => contract.prepare({ id: 'c', name: 'do', arguments: text }).ok;
  expect([
    admits('{"op":"stop"}'),
    admits('{"op":"add","a":1}'),
    admits('{"op":"add"}'),
    admits('{"op":"x"}'),
  ]).toEqual([true, true, false, false]);
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

test.each<[string, unknown]>([
  ['a bigint', { n: 10n }],
  ['not a number', { ratio: Number.NaN }],
  ['a function', () => 1],
  ['a map', new Map()],
  ['half a character', '\ud83d'],
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

test('a tool is frozen, and has the capabilities that were declared and no others', () => {
  const available = () => true;
  const tool = defineTool({
    ...base,
    title: 'Do',
    annotations: { readOnlyHint: true },
    profile: { class: 'read' },
    privileged: false,
    resultBudget: { bytes: 10, overflow: 'fail' },
    available,
    maxArgumentBytes: 'none',
  });
  expect(Object.isFrozen(tool)).toBe(true);
  expect(tool).toMatchObject({
    profile: { class: 'read' },
    privileged: false,
    resultBudget: { bytes: 10 },
    available,
    maxArgumentBytes: 'none',
  });
  expect(tool.definition()).toMatchObject({ title: 'Do', annotations: { readOnlyHint: true } });
  expect(Object.keys(defineTool(base)).sort()).toEqual(['call', 'definition']);
});

test('changing the configuration or its schema after declaration changes nothing', () => {
  const input = { type: 'object', properties: { a: { type: 'integer' } } };
  const profile = { class: 'write' as 'read' | 'write' };
  const config = { ...base, input, profile };
  const tool = defineTool(config);
  input.properties.a.type = 'string';
  profile.class = 'read';
  config.execute = () => 'replaced';
  expect(tool.definition().inputSchema).toMatchObject({ properties: { a: { type: 'integer' } } });
  expect(tool.profile).toEqual({ class: 'write' });
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

const bad: readonly (readonly [string, unknown, string, RegExp])[] = [
  ['nothing', undefined, 'tool/options-invalid', /object/],
  ['no input', { name: 'a', description: '', execute: () => 1 }, 'tool/options-invalid', /type: 'object'/],
  ['a null input', { ...base, input: null }, 'tool/options-invalid', /input is null/],
  ['no handler', { name: 'a', description: '', input: none }, 'tool/options-invalid', /execute/],
  ['a handler that is a text', { ...base, execute: 'x' }, 'tool/options-invalid', /execute/],
  ['a misspelt field', { ...base, desciption: 'x' }, 'tool/options-invalid', /"desciption".*description/],
  [
    'a policy written as undefined',
    { ...base, available: undefined },
    'tool/options-invalid',
    /available is undefined; leave it out/,
  ],
  [
    'a profile written as undefined',
    { ...base, profile: undefined },
    'tool/options-invalid',
    /profile is undefined/,
  ],
  [
    'a privilege written as null',
    { ...base, privileged: null },
    'tool/options-invalid',
    /privileged is null/,
  ],
  ['a privilege that is a word', { ...base, privileged: 'yes' }, 'tool/options-invalid', /privileged/],
  ['availability that is a boolean', { ...base, available: true }, 'tool/options-invalid', /available/],
  ['a bad profile', { ...base, profile: { class: 'admin' } }, 'tool/options-invalid', /profile.class/],
  [
    'a bad budget',
    { ...base, resultBudget: { bytes: -1, overflow: 'fail' } },
    'tool/options-invalid',
    /resultBudget/,
  ],
  ['a bad bound', { ...base, maxArgumentBytes: 0 }, 'tool/options-invalid', /maxArgumentBytes/],
  [
    'unknown members of a third kind',
    { ...base, unknownMembers: 'strip' },
    'tool/options-invalid',
    /unknownMembers/,
  ],
  ['a bad name', { ...base, name: 'a b' }, 'tool/name-invalid', /name/],
  ['no description', { name: 'a', input: none, execute: () => 1 }, 'tool/definition-invalid', /description/],
  ['a schema of a text', { ...base, input: z.string() }, 'tool/schema-invalid', /object/],
  ['a broken schema', { ...base, input: { type: 'objekt' } }, 'tool/schema-invalid', /input/],
  [
    'a library that cannot say its schema',
    { ...base, input: v.object({ a: v.string() }) },
    'tool/schema-invalid',
    /toStandardJsonSchema/,
  ],
  ['a type that JSON has not', { ...base, input: z.object({ a: z.date() }) }, 'tool/schema-invalid', /input/],
];

test.each(bad)('%s is thrown at declaration with the fix', (_, config, code, message) => {
  expect(() => defineTool(config as typeof base)).toThrow(
    expect.objectContaining({ code, message: expect.stringMatching(message) }),
  );
});
