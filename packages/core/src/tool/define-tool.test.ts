import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import Type from 'typebox';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { bind } from './binding.ts';
import { defineTool } from './define-tool.ts';
import type { Tool } from './tool.ts';

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

const bad: readonly (readonly [string, unknown, string, RegExp])[] = [
  ['nothing', undefined, 'tool/options-invalid', /object/],
  ['no input', { name: 'a', description: '', execute: () => 1 }, 'tool/options-invalid', /type: 'object'/],
  ['a null input', { ...base, input: null }, 'tool/options-invalid', /input is null; every tool needs one/],
  [
    'a handler written as undefined',
    { ...base, execute: undefined },
    'tool/options-invalid',
    /execute is undefined; every tool needs one/,
  ],
  [
    'a misspelt field of a profile',
    { ...base, profile: { timeout: 5 } },
    'tool/options-invalid',
    /"timeout".*timeoutMs/,
  ],
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
