import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { type GatewaySetup, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents, sendJson } from '../../../test-support/raw-provider.ts';

const RESPONSES = 'openai-responses';

const find = (type: string) => ({
  type: 'function',
  name: 'find',
  parameters: { type: 'object', properties: { at: { type } }, required: ['at'] },
});
const namespace = (name: string, ...tools: object[]) => ({
  type: 'namespace',
  name,
  description: 'd',
  tools,
});
const called = (at: unknown, members: object = {}) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'find',
  arguments: JSON.stringify({ at }),
  status: 'completed',
  ...members,
});
const custom = {
  type: 'custom_tool_call',
  id: 'ct_1',
  call_id: 'c2',
  name: 'exec',
  input: 'ls',
  status: 'completed',
};

/** What a client gets of a call that its provider answers with, and what the call log says. */
async function asked(
  body: object,
  item: JsonObject,
  setup: Omit<GatewaySetup, 'providers'> = {},
  stream = false,
  begun: object = item,
) {
  const answer = { id: 'r', object: 'response', status: 'completed', model: 'm', output: [item] };
  const events = [
    { type: 'response.created', response: { ...answer, status: 'in_progress', output: [] } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...begun, arguments: '', status: 'in_progress' },
    },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: answer },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  const provider = stream ? sendEvents(events) : sendJson(JSON.stringify(answer));
  return withRawProvider(RESPONSES, [provider], setup, async ({ stores, url }, { requests }) => {
    const text = JSON.stringify({ model: 'm', input: 'x', stream, ...body }, (_name, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value,
    );
    const request = text.replace(/"(\d+)n"/g, '$1');
    const { body: answered, status } = await post(`${url}/v1/responses`, request);
    await stores.calls.flush();
    const [entry] = (await stores.calls.list()).items;
    return {
      text: answered,
      status,
      passed: answered.includes(`"call_id":${JSON.stringify(item['call_id'])}`),
      entry,
      sent: requests[0],
    };
  });
}

describe('a function in a namespace', () => {
  const tools = [namespace('mcp__x__', find('number')), namespace('notes', find('string'))];

  test.each([
    ['with arguments of its schema', called(1, { namespace: 'mcp__x__' }), true, 'mcp__x__find'],
    ['of another namespace by that one’s schema', called('a', { namespace: 'notes' }), true, 'notes__find'],
    [
      'with arguments of the other one’s schema',
      called('a', { namespace: 'mcp__x__' }),
      false,
      'mcp__x__find',
    ],
    ['of a namespace that there is not', called(1, { namespace: 'y' }), false, 'y__find'],
    ['without its namespace', called(1), false, 'find'],
  ])('%s is judged so, whole and streamed', async (_name, item, passes, tool) => {
    for (const stream of [false, true]) {
      const { entry, passed, sent, text } = await asked({ tools }, item, {}, stream);
      expect(passed).toBe(passes);
      expect(entry).toMatchObject({ tool, verdict: passes ? 'allowed' : 'refused' });
      if (passes) expect(text).toContain(`"namespace":${JSON.stringify((item as JsonObject)['namespace'])}`);
      expect(sent?.body.toString()).toContain('"type":"namespace"');
    }
  });

  test('is known to the rules of keys and routes by its whole name', async () => {
    const item = called(1, { namespace: 'mcp__x__' });
    const allowed = { grants: { toolsDefault: 'deny', allow: ['mcp__x__find'] } } as const;
    const { passed, sent } = await asked({ tools }, item, allowed);
    expect(passed).toBe(true);
    expect(sent?.body.toString()).toContain('"name":"mcp__x__"');
    expect((await asked({ tools }, called('a', { namespace: 'notes' }), allowed)).passed).toBe(false);
    const firewall = testFirewall({ scope: { allow: [], deny: ['mcp__x__find'] } });
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], firewall }];
    expect((await asked({ tools }, item, { routes })).passed).toBe(false);
  });

  test('is not offered where nothing of its namespace may pass', async () => {
    const denied = { grants: { deny: ['mcp__x__find', 'notes__find'] } };
    const { sent } = await asked({ tools }, called(1), denied);
    expect(sent?.body.toString()).not.toContain('namespace');
  });

  test('is not there when it went out of the offer together with another tool without a schema', async () => {
    const both = [...tools, { type: 'custom', name: 'exec' }];
    const item = called(1, { namespace: 'mcp__x__' });
    const { entry, passed, sent } = await asked({ tools: both }, item, { grants: { deny: ['exec'] } });
    expect(sent?.body.toString()).not.toContain('namespace');
    expect(passed).toBe(false);
    expect(entry).toMatchObject({ tool: 'mcp__x__find', reason: 'tool_unavailable' });
  });

  test('that is not there takes no other tool out of the offer', async () => {
    const { sent } = await asked(
      { tools: [namespace('empty'), { type: 'custom', name: 'exec' }] },
      called(1),
    );
    expect(sent?.body.toString()).toContain('"exec"');
  });

  test('may be what the client’s choice names', async () => {
    const choice = (name: string) => ({ tools, tool_choice: { type: 'function', name } });
    const item = called(1, { namespace: 'mcp__x__' });
    expect((await asked(choice('find'), item)).passed).toBe(true);
    expect((await asked(choice('other'), item)).passed).toBe(false);
  });

  test.each<[string, object, object]>([
    ['another one', { namespace: 'mcp__x__' }, { namespace: 'notes' }],
    ['one', {}, { namespace: 'notes' }],
    ['none', { namespace: 'notes' }, {}],
  ])('that has %s at its end than at its beginning fails the answer', async (_name, first, last) => {
    const all = [...tools, find('number'), namespace('any', find('string'))];
    const begun = called(1, first);
    const { text } = await asked({ tools: all }, called(1, last), {}, true, begun);
    expect(text).not.toContain('"type":"response.completed"');
    expect(text).not.toContain('response.output_item.done');
  });

  test('does not take the place of a function with its whole name', async () => {
    const flat = { ...find('string'), name: 'mcp__x__find' };
    const { passed } = await asked({ tools: [flat, ...tools] }, called(1, { namespace: 'mcp__x__' }));
    expect(passed).toBe(false);
  });
});

