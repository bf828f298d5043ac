import { type JsonObject, type JsonValue, readJson } from '@toolgate/core';
import {
  codecOf,
  createHttpModel,
  guardHistory,
  type HttpModelConfig,
  ID_RULES,
  type Item,
  type ModelCall,
  PROTOCOLS,
  type Protocol,
} from '@toolgate/model';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { converse, resultsOf, TOOL } from './ask-agent.ts';
import { streamOf } from './wire-streams.ts';

const USER: Item = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'go on' }] };

function call(callId: string, text = '{"a":1}', name = TOOL): Item {
  return { kind: 'tool-call', callId, name, arguments: text };
}

function result(callId: string, text = 'ok'): Item {
  return { kind: 'tool-result', callId, name: TOOL, parts: [{ kind: 'text', text }] };
}

/** The arguments of every call of a request body, as the wire carries them. */
function wireArguments(protocol: Protocol, body: JsonValue): readonly unknown[] {
  const found: unknown[] = [];
  const look = (value: JsonValue): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as JsonObject;
    if (protocol === 'openai-chat' && node['function'] !== undefined && node['id'] !== undefined)
      found.push((node['function'] as JsonObject)['arguments']);
    else if (protocol === 'openai-responses' && node['type'] === 'function_call')
      found.push(node['arguments']);
    else if (protocol === 'anthropic' && node['type'] === 'tool_use') found.push(node['input']);
    else if (protocol === 'gemini' && node['functionCall'] !== undefined)
      found.push((node['functionCall'] as JsonObject)['args']);
    else Object.values(node).forEach(look);
  };
  look(body);
  return found;
}

function encode(protocol: Protocol, items: readonly Item[]): JsonObject {
  return codecOf(protocol).encodeRequest({ model: 'm', items: guardHistory(items, protocol).value }).value
    .body;
}

/** What a driver sends for a call, or what it throws instead. */
async function sent(
  protocol: Protocol,
  given: Partial<ModelCall>,
  config: Partial<HttpModelConfig> = {},
): Promise<JsonObject> {
  let body: JsonValue = null;
  const model = createHttpModel({
    codec: codecOf(protocol),
    model: 'm',
    baseUrl: 'http://model.test',
    retry: { attempts: 1 },
    ...config,
    fetch: (_url, init) => {
      body = readJson(typeof init.body === 'string' ? init.body : '');
      return Promise.resolve(
        new Response(streamOf(protocol, { text: 'ok', end: 'normal' }), {
          headers: { 'content-type': 'text/event-stream' },
        }),
      );
    },
  });
  const events = model.stream(
    { model: 'm', items: [USER], ...given },
    { signal: new AbortController().signal },
  );
  for await (const event of events) if (event.kind === 'response-error') throw new Error(event.message);
  return body as unknown as JsonObject;
}

const read = (protocol: Protocol, body: JsonObject): ModelCall =>
  codecOf(protocol).decodeRequest(body, { model: 'm' }).value;

