import type { JsonObject, JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import { codecOf } from '../codec/codecs.ts';
import { flattenNamespaces } from './flatten-namespaces.ts';
import { openaiResponses } from './openai-responses.ts';
import { restoreNamespace } from './restore-namespace.ts';

const OTHERS = ['openai-chat', 'anthropic', 'gemini'] as const satisfies readonly Protocol[];

const find = (description: string, members: JsonObject = {}): JsonObject => ({
  type: 'function',
  name: 'find',
  description,
  parameters: { type: 'object', properties: { at: { type: 'string' } } },
  strict: false,
  ...members,
});
const namespace = (name: JsonValue, description: string, ...tools: readonly JsonObject[]): JsonObject => ({
  type: 'namespace',
  name,
  description,
  tools,
});

const decoded = (body: JsonObject) =>
  openaiResponses.decodeRequest({ model: 'm', input: 'x', ...body }).value;
const flattened = (body: JsonObject, permits?: (name: string) => boolean) =>
  flattenNamespaces(decoded(body), permits);
const names = (tools: readonly { readonly name: string }[] | null | undefined) =>
  tools?.map(({ name }) => name);

describe('functions in namespaces', () => {
  const tools = [find('flat'), namespace('mcp__x__', '', find('X')), namespace('notes', '', find('N'))];

  test('are functions of their own under their whole names, with their own schemas', () => {
    const { call, losses, names: known } = flattened({ tools });
    expect(names(call.tools)).toEqual(['find', 'mcp__x__find', 'notes__find']);
    expect(call.tools?.[1]).toMatchObject({ kind: 'function', description: 'X', strict: false });
    expect(call.tools?.[1]).toHaveProperty('parameters.properties.at.type', 'string');
    expect(losses).toEqual([]);
    expect([...known]).toEqual([
      ['mcp__x__find', { namespace: 'mcp__x__', name: 'find' }],
      ['notes__find', { namespace: 'notes', name: 'find' }],
    ]);
  });

  test.each(OTHERS)('can be said in %s', (protocol) => {
    const { losses, value } = codecOf(protocol).encodeRequest(flattened({ tools }).call);
    const body = JSON.stringify(value.body);
    for (const name of ['find', 'mcp__x__find', 'notes__find']) expect(body).toContain(`"name":"${name}"`);
    expect(body).not.toContain('namespace');
    expect(losses.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('are there only as far as they are permitted, and once each', () => {
    const twice = [namespace('a', '', find('1'), find('2')), namespace('b', '', find('3'))];
    const { call, losses } = flattened({ tools: twice }, (name) => name !== 'b__find');
    expect(call.tools).toMatchObject([{ name: 'a__find', description: '1' }]);
    expect(call.tools).toHaveLength(1);
    expect(losses).toMatchObject([{ code: 'dropped', path: '/tools/0/tools/1', severity: 'info' }]);
  });

  test('are known by their own names where the namespace has none', () => {
    const { call, names: known } = flattened({ tools: [namespace('', '', find('1'))] });
    expect([names(call.tools), known.size]).toEqual([['find'], 0]);
  });

  test('bear what their namespace says of itself, the first of them, unless it is too long', () => {
    const said = (description: string) => {
      const { call, losses } = flattened({ tools: [namespace('a', description, find('1'))] });
      const [tool] = call.tools ?? [];
      return [tool?.kind === 'function' ? tool.description : undefined, ...losses.map(({ code }) => code)];
    };
    expect(said('Of files.')).toEqual(['Of files.\n\n1', 'relocated']);
    expect(said('x'.repeat(1021))).toEqual([`${'x'.repeat(1021)}\n\n1`, 'relocated']);
    expect(said('x'.repeat(1022))).toEqual(['1', 'dropped']);
  });

  test('leave what is no function in its namespace, which no other protocol has a form for', () => {
    const custom = { type: 'custom', name: 'exec' };
    const { call } = flattened({ tools: [namespace('a', '', find('1'), custom)] });
    expect(call.tools?.map(({ kind, name }) => [kind, name])).toEqual([
      ['function', 'a__find'],
      ['foreign', 'a'],
    ]);
    const { losses } = codecOf('anthropic').encodeRequest(call);
    expect(losses).toContainEqual(expect.objectContaining({ code: 'refused', severity: 'error' }));
    expect(names(flattened({ tools: [namespace('a', '', custom)] }, () => false).call.tools)).toEqual([]);
  });

  test('tell of a member of their namespace that is lost', () => {
    const { losses } = flattened({ tools: [{ ...namespace('a', '', find('1')), extra: 1 }] });
    expect(losses).toMatchObject([{ code: 'dropped', path: '/tools/0/extra', severity: 'warning' }]);
  });

  test.each<[string, readonly JsonObject[], string]>([
    [
      'in two namespaces',
      [namespace('a', '', find('1')), namespace('a__', '', find('2'))],
      '/tools/1/tools/0',
    ],
    [
      'one of them in none',
      [namespace('a', '', find('1')), find('2', { name: 'a__find' })],
      '/tools/0/tools/0',
    ],
  ])('are refused where two have one whole name: %s', (_name, both, pointer) => {
    expect(() => flattened({ tools: both })).toThrow(
      expect.objectContaining({ code: 'model/not-encodable', pointer }),
    );
  });

  test.each<[string, JsonObject, string]>([
    ['without a name', namespace(null, '', find('1')), '/tools/0/name'],
    ['whose tools are no list', { ...namespace('a', ''), tools: {} }, '/tools/0/tools'],
    ['with a tool that is none', { ...namespace('a', ''), tools: [1] }, '/tools/0/tools/0'],
    ['with a function without a name', namespace('a', '', { type: 'function' }), '/tools/0/tools/0/name'],
  ])('are not looked for in a namespace %s', (_name, tool, pointer) => {
    expect(() => flattened({ tools: [tool] })).toThrow(
      expect.objectContaining({ code: 'model/request-invalid', pointer }),
    );
  });
});

describe('a history with namespaces', () => {
  const called = (call_id: string, members: JsonObject): JsonObject => ({
    type: 'function_call',
    call_id,
    name: 'find',
    arguments: '{}',
    ...members,
  });
  const answered = (call_id: string, members: JsonObject = {}): JsonObject => ({
    type: 'function_call_output',
    call_id,
    output: 'y',
    ...members,
  });

  test('has calls and results under whole names, and everything else as it was', () => {
    const input = [
      { role: 'user', content: 'x' },
      called('1', { namespace: 'notes', status: 'incomplete' }),
      answered('1', { name: 'find', namespace: 'notes' }),
      called('2', { namespace: null }),
      answered('2', { name: 'find', namespace: null }),
      called('3', {}),
      answered('3'),
      answered('4', { name: 'find', namespace: 'a__' }),
    ];
    const { items } = decoded({ input });
    const { call, names: known } = flattened({ input });
    expect(call.items.map((item) => ('name' in item ? item.name : undefined))).toEqual([
      undefined,
      'notes__find',
      'notes__find',
      'find',
      'find',
      'find',
      undefined,
      'a__find',
    ]);
    expect(JSON.stringify(call.items)).not.toContain('namespace');
    expect(call.items[1]).toHaveProperty('extensions.members', { status: 'incomplete' });
    expect(call.items.slice(5, 7)).toEqual(items.slice(5, 7));
    expect([...known]).toEqual([['notes__find', { namespace: 'notes', name: 'find' }]]);
  });

  test('names the result of a call as its call, although only that says the namespace', () => {
    const input = [called('1', { namespace: 'n' }), answered('1', { name: 'find' }), called('1', {})];
    const again = [...input, answered('1', { name: 'find' })];
    expect(flattened({ input: again }).call.items.map((item) => 'name' in item && item.name)).toEqual([
      'n__find',
      'n__find',
      'find',
      'find',
    ]);
  });

  test('leaves a whole name with the tool that is offered under it', () => {
    const tools = [find('1', { name: 'n__find' })];
    const { names: known } = flattened({ tools, input: [called('1', { namespace: 'n' })] });
    expect([...known]).toEqual([]);
  });

  test('without any comes back as the very same call', () => {
    const call = decoded({ tools: [find('1')], input: [called('1', {}), answered('1')] });
    expect(flattenNamespaces(call).call).toBe(call);
  });
});

describe('the answer to a call that was flattened', () => {
  const known = new Map([['notes__find', { namespace: 'notes', name: 'find' }]]);

  test('has calls where the client looks for them, streamed and whole', () => {
    const events = [
      { kind: 'response-start', id: 'r', model: 'm' },
      { kind: 'call-start', index: 0, callId: 'c', name: 'notes__find' },
      { kind: 'call-delta', index: 0, delta: '{}' },
      { kind: 'call-end', index: 0, callId: 'c', name: 'notes__find', arguments: '{}' },
      { kind: 'response-end', finish: 'tool-calls' },
    ] as const;
    const encoder = openaiResponses.encodeStream();
    const text = events.map((event) => encoder.push(restoreNamespace(event, known))).join('');
    const items = [...text.matchAll(/^data: (.*)$/gm)]
      .map(([, data = '']) => JSON.parse(data) as { type: string; item?: object; name?: string })
      .filter(({ item, name }) => item !== undefined || name !== undefined);
    expect(items).toMatchObject([
      { type: 'response.output_item.added', item: { name: 'find', namespace: 'notes' } },
      { type: 'response.function_call_arguments.done', name: 'find' },
      { type: 'response.output_item.done', item: { name: 'find', namespace: 'notes', arguments: '{}' } },
    ]);
    expect(text).not.toContain('notes__find');
  });

  test('keeps a name that the request did not have', () => {
    const made = { kind: 'call-start', index: 0, callId: 'c', name: 'find' } as const;
    expect(restoreNamespace(made, known)).toBe(made);
    const text = { kind: 'text-delta', index: 0, text: 'notes__find' } as const;
    expect(restoreNamespace(text, known)).toBe(text);
  });
});
