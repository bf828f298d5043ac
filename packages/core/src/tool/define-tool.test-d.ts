import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import Type from 'typebox';
import * as v from 'valibot';
import { expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '../json/json-value.ts';
import { bind } from './binding.ts';
import { defineTool } from './define-tool.ts';
import { guard } from './guard.ts';
import { textOutput } from './make-output.ts';
import { Registry } from './registry.ts';
import type { CallContext, Tool } from './tool.ts';

interface App {
  readonly userId: string;
}

const base = { name: 'do', description: 'Does.' };

test('Zod: the handler gets the output type', () => {
  const input = z.object({ city: z.string(), days: z.number().default(3), at: z.string().transform(Number) });
  defineTool({
    ...base,
    input,
    execute: (value) => {
      expectTypeOf(value).toEqualTypeOf<{ city: string; days: number; at: number }>();
    },
  });
});

test('Valibot, wrapped: the handler gets the output type', () => {
  const input = toStandardJsonSchema(v.object({ city: v.string(), days: v.optional(v.number(), 3) }));
  defineTool({
    ...base,
    input,
    execute: (value) => {
      expectTypeOf(value).toEqualTypeOf<{ city: string; days: number }>();
    },
  });
});

test('ArkType: the handler gets the output type', () => {
  defineTool({
    ...base,
    input: type({ city: 'string', 'days?': 'number' }),
    execute: (value) => {
      expectTypeOf(value).toEqualTypeOf<{ city: string; days?: number }>();
    },
  });
});

test('TypeBox: the handler gets the static type', () => {
  defineTool({
    ...base,
    input: Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer()) }),
    execute: (value) => {
      expectTypeOf(value).toEqualTypeOf<{ city: string; days?: number }>();
    },
  });
});

