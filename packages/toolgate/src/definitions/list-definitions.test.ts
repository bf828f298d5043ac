import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { listDefinitions } from './list-definitions.ts';

const schema = { type: 'object', properties: { a: { type: 'string' } } };
const mcp = { name: 'one', description: 'First.', inputSchema: schema };
const forms = [
  ['mcp', mcp],
  ['openai-chat', { type: 'function', function: { name: 'one', description: 'First.', parameters: schema } }],
  [
    'openai-responses',
    { type: 'function', name: 'one', description: 'First.', parameters: schema, strict: true },
  ],
  ['openai-responses', { name: 'one', description: 'First.', parameters: schema }],
  ['anthropic', { name: 'one', description: 'First.', input_schema: schema }],
  ['anthropic', { type: 'custom', name: 'one', description: 'First.', input_schema: schema }],
] as const;

describe('the forms of tool definitions', () => {
  test.each(forms)('%s: %j has a name, a description and a schema', (form, entry) => {
    expect(listDefinitions([entry as JsonValue])).toEqual([
      {
        form,
        name: 'one',
        definition: expect.objectContaining({ name: 'one', description: 'First.', inputSchema: schema }),
      },
    ]);
  });

  test('title, output schema and annotations are those of MCP only', () => {
    const more = { title: 'One', outputSchema: schema, annotations: { readOnlyHint: true } };
    expect(listDefinitions([{ ...mcp, ...more }])[0]?.definition).toMatchObject(more);
    const [anthropic] = listDefinitions([{ name: 'one', input_schema: schema, ...more }]);
    expect(Object.keys(anthropic?.definition ?? {})).not.toContain('outputSchema');
  });

  test('an OpenAI function without parameters takes none, and a description may be absent or null', () => {
    for (const entry of [
      { type: 'function', function: { name: 'one' } },
      { type: 'function', name: 'one', description: null },
    ]) {
      expect(listDefinitions([entry])[0]?.definition).toMatchObject({
        description: '',
        inputSchema: { type: 'object', properties: {} },
      });
    }
  });

  test.each([
    ['a tool of the provider', { type: 'web_search_20250305', name: 'web_search' }, 'hosted', 'web_search'],
    ['one without a name', { type: 'code_interpreter' }, 'hosted', 'code_interpreter'],
    ['a number', 7, 'unknown', undefined],
    ['null', null, 'unknown', undefined],
    ['an empty object', {}, 'unknown', undefined],
    ['a name alone', { name: 'one' }, 'unknown', 'one'],
    ['a name that is no string', { name: 5, inputSchema: schema }, 'mcp', undefined],
  ] as const)('%s is told apart', (_what, entry, form, name) => {
    expect(listDefinitions([entry as JsonValue])).toMatchObject([{ form, name }]);
  });
});

describe('where definitions are found', () => {
  test.each([
    ['an array', [mcp]],
    ['a request or a file with tools', { model: 'x', tools: [mcp] }],
    ['an answer of MCP in its envelope', { jsonrpc: '2.0', id: 1, result: { tools: [mcp] } }],
    ['one definition alone', mcp],
  ])('%s', (_what, value) => {
    expect(listDefinitions(value as JsonValue).map(({ name }) => name)).toEqual(['one']);
  });

  test('an empty list is a list', () => {
    expect(listDefinitions([])).toEqual([]);
  });

  test.each([
    ['a text', 'tools'],
    ['null', null],
    ['another object', { result: {} }],
    ['tools that are no array', { tools: {} }],
    ['a hosted tool alone', { type: 'web_search' }],
  ])('%s holds none', (_what, value) => {
    expect(() => listDefinitions(value as JsonValue)).toThrow(
      expect.objectContaining({ code: 'cli/definitions-unknown' }),
    );
  });
});
