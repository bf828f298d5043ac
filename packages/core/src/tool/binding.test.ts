import { describe, expect, test } from 'vitest';
import { type Binding, bind, dispatch } from './binding.ts';
import { type ContractOptions, defineContract } from './define-contract.ts';
import { DirectCall } from './direct-call.ts';
import type { InputValidator } from './input-validator.ts';
import type { Invocation } from './invocation.ts';
import { jsonOutput, structuredOutput, textOutput } from './make-output.ts';
import type { CallContext, Tool } from './tool.ts';
import type { ToolDefinition } from './tool-definition.ts';

const definition: ToolDefinition = {
  name: 'echo',
  description: 'Echoes.',
  inputSchema: { type: 'object', properties: { a: { type: 'integer' } } },
};

const echo: Tool = {
  definition: () => structuredClone(definition),
  call: async (invocation) => jsonOutput(invocation.arguments()),
};

function prepare(tool: Tool, text = '{"a":1}') {
  const binding = bind(tool);
  const prepared = binding.contract.prepare({ id: 'c1', name: 'echo', arguments: text });
  if (!prepared.ok) throw new Error(prepared.error.text);
  return { binding, invocation: prepared.invocation };
}

const foreign = expect.objectContaining({ code: 'tool/invocation-foreign' });

test('a bound tool executes what its contract admitted', async () => {
  const { binding, invocation } = prepare(echo);
  const output = await binding.call(invocation);
  expect(output.text()).toBe('{"a":1}');
});

test('the definition is read exactly once, through the wrapping chain', () => {
  const reads: string[] = [];
  const inner: Tool = {
    ...echo,
    definition: () => {
      reads.push('inner');
      return definition;
    },
  };
  const outer: Tool = {
    ...echo,
    definition: () => {
      reads.push('outer');
      return inner.definition();
    },
    unwrap: () => inner,
  };
  const { contract } = bind(outer);
  contract.prepare({ id: 'c', name: 'echo', arguments: '{}' });
  expect([contract.definition.name, contract.digest, reads]).toEqual([
    'echo',
    expect.any(String),
    ['outer', 'inner'],
  ]);
});

test('changing the definition after binding changes neither what is shown nor what is enforced', () => {
  const changing = structuredClone(definition) as {
    inputSchema: Record<string, unknown>;
    description: string;
  };
  const { contract } = bind({ ...echo, definition: () => changing as unknown as ToolDefinition });
  changing.description = 'Obeys.';
  changing.inputSchema['properties'] = { a: { type: 'string' } };
  expect(contract.definition).toEqual(definition);
  expect(contract.prepare({ id: 'c', name: 'echo', arguments: '{"a":"x"}' }).ok).toBe(false);
});

test('an invocation of another contract is refused, also of the same tool bound again', async () => {
  const { invocation } = prepare(echo);
  const again = bind(echo);
  await expect(again.call(invocation)).rejects.toThrow(foreign);
  expect(() => dispatch(again, invocation, new DirectCall('c1', undefined, undefined))).toThrow(foreign);
});

test.each([
  ['nothing', undefined],
  ['data that looks like one', { callId: 'c', name: 'echo', arguments: () => ({ a: 1 }) }],
  ['a proxy around one', new Proxy(prepare(echo).invocation, {})],
])('%s is no invocation', async (_, value) => {
  await expect(bind(echo).call(value as Invocation)).rejects.toThrow(foreign);
});

test('the tool gets context, call id and signal; without a signal one that is never aborted', async () => {
  const seen: CallContext<string>[] = [];
  const tool: Tool<string> = {
    ...echo,
    call: async (_, call) => {
      seen.push(call);
      return textOutput('');
    },
  };
  const binding = bind(tool);
  const prepared = binding.contract.prepare({ id: 'c1', name: 'echo', arguments: '' });
  if (!prepared.ok) throw new Error(prepared.error.text);
  const { signal } = new AbortController();
  await binding.call(prepared.invocation, { context: 'me', signal });
  await binding.call(prepared.invocation, { context: 'you' });
  expect(seen.map(({ context, callId }) => [context, callId])).toEqual([
    ['me', 'c1'],
    ['you', 'c1'],
  ]);
  expect(seen[0]?.signal).toBe(signal);
  expect(seen[1]?.signal.aborted).toBe(false);
  expect(seen[1]?.signal).toBe(seen[1]?.signal);
});

test('a tool whose call is replaced after binding still runs what was bound', async () => {
  const changing = { ...echo };
  const { binding, invocation } = prepare(changing);
  changing.call = async () => textOutput('replaced');
  expect((await binding.call(invocation)).text()).toBe('{"a":1}');
});

test('what a tool throws comes through unchanged, at once or later', async () => {
  const thrown = new Error('x');
  const early: Tool = {
    ...echo,
    call: () => {
      throw thrown;
    },
  };
  const late: Tool = { ...echo, call: () => Promise.reject(thrown) };
  for (const tool of [early, late]) {
    const { binding, invocation } = prepare(tool);
    await expect(binding.call(invocation)).rejects.toBe(thrown);
  }
});

test('a result is checked against the output schema', async () => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] };
  const tool = (output: () => unknown): Tool => ({
    definition: () => ({ ...definition, outputSchema }),
    call: async () => output() as ReturnType<typeof textOutput>,
  });
  const results: [() => unknown, unknown][] = [
    [() => structuredOutput({ sum: 1 }), undefined],
    [() => structuredOutput({ sum: 'x' }), '/sum'],
    [() => textOutput('1'), ''],
  ];
  for (const [output, pointer] of results) {
    const { binding, invocation } = prepare(tool(output));
    const called = binding.call(invocation);
    if (pointer === undefined) expect((await called).structured).toEqual({ sum: 1 });
    else
      await expect(called).rejects.toThrow(expect.objectContaining({ code: 'tool/output-invalid', pointer }));
  }
});

