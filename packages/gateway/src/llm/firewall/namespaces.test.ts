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
    const request = JSON.stringify({ model: 'm', input: 'x', stream, ...body });
    const { body: text } = await post(`${url}/v1/responses`, request);
    await stores.calls.flush();
    const [entry] = (await stores.calls.list()).items;
    return {
      text,
      passed: text.includes(`"call_id":${JSON.stringify(item['call_id'])}`),
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
