import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { ask } from '../../test-support/ask.ts';
import { createFakeFetch } from '../../test-support/fake-fetch.ts';
import type { FunctionTool, ModelCall, ResponseFormat, ToolChoice } from '../call/model-call.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { codecOf } from '../codec/codecs.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { createHttpModel } from './http-model.ts';
import type { HttpModelConfig } from './http-model-config.ts';

const QUESTION = { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Ist offen?' }] } as const;

const SEARCH: FunctionTool = {
  kind: 'function',
  name: 'search',
  parameters: {
    type: 'object',
    properties: { q: { type: 'string' }, limit: { type: 'integer' } },
    required: ['q'],
    additionalProperties: false,
  },
};

const DOTTED: FunctionTool = { ...SEARCH, name: 'files.search/v2 ä' };

const UNFIT: FunctionTool = { kind: 'function', name: 'unfit', parameters: { type: 'string' } };

/** What a model that answers with these calls was asked, and what came out of it. */
async function talk(
  call: Partial<ModelCall>,
  answer: (wireTools: readonly string[]) => readonly ModelEvent[],
  config: Partial<HttpModelConfig> = {},
) {
  const codec = config.codec ?? codecOf('openai-chat');
  const { fetch, requests } = createFakeFetch(({ body }) => {
    const asked = codec.decodeRequest(JSON.parse(body), { model: 'm' }).value;
    const encoder = codec.encodeStream();
    const events = answer((asked.tools ?? []).map(({ name }) => name));
    const text = events.map((event) => encoder.push(event)).join('');
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  });
  const model = createHttpModel({ codec, baseUrl: 'http://model.test', model: 'm', fetch, ...config });
  const events = await ask(model, { model: 'm', items: [QUESTION], ...call });
  const body = JSON.parse(requests[0]?.body ?? 'null') as JsonObject;
  return { events, body, asked: codec.decodeRequest(body, { model: 'm' }).value };
}

function callsOf(...calls: readonly (readonly [string, string])[]): readonly ModelEvent[] {
  const response: ModelResponse = {
    id: 'a',
    model: 'm',
    items: calls.map(([name, text], index) => {
      return { kind: 'tool-call', callId: `call_${index}`, name, arguments: text };
    }),
    finish: 'tool-calls',
    usage: null,
  };
  return responseToEvents(response);
}

const warnings = (events: readonly ModelEvent[]): readonly string[] =>
  events.flatMap((event) => (event.kind === 'warning' ? [`${event.code} ${event.detail}`] : []));

describe('the schemas of tools', () => {
  test('are offered as the endpoint takes them, and arguments come back as the tool means them', async () => {
    const { body, events } = await talk(
      { tools: [SEARCH] },
      () => callsOf(['search', '{"q":"a","limit":null}'], ['search', '{"q":"b","limit":2}']),
      { schemas: 'openai-strict' },
    );
    expect(body['tools']).toMatchObject([
      { function: { strict: true, parameters: { required: ['q', 'limit'] } } },
    ]);
    expect(collectResponse(events).items).toMatchObject([
      { name: 'search', arguments: '{"q":"a"}' },
      { name: 'search', arguments: '{"q":"b","limit":2}' },
    ]);
  });

  test('make a call wait for its end only when its arguments may change', async () => {
    const plain: FunctionTool = {
      ...SEARCH,
      name: 'plain',
      parameters: { ...SEARCH.parameters, required: ['q', 'limit'] },
    };
    const { events } = await talk(
      { tools: [SEARCH, plain] },
      () => [
        { kind: 'response-start', id: 'a', model: 'm' },
        { kind: 'call-start', index: 0, callId: 'c0', name: 'search' },
        ...['{"q":', '"a"}'].map((delta) => ({ kind: 'call-delta' as const, index: 0, delta })),
        { kind: 'call-end', index: 0, callId: 'c0', name: 'search', arguments: '{"q":"a"}' },
        { kind: 'call-start', index: 1, callId: 'c1', name: 'plain' },
        ...['{"q":', '"a"}'].map((delta) => ({ kind: 'call-delta' as const, index: 1, delta })),
        { kind: 'call-end', index: 1, callId: 'c1', name: 'plain', arguments: '{"q":"a"}' },
        { kind: 'response-end', finish: 'tool-calls' },
      ],
      { schemas: 'openai-strict' },
    );
    const deltas = (name: string): readonly string[] => {
      const start = events.find((event) => event.kind === 'call-start' && event.name === name);
      return events.flatMap((event) =>
        event.kind === 'call-delta' && start?.kind === 'call-start' && event.index === start.index
          ? [event.delta]
          : [],
      );
    };
    expect(deltas('search')).toEqual(['{"q":"a"}']);
    expect(deltas('plain')).toEqual(['{"q":', '"a"}']);
  });

  test.each([
    ['is cut off', '{"q":"a","lim'],
    ['is no JSON', '{"q":oops}'],
    ['holds a member twice', '{"q":"a","q":"b","limit":null}'],
  ])('leave argument text alone that %s', async (_, text) => {
    const { events } = await talk({ tools: [SEARCH] }, () => callsOf(['search', text]), {
      schemas: 'openai-strict',
    });
    expect(collectResponse(events).items).toMatchObject([{ arguments: text }]);
  });

  test('leave a call that the model did not finish with what it wrote', async () => {
    const { events } = await talk(
      { tools: [SEARCH] },
      () => callsOf(['search', '{"q":"a","limit":null}']).slice(0, 3),
      { schemas: 'openai-strict' },
    );
    const { items, incomplete } = collectResponse(events);
    expect(items).toMatchObject([{ arguments: '{"q":"a","limit":null}' }]);
    expect(incomplete).toEqual(['call_0']);
  });

  test('that the endpoint would refuse leave their tool out, and not the others', async () => {
    const { asked, events } = await talk({ tools: [UNFIT, SEARCH] }, () => callsOf());
    expect(asked.tools?.map(({ name }) => name)).toEqual(['search']);
    expect(warnings(events).join()).toMatch(/loss\/refused error at \/tools\/0\/parameters/);
  });

  test('that the endpoint would refuse are a refusal where nothing may get lost', async () => {
    await expect(talk({ tools: [UNFIT] }, () => callsOf(), { strict: true })).rejects.toMatchObject({
      code: 'model/not-encodable',
      pointer: '/tools/0/parameters',
    });
  });

  test('can be sent as they are written', async () => {
    const { body, events } = await talk(
      { tools: [SEARCH] },
      () => callsOf(['search', '{"q":"a","limit":null}']),
      { schemas: 'as-written' },
    );
    expect(body['tools']).toEqual([
      { type: 'function', function: { name: 'search', parameters: SEARCH.parameters } },
    ]);
    expect(collectResponse(events).items).toMatchObject([{ arguments: '{"q":"a","limit":null}' }]);
  });

  test.each([
    ['at OpenAI are strict', 'https://api.openai.com/v1', true],
    ['elsewhere are not', 'http://localhost:1/v1', false],
  ])('%s by default', async (_, baseUrl, strict) => {
    const { asked } = await talk({ tools: [SEARCH] }, () => callsOf(), { baseUrl });
    expect(JSON.stringify(asked.tools).includes('"strict":true')).toBe(strict);
  });

  test('are projected anew when they changed', async () => {
    const bodies: string[] = [];
    const { fetch } = createFakeFetch(
      ...Array.from({ length: 2 }, () => ({ body }: { readonly body: string }) => {
        bodies.push(body);
        return Response.json({}, { status: 400 });
      }),
    );
    const model = createHttpModel({
      codec: codecOf('openai-chat'),
      baseUrl: 'http://model.test',
      model: 'm',
      fetch,
    });
    const parameters: Record<string, JsonObject | string> = { type: 'object', properties: {} };
    const call: ModelCall = { model: 'm', items: [QUESTION], tools: [{ ...SEARCH, parameters }] };
    await ask(model, call).catch(() => undefined);
    parameters['properties'] = { later: { type: 'string' } };
    await ask(model, call).catch(() => undefined);
    expect(bodies.map((body) => body.includes('later'))).toEqual([false, true]);
  });
});

describe('the schema of the answer', () => {
  const format: ResponseFormat = {
    kind: 'json-schema',
    name: 'found',
    schema: SEARCH.parameters as JsonObject,
  };
  const text = (...pieces: readonly string[]): readonly ModelEvent[] => [
    { kind: 'response-start', id: 'a', model: 'm' },
    { kind: 'text-start', index: 0 },
    ...pieces.map((piece) => ({ kind: 'text-delta' as const, index: 0, text: piece })),
    { kind: 'text-end', index: 0 },
    { kind: 'response-end', finish: 'stop' },
  ];
  const deltas = (events: readonly ModelEvent[]): readonly string[] =>
    events.flatMap((event) => (event.kind === 'text-delta' ? [event.text] : []));

  test('is sent as the endpoint takes it, and the text comes back as the caller means it', async () => {
    const { asked, events } = await talk(
      { responseFormat: format },
      () => text('{"q":"a",', '"limit":null}'),
      {
        schemas: 'openai-strict',
      },
    );
    expect(asked.responseFormat).toMatchObject({ strict: true, schema: { required: ['q', 'limit'] } });
    expect(deltas(events)).toEqual(['{"q":"a"}']);
  });

  test('makes the text wait for its end only when it may change', async () => {
    const { events } = await talk({ responseFormat: format }, () => text('{"q":"a",', '"limit":null}'), {
      schemas: 'openai',
    });
    expect(deltas(events)).toEqual(['{"q":"a",', '"limit":null}']);
  });

  test('leaves a text that breaks off, or is no JSON, with what it says', async () => {
    const { events } = await talk({ responseFormat: format }, () => text('Sorry', '.'), {
      schemas: 'openai-strict',
    });
    expect(deltas(events)).toEqual(['Sorry.']);
    const broken = await talk(
      { responseFormat: format },
      () => [
        ...text('{"q":"a"').slice(0, 3),
        { kind: 'response-error', code: 'model/provider-error', message: 'x' },
      ],
      { schemas: 'openai-strict' },
    );
    expect(deltas(broken.events)).toEqual(['{"q":"a"']);
  });

  test('is sent as it is written where that is asked for', async () => {
    const { asked } = await talk({ responseFormat: format }, () => text('{}'), { schemas: 'as-written' });
    expect(asked.responseFormat).toEqual(format);
  });

  test('that the endpoint would refuse is a refusal, and no answer in another form', async () => {
    const schema = { type: 'object', allOf: [{ type: 'object' }, { type: 'string' }] };
    await expect(
      talk({ responseFormat: { kind: 'json-schema', schema } }, () => text('{}')),
    ).rejects.toMatchObject({ code: 'model/not-encodable' });
  });
});

describe('the choice of tools', () => {
  const choose = (toolChoice: ToolChoice) => talk({ tools: [UNFIT, SEARCH], toolChoice }, () => callsOf());

  test('of one that is left out is refused, and never widened', async () => {
    await expect(choose({ mode: 'named', name: 'unfit' })).rejects.toMatchObject({
      code: 'model/not-encodable',
      pointer: '/toolChoice',
    });
  });

  test('among some loses those that are left out', async () => {
    const { asked } = await choose({ mode: 'any', allowed: ['unfit', 'search'] });
    expect(asked.toolChoice).toEqual({ mode: 'any', allowed: ['search'] });
  });

  test.each<ToolChoice>([
    { mode: 'auto' },
    { mode: 'named', name: 'search' },
    { mode: 'any', allowed: ['search'] },
  ])('among others stays: %j', async (choice) => {
    expect((await choose(choice)).asked.toolChoice).toEqual(choice);
  });
});

describe('names and ids', () => {
  test('that the wire does not take have aliases there, in tools, choice and history, and are undone in the answer', async () => {
    const { asked, events } = await talk(
      {
        tools: [DOTTED],
        toolChoice: { mode: 'named', name: DOTTED.name },
        items: [
          QUESTION,
          { kind: 'tool-call', callId: 'an id\nwith spaces', name: DOTTED.name, arguments: '{"q":"a"}' },
          {
            kind: 'tool-result',
            callId: 'an id\nwith spaces',
            name: DOTTED.name,
            parts: [{ kind: 'text', text: 'x' }],
          },
        ],
      },
      ([name = '']) => callsOf([name, '{"q":"b"}']),
    );
    const [name = ''] = (asked.tools ?? []).map((tool) => tool.name);
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(asked.toolChoice).toEqual({ mode: 'named', name });
    const [call, result] = asked.items.slice(1);
    expect(call).toMatchObject({ kind: 'tool-call', name, callId: expect.stringMatching(/^[!-~]{1,40}$/) });
    expect(result).toMatchObject({
      kind: 'tool-result',
      callId: call?.kind === 'tool-call' ? call.callId : '',
    });
    expect(collectResponse(events).items).toMatchObject([{ name: DOTTED.name, arguments: '{"q":"b"}' }]);
  });

  test('that a model made up stay as they are', async () => {
    const { events } = await talk({ tools: [SEARCH] }, () => callsOf(['serach', '{}']));
    expect(collectResponse(events).items).toMatchObject([{ name: 'serach' }]);
  });
});

describe('a history', () => {
  test('that a provider would refuse is repaired on the way out, with a warning', async () => {
    const { asked, events } = await talk(
      {
        items: [
          QUESTION,
          { kind: 'tool-call', callId: 'c1', name: 'search', arguments: '{"q":"a"}' },
          { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'And?' }] },
        ],
      },
      () => callsOf(),
    );
    expect(asked.items.map(({ kind }) => kind)).toEqual(['message', 'tool-call', 'tool-result', 'message']);
    expect(warnings(events).join()).toContain('loss/synthesised warning at /items/1');
  });

  test('with a result of no call is refused before anything is sent', async () => {
    const items: ModelCall['items'] = [
      QUESTION,
      { kind: 'tool-result', callId: 'c1', parts: [{ kind: 'text', text: 'x' }] },
    ];
    await expect(talk({ items }, () => callsOf())).rejects.toMatchObject({ code: 'model/history-invalid' });
  });
});
