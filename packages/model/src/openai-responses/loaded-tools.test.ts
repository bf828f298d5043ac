import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { flattenNamespaces } from './flatten-namespaces.ts';
import { openaiResponses } from './openai-responses.ts';

const tool = (name: string, description = ''): JsonObject => ({ type: 'function', name, description });
const namespace = (name: string, ...tools: readonly JsonObject[]): JsonObject => ({
  type: 'namespace',
  name,
  description: '',
  tools,
});
const load = (...tools: readonly unknown[]): JsonObject => ({
  type: 'additional_tools',
  role: 'developer',
  tools: tools as readonly JsonObject[],
});
const said = (role: string, content: string): JsonObject => ({ role, content });

const flattened = (body: JsonObject, permits?: (name: string) => boolean) =>
  flattenNamespaces(openaiResponses.decodeRequest({ model: 'm', ...body }).value, permits);

describe('tools that a conversation loads', () => {
  test('are offered behind those of the request, those of namespaces under their whole names', () => {
    const input = [said('user', 'x'), load(tool('b'), namespace('n', tool('c'))), said('user', 'y')];
    const { call, losses, names } = flattened({ tools: [tool('a')], input });
    expect(call.tools?.map(({ name }) => name)).toEqual(['a', 'b', 'n__c']);
    expect(call.items).toMatchObject([{ role: 'user' }, { role: 'user' }]);
    expect(losses).toMatchObject([{ code: 'relocated', path: '/items/1', severity: 'info' }]);
    expect([...names.keys()]).toEqual(['n__c']);
  });

  test('leave what an operator says behind them at the head an instruction', () => {
    const input = [load(tool('a')), said('developer', 'be kind'), said('user', 'x'), said('developer', 'z')];
    const { call } = flattened({ instructions: 'first', input });
    expect(call.instructions).toMatchObject([{ text: 'first' }, { role: 'developer', text: 'be kind' }]);
    expect(call.items).toMatchObject([{ role: 'user' }, { role: 'developer' }]);
    expect(
      flattened({ input: [said('user', 'x'), load(tool('a')), said('developer', 'z')] }).call,
    ).toMatchObject({ items: [{ role: 'user' }, { role: 'developer' }] });
  });

  test('are there once, as the first that has the name', () => {
    const input = [load(tool('a', '2'), tool('b', '1'), namespace('n', tool('c', '1')))];
    const again = [...input, load(tool('b', '2'), namespace('n', tool('c', '2')))];
    const { call } = flattened({ tools: [tool('a', '1')], input: again });
    expect(call.tools).toMatchObject([
      { name: 'a', description: '1' },
      { name: 'b', description: '1' },
      { name: 'n__c', description: '1' },
    ]);
    expect(call.tools).toHaveLength(3);
  });

  test('stay only as far as they are permitted, by name or by type', () => {
    const hosted = { type: 'web_search', name: 'b' };
    const input = [
      load(tool('a'), tool('b'), { type: 'custom', name: 'exec' }, hosted, namespace('n', tool('c'))),
    ];
    const { call } = flattened({ input }, (name) => name === 'b');
    expect(call.tools).toMatchObject([{ kind: 'function', name: 'b' }]);
    expect(call.tools).toHaveLength(1);
    expect(flattened({ input }, () => false).call).not.toHaveProperty('tools');
    expect(flattened({ input }, (name) => name === 'web_search').call.tools).toMatchObject([
      { kind: 'foreign', value: { type: 'web_search' } },
    ]);
  });

  test.each<[string, JsonObject, string, string]>([
    ['that are no list', { type: 'additional_tools', tools: 1 }, 'model/request-invalid', '/items/0/tools'],
    ['one of which is none', load(tool('a'), 1), 'model/request-invalid', '/items/0/tools/1'],
    [
      'with one whole name',
      load(tool('n__c'), namespace('n', tool('c'))),
      'model/not-encodable',
      '/items/0/tools/1/tools/0',
    ],
  ])('are refused with their place: %s', (_name, item, code, pointer) => {
    expect(() => flattened({ input: [item] })).toThrow(expect.objectContaining({ code, pointer }));
  });
});