describe('a choice of a function in a namespace', () => {
  const tools = [namespace('mcp__x__', find('number')), namespace('notes', find('string'))];
  const named = (name: string, members: object = {}) => ({ type: 'function', name, ...members });
  const some = (...list: object[]) => ({ type: 'allowed_tools', mode: 'required', tools: list });
  const ofX = called(1, { namespace: 'mcp__x__' });
  const ofNotes = called('a', { namespace: 'notes' });

  test.each<[string, object, boolean, boolean]>([
    ['by its name', named('find'), true, true],
    ['by its name and its namespace', named('find', { namespace: 'notes' }), false, true],
    ['by its whole name', named('notes__find'), false, true],
    [
      'among some, by its name and its namespace',
      some(named('find', { namespace: 'mcp__x__' })),
      true,
      false,
    ],
    ['among some, by its name', some(named('other'), named('find')), true, true],
    ['among some, by the name of another one', some(named('other', { namespace: 'notes' })), false, false],
  ])('%s lets the model call no other one', async (_name, choice, x, notes) => {
    const body = { tools, tool_choice: choice };
    for (const written of [body, { odd: 12345678901234567890n, ...body }]) {
      const passes = await Promise.all(
        [ofX, ofNotes].map(async (item) => (await asked(written, item)).passed),
      );
      expect(passes).toEqual([x, notes]);
    }
  });

  test('does not reach it where another tool has its name outside', async () => {
    const all = [...tools, find('boolean')];
    const choice = { tools: all, tool_choice: named('find') };
    expect((await asked(choice, called(true))).passed).toBe(true);
    expect((await asked(choice, ofX)).passed).toBe(false);
  });

  test('that is not there is refused with its place, and nothing is sent', async () => {
    const choice = { tools, tool_choice: named('find', { namespace: 'y' }) };
    const { sent, status, text } = await asked(choice, ofX);
    expect([status, sent]).toEqual([400, undefined]);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'tool_unavailable', param: '/tool_choice' } });
  });

  test('stays with its namespace where a tool before it may not pass', async () => {
    const all = [...tools, { type: 'function', name: 'write' }];
    const choice = some(named('write', { namespace: 'mcp__x__' }), named('find', { namespace: 'notes' }));
    const body = { tools: all, tool_choice: choice };
    const denied = { grants: { deny: ['write', 'mcp__x__write'] } };
    expect((await asked(body, ofNotes, denied)).passed).toBe(true);
    expect((await asked(body, ofX, denied)).passed).toBe(false);
  });

  test('goes out as it came where another tool may not', async () => {
    const all = [...tools, { type: 'function', name: 'write' }];
    for (const choice of [named('find'), some(named('find')), named('find', { namespace: 'mcp__x__' })]) {
      const { passed, sent, status } = await asked({ tools: all, tool_choice: choice }, ofX, {
        grants: { deny: ['write'] },
      });
      expect([status, passed]).toEqual([200, true]);
      expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({ tools, tool_choice: choice });
    }
  });
});