test('a JSON Schema written in place is read without as const', () => {
  defineTool({
    ...base,
    input: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        unit: { enum: ['c', 'f'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['city'],
    },
    execute: (value) => {
      expectTypeOf(value).toEqualTypeOf<{ city: string; unit?: 'c' | 'f'; tags?: string[] }>();
    },
  });
});

test('a JSON Schema of unknown content gives a JSON object', () => {
  const input: JsonObject = { type: 'object' };
  defineTool({
    ...base,
    input,
    execute: (value) => {
      expectTypeOf(value).toEqualTypeOf<JsonObject>();
    },
  });
});

test('a tool that does not look at its context takes every context', () => {
  const tool = defineTool({ ...base, input: z.object({}), execute: () => 'done' });
  expectTypeOf(tool).toEqualTypeOf<Tool>();
  expectTypeOf(tool).toExtend<Tool<App>>();
});

test('the context is inferred from the handler, however it is annotated', () => {
  const whole = defineTool({
    ...base,
    input: z.object({ a: z.string() }),
    execute: ({ a }, call: CallContext<App>) => a + call.context.userId,
  });
  expectTypeOf(whole).toEqualTypeOf<Tool<App>>();
  const part = defineTool({
    ...base,
    input: z.object({ a: z.string() }),
    execute: ({ a }, { context }: { readonly context: App }) => {
      expectTypeOf(a).toEqualTypeOf<string>();
      return context.userId;
    },
  });
  expectTypeOf(part).toEqualTypeOf<Tool<App>>();
});

test('the context is inferred from the availability policy', () => {
  const tool = defineTool({
    ...base,
    input: z.object({}),
    available: ({ userId }: App) => userId !== '',
    execute: (_, { context }) => context.userId,
  });
  expectTypeOf(tool).toEqualTypeOf<Tool<App>>();
});

test('a binding asks for the context that its tool needs', () => {
  const needs = bind(
    defineTool({ ...base, input: z.object({}), execute: (_, call: CallContext<App>) => call.context.userId }),
  );
  const free = bind(defineTool({ ...base, input: z.object({}), execute: () => 'done' }));
  const prepared = needs.contract.prepare({ id: 'c', name: 'do', arguments: '' });
  if (!prepared.ok) return;
  void needs.call(prepared.invocation, { context: { userId: 'u' } });
  void free.call(prepared.invocation);
  // @ts-expect-error -- the context is missing
  void needs.call(prepared.invocation);
  // @ts-expect-error -- the context is of another type
  void needs.call(prepared.invocation, { context: { userId: 7 } });
});

test('a tool that needs more than a registry has is not taken', () => {
  const needs = defineTool({
    ...base,
    input: z.object({}),
    execute: (_, call: CallContext<App>) => call.context.userId,
  });
  const free = defineTool({ ...base, input: z.object({}), execute: () => 'done' });
  expectTypeOf(new Registry([needs, free])).toEqualTypeOf<Registry<App>>();
  expectTypeOf(guard({ tool: needs, authorizer: ({ context }) => context.userId === 'u' })).toExtend<
    Tool<App>
  >();
  // @ts-expect-error -- the registry has no user
  new Registry<{ readonly tenant: string }>([needs]);
  // @ts-expect-error -- nobody knows what context this list has
  const list: Tool[] = [needs];
  expectTypeOf(list).toBeArray();
});

test('a declared output rules what a handler returns', () => {
  const output = z.object({ sum: z.number() });
  defineTool({ ...base, input: z.object({}), output, execute: () => ({ sum: 1 }) });
  defineTool({ ...base, input: z.object({}), output, execute: async () => ({ sum: 1 }) });
  defineTool({ ...base, input: z.object({}), output, execute: () => textOutput('x') });
  // @ts-expect-error -- sum is a number
  defineTool({ ...base, input: z.object({}), output, execute: () => ({ sum: 'x' }) });
  // @ts-expect-error -- sum is missing
  defineTool({ ...base, input: z.object({}), output, execute: async () => ({}) });
});

test('literals and lists of a declared output are written as they are', () => {
  const input = z.object({ s: z.string() });
  const unit = z.object({ load: z.number(), unit: z.literal('cores') });
  defineTool({ ...base, input, output: unit, execute: ({ s }) => ({ load: s.length, unit: 'cores' }) });
  defineTool({ ...base, input, output: unit, execute: async ({ s }) => ({ load: s.length, unit: 'cores' }) });
  const list = z.object({
    list: z.array(z.object({ kind: z.enum(['a', 'b']) })),
    pair: z.tuple([z.string()]),
  });
  defineTool({
    ...base,
    input,
    output: list,
    execute: async ({ s }) => {
      if (s === '') return { list: [], pair: [s] };
      return { list: [{ kind: 'a' }, { kind: s === 'b' ? 'b' : 'a' }], pair: [s] };
    },
  });
  const names: readonly string[] = ['a'];
  defineTool({
    ...base,
    input,
    output: z.object({ names: z.array(z.string()) }),
    execute: () => ({ names }),
  });
  const union = z.union([
    z.object({ kind: z.literal('a') }),
    z.object({ kind: z.literal('b'), n: z.number() }),
  ]);
  defineTool({
    ...base,
    input,
    output: union,
    execute: ({ s }) => (s === '' ? { kind: 'a' } : { kind: 'b', n: 1 }),
  });
  const open = z.object({ any: z.unknown(), json: z.json(), map: z.record(z.string(), z.number()) });
  defineTool({
    ...base,
    input,
    output: open,
    execute: ({ s }) => ({ any: [s], json: { a: [s, null] }, map: { a: 1 } }),
  });
  const plain = {
    type: 'object',
    properties: { state: { enum: ['on', 'off'] } },
    required: ['state'],
  } as const;
  defineTool({ ...base, input, output: plain, execute: () => ({ state: 'on' }) });
  // @ts-expect-error -- not one of the states
  defineTool({ ...base, input, output: plain, execute: () => ({ state: 'half' }) });
  // @ts-expect-error -- a text is not the literal
  defineTool({ ...base, input, output: unit, execute: ({ s }) => ({ load: 1, unit: s }) });
});

test('wrong declarations do not compile', () => {
  const input = z.object({ a: z.string() });
  // @ts-expect-error -- the handler is missing
  defineTool({ ...base, input });
  // @ts-expect-error -- the input is missing
  defineTool({ ...base, execute: () => 1 });
  // @ts-expect-error -- there is no member b
  defineTool({ ...base, input, execute: ({ b }) => b });
  // @ts-expect-error -- a is a string
  defineTool({ ...base, input, execute: ({ a }: { a: number }) => a });
  // @ts-expect-error -- a policy is given or left out
  defineTool({ ...base, input, available: undefined, execute: () => 1 });
  // @ts-expect-error -- no such class
  defineTool({ ...base, input, profile: { class: 'admin' }, execute: () => 1 });
  // @ts-expect-error -- no such option
  defineTool({ ...base, input, desciption: 'x', execute: () => 1 });
});