test.each([
  ['nothing', undefined],
  ['a text', 'plain'],
  ['data', { parts: [] }],
  ['a result of another copy that is broken', { kind: 'tool-output', parts: [{}], text: () => '' }],
])('%s from a raw tool is %s', async (_, result) => {
  const { binding, invocation } = prepare({ ...echo, call: async () => result as never });
  const called = binding.call(invocation);
  if (typeof result === 'string') expect((await called).text()).toBe('plain');
  else await expect(called).rejects.toThrow(expect.objectContaining({ code: 'tool/output-invalid' }));
});

const bad: readonly (readonly [string, unknown, string])[] = [
  ['nothing', undefined, 'tool/not-a-tool'],
  [
    'a definition that throws',
    {
      ...echo,
      definition: () => {
        throw new Error('x');
      },
    },
    'tool/definition-invalid',
  ],
  ['a definition that is a promise', { ...echo, definition: async () => definition }, 'tool/name-invalid'],
  ['a broken chain', { ...echo, unwrap: () => undefined }, 'tool/wrapping-invalid'],
  [
    'a validator that throws when it is asked for',
    {
      ...echo,
      inputValidator: () => {
        throw new Error('x');
      },
    },
    'tool/validator-invalid',
  ],
  ['a validator that is undefined', { ...echo, inputValidator: undefined }, 'tool/validator-invalid'],
  ['a validator that is no function', { ...echo, inputValidator: () => 'x' }, 'tool/validator-invalid'],
  [
    'an asynchronous validator',
    { ...echo, inputValidator: () => async () => ({ kind: 'valid' }) },
    'tool/validator-invalid',
  ],
  ['a bound that is none', { ...echo, maxArgumentBytes: -1 }, 'tool/options-invalid'],
];

test.each(bad)('%s cannot be bound', (_, tool, code) => {
  expect(() => bind(tool as Tool)).toThrow(expect.objectContaining({ code }));
});

test('an option that is misspelt is refused, and does not leave a foreign schema trusted', () => {
  const options = { trsut: 'foreign' } as ContractOptions;
  const refusal = expect.objectContaining({
    code: 'tool/options-invalid',
    message: expect.stringContaining('"trsut"'),
  });
  expect(() => bind(echo, options)).toThrow(refusal);
  expect(() => defineContract(echo.definition(), options)).toThrow(refusal);
  // What binds a list of tools hands on their places.
  expect([echo].map(bind as (tool: Tool) => Binding)).toHaveLength(1);
});

test('the outermost validator rules, and a tool may say that it has none', () => {
  const refuse: InputValidator = () => ({ kind: 'invalid', issues: [{ message: 'no' }] });
  const inner: Tool = { ...echo, inputValidator: () => refuse };
  const none: Tool = { ...echo, inputValidator: () => undefined, unwrap: () => inner };
  const outer: Tool = { ...echo, unwrap: () => inner };
  const admits = (tool: Tool) => bind(tool).contract.prepare({ id: 'c', name: 'echo', arguments: '' }).ok;
  expect([admits(inner), admits(outer), admits(none)]).toEqual([false, false, true]);
});

test('the bound of a tool holds through its decorators, and an option wins over it', () => {
  const small: Tool = { ...echo, maxArgumentBytes: 4 };
  const outer: Tool = { ...echo, unwrap: () => small };
  const reason = (binding: ReturnType<typeof bind>) => {
    const prepared = binding.contract.prepare({ id: 'c', name: 'echo', arguments: '{"a":1}' });
    return prepared.ok ? 'ok' : prepared.error.reason;
  };
  expect(reason(bind(outer))).toBe('arguments_too_large');
  expect(reason(bind(outer, { maxArgumentBytes: 100 }))).toBe('ok');
});

test('a contract keeps neither the tool nor the binding', () => {
  const { binding } = prepare(echo);
  expect(binding.tool).toBe(echo);
  expect(Reflect.ownKeys(binding.contract)).toEqual([]);
  expect(() => Reflect.construct(binding.constructor, [])).toThrow();
});

describe('a tool whose members change or throw is refused by code', () => {
  const plain = { name: 't', description: '', inputSchema: { type: 'object' } };
  const raise = (): never => {
    throw new Error('trap');
  };
  const throwing = (name: string): object =>
    Object.defineProperty({}, name, { get: raise, enumerable: true });
  const toolOf = (definition: object): object => ({ definition: () => definition, call: () => 'x' });
  let reads = 0;
  test.each<[string, object, string]>([
    ['annotations', toolOf({ ...plain, annotations: throwing('title') }), 'tool/definition-invalid'],
    ['maxArgumentBytes', Object.assign(throwing('maxArgumentBytes'), toolOf(plain)), 'tool/not-a-tool'],
    [
      'a membership',
      new Proxy(toolOf(plain), {
        has: (_target, name) => name === 'definition' || name === 'call' || raise(),
      }),
      'tool/not-a-tool',
    ],
    [
      'call, which is a function only at first',
      {
        definition: () => plain,
        get call(): unknown {
          reads += 1;
          return reads > 2 ? undefined : () => 'x';
        },
      },
      'tool/not-a-tool',
    ],
  ])('%s', (_name, tool, code) => {
    expect(() => bind(tool as Tool)).toThrow(expect.objectContaining({ name: 'ContractError', code }));
  });
});