describe('two tools with one whole name', () => {
  const inner = (name: string) => ({ ...find('number'), name });
  const custom = (name: string) => ({ type: 'custom', name });
  const item = called(1);

  test.each<[string, readonly object[], string]>([
    ['in two namespaces', [namespace('a', inner('b__c')), namespace('a__b', inner('c'))], '/tools/1/tools/0'],
    [
      'in namespaces that join alike',
      [namespace('a', inner('b')), namespace('a__', inner('b'))],
      '/tools/1/tools/0',
    ],
    ['one of them in none', [namespace('a', inner('x'), inner('b')), inner('a__b')], '/tools/0/tools/1'],
    ['one of them custom', [custom('a__b'), namespace('a', inner('b'))], '/tools/1/tools/0'],
    ['both custom', [namespace('a', custom('b__c')), namespace('a__b', custom('c'))], '/tools/1/tools/0'],
  ])('are refused with a place, and nothing is sent: %s', async (_name, tools, param) => {
    const { sent, status, text } = await asked({ tools }, item);
    expect([status, sent]).toEqual([400, undefined]);
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'tool_name_ambiguous', param } });
  });

  const load = (...tools: object[]) => ({
    type: 'tool_search_output',
    call_id: 's',
    execution: 'client',
    tools,
  });

  test('are refused where one of them is loaded', async () => {
    const input = [load(namespace('a__b', inner('c'))), { role: 'user', content: 'x' }];
    for (const tools of [[namespace('a', inner('b__c'))], [inner('a__b__c')]]) {
      const { status, text } = await asked({ tools, input }, item);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'tool_name_ambiguous', param: '/input' } });
    }
  });

  test.each<[string, object]>([
    ['the same one twice', { tools: [namespace('a', inner('b'), inner('b'))] }],
    ['one of which may not pass, nor the other', { tools: [namespace('no', inner('b')), inner('no__b')] }],
    [
      'the same one listed and loaded, twice',
      {
        tools: [namespace('a', inner('b')), inner('find')],
        input: [load(namespace('a', inner('b')), inner('find')), load(namespace('a', inner('b')))],
      },
    ],
  ])('are not %s', async (_name, body) => {
    const { status } = await asked(body, item, { grants: { deny: ['no__b'] } });
    expect(status).toBe(200);
  });

  test('pass where a route is a mere passage', async () => {
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model: undefined }], passthrough: true }];
    const tools = [namespace('a', inner('b__c')), namespace('a__b', inner('c'))];
    expect((await asked({ tools }, item, { routes })).status).toBe(200);
  });
});

describe('tools that the conversation has loaded', () => {
  const loaded = (type: string, ...tools: object[]) => [
    { type, call_id: 's1', execution: 'client', status: 'completed', role: 'developer', tools },
    { role: 'user', content: 'x' },
  ];

  test.each(['tool_search_output', 'additional_tools'])(
    'by an item of the kind %s are offered',
    async (type) => {
      const input = loaded(type, find('number'), namespace('functions', { type: 'custom', name: 'exec' }));
      const tools = [{ type: 'tool_search', execution: 'client' }];
      expect((await asked({ tools, input }, called(1))).passed).toBe(true);
      expect((await asked({ input }, called(1))).passed).toBe(true);
      expect((await asked({ tools, input }, called('a'))).passed).toBe(false);
      expect((await asked({ tools, input }, { ...custom, namespace: 'functions' })).passed).toBe(true);
      expect((await asked({ tools, input }, custom)).passed).toBe(false);
    },
  );

  test('stay those that the key may use', async () => {
    const input = loaded('additional_tools', find('number'));
    expect((await asked({ input }, called(1), { grants: { deny: ['find'] } })).passed).toBe(false);
  });
});
