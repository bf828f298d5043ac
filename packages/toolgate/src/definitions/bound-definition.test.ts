import type { JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { bindDefinitions } from './bound-definition.ts';
import { createContractCache } from './contract-cache.ts';
import { listDefinitions } from './list-definitions.ts';

const definition = (name: JsonValue, inputSchema: JsonValue = { type: 'object' }): JsonValue => ({
  name,
  description: '',
  inputSchema,
});
const bound = (entries: readonly JsonValue[], options = {}) =>
  bindDefinitions(listDefinitions(entries), options);

describe('contracts of foreign definitions', () => {
  test('a legal name is kept, and nothing stands for it', () => {
    const [tool] = bound([definition('get_weather')]);
    expect(tool?.contract?.definition.name).toBe('get_weather');
    expect(tool).not.toHaveProperty('alias');
  });

  test('a name with dots gets an alias that depends on that name only', () => {
    const [alone] = bound([definition('math.power')]);
    const [, among] = bound([definition('math_power'), definition('math.power'), definition('math/power')]);
    expect(alone?.alias).toMatch(/^math_power_[0-9a-f]{12}$/u);
    expect(among?.alias).toBe(alone?.alias);
    expect(alone?.contract?.definition.name).toBe(alone?.alias);
    expect(alone?.name).toBe('math.power');
  });

  test('no two names share an alias, even when one is called like the alias of another', () => {
    const [first] = bound([definition('a.b')]);
    const tools = bound(
      ['a.b', 'a/b', 'a b', '', 'ä'.repeat(200), first?.alias ?? ''].map((name) => definition(name)),
    );
    const names = tools.map(({ contract }) => contract?.definition.name);
    expect(new Set(names).size).toBe(tools.length);
  });

  test.each([
    [
      'a remote reference',
      definition('t', { type: 'object', properties: { a: { $ref: 'https://x.example/s' } } }),
      'schema/reference-remote',
    ],
    [
      'a pattern that may be slow',
      definition('t', { type: 'object', properties: { a: { pattern: '(a+)+$' } } }),
      'schema/pattern-unsafe',
    ],
    ['a root that is no object', definition('t', { type: 'string' }), 'tool/schema-invalid'],
    ['a schema that is none', definition('t', 5), 'schema/not-a-schema'],
    ['a name that is no string', definition(5), 'tool/name-invalid'],
    [
      'a description that is no string',
      { name: 't', description: 5, inputSchema: { type: 'object' } },
      'tool/definition-invalid',
    ],
    ['an entry of no form', { hello: 1 }, 'cli/definition-unknown'],
  ])('%s is refused by name', (_what, entry, code) => {
    const [tool] = bound([entry as JsonValue]);
    expect(tool).not.toHaveProperty('contract');
    expect(tool?.fault?.code).toBe(code);
  });

  test('a hosted tool has neither a contract nor a fault', () => {
    expect(bound([{ type: 'web_search', name: 'w' }])).toEqual([
      { form: 'hosted', name: 'w', class: 'unclassified', privileged: false },
    ]);
  });

  test('strict refuses the forms of other drafts that are noted otherwise', () => {
    const old = definition('t', {
      type: 'object',
      properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: true } },
    });
    expect(bound([old])[0]?.contract?.intake.notes).toMatchObject([{ kind: 'normalised' }]);
    expect(bound([old], { strict: true })[0]?.fault?.code).toBe('schema/leftover');
  });
});

describe('a cache of contracts', () => {
  test('makes one contract for the same text, and another one for another text', () => {
    const cache = createContractCache();
    const [first, second, third] = [definition('a'), definition('a'), definition('b')].map(
      (entry) => bound([entry], { cache })[0]?.contract,
    );
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('forgets what was not used for longest, and keeps what is used', () => {
    const cache = createContractCache();
    const taken = { fault: { code: 'x', message: 'x' } };
    let made = 0;
    const get = (text: string): unknown =>
      cache.get(text, () => {
        made += 1;
        return taken;
      });
    for (let count = 0; count < 10_000; count += 1) {
      get('used');
      get(`other ${count}`);
    }
    expect(made).toBe(10_001);
    get('other 0');
    expect(made).toBe(10_002);
    get('other 9999');
    expect(made).toBe(10_002);
  });

  test('keeps no more text than its bound, whatever one definition has', () => {
    const cache = createContractCache();
    const taken = { fault: { code: 'x', message: 'x' } };
    let made = 0;
    const get = (text: string): unknown =>
      cache.get(text, () => {
        made += 1;
        return taken;
      });
    const large = 'x'.repeat(6_000_000);
    for (const name of ['a', 'b', 'c', 'c', 'b', 'a']) get(name + large);
    expect(made).toBe(4);
  });
});