describe.each(PROTOCOLS)('a history on the wire of %s', (protocol) => {
  test('has the arguments of each call as one object, encoded once, however often it is read and sent', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    const texts = fc.oneof(
      object.map((value) => JSON.stringify(value)),
      object.map((value) => JSON.stringify(JSON.stringify(value))),
      fc.constantFrom('', ' ', '{', '[]', 'null', '{"a":1}}', '"', '{"a":1,"a":2}'),
    );
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 5 }), (list) => {
        const items = list.flatMap((text, at) => [USER, call(`c${at}`, text), result(`c${at}`)]);
        const body = encode(protocol, items);
        const found = wireArguments(protocol, body);
        expect(found).toHaveLength(list.length);
        for (const value of found) {
          const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
          expect(Object.prototype.toString.call(parsed)).toBe('[object Object]');
        }
        let again = body;
        for (let round = 0; round < 3; round += 1) again = encode(protocol, read(protocol, again).items);
        expect(wireArguments(protocol, again)).toEqual(found);
      }),
      { numRuns: 100 },
    );
  });

  test('has the arguments that the model wrote', () => {
    const [value] = wireArguments(
      protocol,
      encode(protocol, [USER, call('c', '{"a":3,"b":4}'), result('c')]),
    );
    expect(value).toEqual(typeof value === 'string' ? '{"a":3,"b":4}' : { a: 3, b: 4 });
  });

  test('is repaired on its way out only: what is stored keeps its calls, names and arguments', async () => {
    const items = [
      USER,
      call('', '{"code":"print(1)"}', 'scratchpad'),
      call('toolu_2'),
      result('', 'printed'),
      USER,
      call('toolu_3', '{'),
      result('toolu_3', 'not JSON'),
    ];
    const before = structuredClone(items);
    const body = await sent(protocol, { items });
    expect(items).toEqual(before);
    const history = read(protocol, body).items;
    expect(
      history.flatMap((item) => (item.kind === 'tool-call' ? [[item.name, item.arguments]] : [])),
    ).toEqual([
      ['scratchpad', '{"code":"print(1)"}'],
      [TOOL, '{"a":1}'],
      [TOOL, '{}'],
    ]);
    expect(resultsOf(history).map(([, text]) => text)).toEqual([
      expect.stringContaining('printed'),
      expect.stringContaining('No result was recorded'),
      expect.stringContaining('not JSON'),
    ]);
  });

  test('has ids that the wire takes, each its own, and each on both sides', async () => {
    const ids = [
      'functions.write_todos:0',
      'call-3898\nfc_d9dc',
      '2968-LWy3uasib',
      'x'.repeat(200),
      `${'x'.repeat(199)}y`,
      '呼び出し',
      ...['a b', 'a.b', 'a:b', 'a_b', 'a\tb'],
      '',
      'null',
    ];
    const items = [USER, ...ids.map((id) => call(id)), ...ids.map((id, at) => result(id, `result ${at}`))];
    const history = read(protocol, await sent(protocol, { items })).items;
    const wireIds = history.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
    expect(new Set(wireIds).size).toBe(ids.length);
    const legal = protocol === 'anthropic' ? /^[a-zA-Z0-9_-]{1,64}$/ : /^[!-~]{1,128}$/;
    for (const id of wireIds) expect(id).toMatch(legal);
    expect(resultsOf(history)).toEqual(wireIds.map((id, at) => [id, `result ${at}`]));
  });

  test('with two results of one call has the first one', async () => {
    const items = [USER, call('t1'), result('t1', 'settled first'), result('t1', 'failed later')];
    const history = read(protocol, await sent(protocol, { items })).items;
    expect(resultsOf(history)).toEqual([['t1', 'settled first']]);
  });

  test('with a result under an id that no call has is refused before anything is sent', async () => {
    const odd = { ...call('call_3'), id: 'fc_9' };
    await expect(sent(protocol, { items: [USER, odd, result('fc_9')] })).rejects.toMatchObject({
      code: 'model/history-invalid',
      pointer: '/items/2',
    });
  });

  test('grows in a run whose every request offers the same tools', async () => {
    const calls = (at: number) => [{ id: `c${at}`, name: TOOL, pieces: [`{"at":${at}}`] }];
    const { bodies, result: run } = await converse(protocol, [
      streamOf(protocol, { calls: calls(1), end: 'normal' }),
      streamOf(protocol, { calls: calls(2), end: 'normal' }),
      streamOf(protocol, { text: 'Done.', end: 'normal' }),
    ]);
    expect(run.stopReason).toBe('answer');
    expect(bodies).toHaveLength(3);
    const [tools, ...others] = bodies.map((body) => JSON.stringify(body['tools']));
    expect(tools).toContain(`"${TOOL}"`);
    expect(others).toEqual([tools, tools]);
  });

  test('of a run without tools offers none, and a call all the same is refused and paired', async () => {
    const call = { id: 'c1', name: TOOL, pieces: ['{}'] };
    const {
      bodies,
      ran,
      histories,
      result: run,
    } = await converse(
      protocol,
      [
        streamOf(protocol, { calls: [call], end: 'normal' }),
        streamOf(protocol, { text: 'Summary.', end: 'normal' }),
      ],
      { hasTool: false },
    );
    expect(bodies.filter((body) => 'tools' in body)).toEqual([]);
    expect(ran).toEqual([]);
    expect(run).toMatchObject({ text: 'Summary.', outcomes: [{ reason: 'tool_unavailable' }] });
    expect(resultsOf(histories[1] ?? [])).toHaveLength(1);
  });
});

test('an endpoint that wants ids of nine letters and digits gets them, each its own', async () => {
  const ids = ['2968-LWy3uasib', '2968-LWy3uasic', 'call_1', 'aB3dE5gH9'];
  const items = [USER, ...ids.map((id) => call(id)), ...ids.map((id) => result(id, `of ${id}`))];
  const body = await sent('openai-chat', { items }, { history: { ids: ID_RULES.mistral } });
  const results = resultsOf(read('openai-chat', body).items);
  for (const [id] of results) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
  expect(new Set(results.map(([id]) => id)).size).toBe(ids.length);
  expect(results.map(([, text]) => text)).toEqual(ids.map((id) => `of ${id}`));
  expect(results[3]?.[0]).toBe('aB3dE5gH9');
});

test('a request that goes on from a stored response carries its tools and instructions again', async () => {
  const body = await sent('openai-responses', {
    previousResponseId: 'resp_1',
    instructions: [{ role: 'system', text: 'Be brief.' }],
    tools: [{ kind: 'function', name: TOOL, parameters: { type: 'object' } }],
  });
  expect(body).toMatchObject({
    previous_response_id: 'resp_1',
    instructions: 'Be brief.',
    tools: [{ name: TOOL }],
  });
});

test('of the two ids of a call the one pairs it and the other one stays with it', async () => {
  const item = { type: 'function_call', id: 'fc_9', call_id: 'call_3', name: TOOL, arguments: '{}' };
  const events = [
    { type: 'response.created', response: { id: 'r', status: 'in_progress', output: [] } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r', status: 'completed', output: [item] } },
  ];
  const { bodies } = await converse('openai-responses', [
    events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''),
    streamOf('openai-responses', { text: 'Done.', end: 'normal' }),
  ]);
  expect(bodies[1]?.['input']).toMatchObject([
    { role: 'user' },
    { type: 'function_call', id: 'fc_9', call_id: 'call_3' },
    { type: 'function_call_output', call_id: 'call_3' },
  ]);
});
