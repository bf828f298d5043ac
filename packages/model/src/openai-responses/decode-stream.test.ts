import type { JsonValue } from '@toolgate/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everyCut } from '../../test-support/in-pieces.ts';
import { decodePieces, decodeText, recordings } from '../../test-support/recordings.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiResponses } from './openai-responses.ts';

const RECORDINGS = recordings('openai-responses');

function collect(text: string): ModelResponse {
  const events = decodeText(openaiResponses, text);
  const order = createEventOrder();
  for (const event of events) order.push(event);
  order.end();
  return collectResponse(events);
}

function stream(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

const response = (status: string, output: readonly object[] = [], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status,
  output,
  ...more,
});
const created = { type: 'response.created', response: response('in_progress') };
const completed = (output: readonly object[] = [], more: object = {}) => ({
  type: 'response.completed',
  response: response('completed', output, more),
});
const item = (text: string, status = 'completed') => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'f',
  arguments: text,
  status,
});
const added = { type: 'response.output_item.added', output_index: 0, item: item('', 'in_progress') };
const delta = (text: string) => ({
  type: 'response.function_call_arguments.delta',
  item_id: 'fc_1',
  output_index: 0,
  delta: text,
});
const said = (text: string) => ({
  type: 'response.function_call_arguments.done',
  item_id: 'fc_1',
  output_index: 0,
  arguments: text,
});
const done = (text: string, status = 'completed') => ({
  type: 'response.output_item.done',
  output_index: 0,
  item: item(text, status),
});
const TEXT = '{"path":"a"}';
const failure = (events: readonly ModelEvent[]) => events.at(-1);

/** The response of the terminal event of a recording. */
function wholeOf(bytes: Uint8Array): unknown {
  const last = new TextDecoder().decode(bytes).trim().split(/\r?\n/).at(-1) ?? '';
  const event = JSON.parse(last.slice('data: '.length));
  return event.type === 'response.completed' || event.type === 'response.incomplete'
    ? event.response
    : undefined;
}

describe('recordings', () => {
  test.each(RECORDINGS)('$name gives equal events for every cut', ({ bytes }) => {
    const whole = decodePieces(openaiResponses, [bytes]);
    for (const pieces of everyCut(bytes)) expect(decodePieces(openaiResponses, pieces)).toEqual(whole);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(decodePieces(openaiResponses, single)).toEqual(whole);
  });

  test.each(RECORDINGS)('$name gives events in order', ({ bytes }) => {
    const order = createEventOrder();
    for (const event of decodePieces(openaiResponses, [bytes]).events) order.push(event);
    expect(() => order.end()).not.toThrow();
  });

  const ended = RECORDINGS.flatMap(({ name, bytes }) => {
    const whole = wholeOf(bytes);
    return whole === undefined ? [] : [{ name, bytes, whole }];
  });

  test('most recordings end', () => {
    expect(ended.length).toBeGreaterThan(8);
  });

  test.each(ended)('$name is the whole answer', ({ bytes, whole }) => {
    const { value } = openaiResponses.decodeResponse(whole as never);
    expect(collectResponse(decodePieces(openaiResponses, [bytes]).events)).toEqual(value);
  });

  test.each(ended)('$name without its terminal event is incomplete', ({ bytes }) => {
    const text = new TextDecoder().decode(bytes);
    const cut = text.slice(
      0,
      Math.max(text.lastIndexOf('event: response.completed'), text.lastIndexOf('event: response.incomplete')),
    );
    expect(failure(decodeText(openaiResponses, cut))).toMatchObject({ code: 'model/stream-incomplete' });
    expect(failure(decodeText(openaiResponses, `${cut}data: [DONE]\n\n`))).toMatchObject({
      code: 'model/stream-incomplete',
    });
  });

  test.each(['error-midway', 'failed'])('%s is named and its words stay out', (wanted) => {
    const { bytes } = RECORDINGS.find(({ name }) => name === wanted) ?? { bytes: new Uint8Array() };
    const { events } = decodePieces(openaiResponses, [bytes]);
    expect(failure(events)).toMatchObject({
      code: 'model/provider-error',
      providerCode: expect.stringMatching(/_/),
    });
    expect(JSON.stringify(events)).not.toContain('db-7');
  });

  test('of an answer cut at its length, the finished call counts and the unfinished one does not', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'length') ?? { bytes: new Uint8Array() };
    expect(collectResponse(decodePieces(openaiResponses, [bytes]).events)).toMatchObject({
      finish: 'length',
      incomplete: ['call_b'],
    });
  });

  test('a hosted tool is foreign and no call of the client', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'hosted-tool') ?? { bytes: new Uint8Array() };
    const answer = collectResponse(decodePieces(openaiResponses, [bytes]).events);
    expect(answer).toMatchObject({ finish: 'stop', items: [{ kind: 'foreign' }, { kind: 'message' }] });
  });
});

describe('arguments that are sent three times are given out once', () => {
  const whole = [item(TEXT)];
  const CASES: readonly [string, readonly object[]][] = [
    [
      'pieces, done event and item',
      [created, added, delta('{"pa'), delta('th":"a"}'), said(TEXT), done(TEXT), completed(whole)],
    ],
    ['only the done event', [created, added, said(TEXT), done(''), completed([])]],
    ['only the final item', [created, added, done(TEXT), completed([])]],
    ['only the pieces', [created, added, delta(TEXT), done(''), completed([])]],
    [
      'only the item at its start',
      [created, { ...added, item: item(TEXT, 'in_progress') }, done(''), completed([])],
    ],
    ['only the terminal event', [created, completed(whole)]],
    ['the terminal event and no start', [completed(whole)]],
    ['an item without an announcement', [created, done(TEXT), completed(whole)]],
    ['pieces and a done event, but no final item', [created, added, delta(TEXT), said(TEXT), completed([])]],
    [
      'pieces by item id alone',
      [created, added, { ...delta(TEXT), output_index: undefined }, done(TEXT), completed(whole)],
    ],
    [
      'ids that are numbered anew at the end',
      [created, added, delta(TEXT), done(TEXT), completed([{ ...item(TEXT), id: 'fc_9' }])],
    ],
    [
      'arguments as an object',
      [created, added, { ...done(''), item: { ...item(''), arguments: { path: 'a' } } }, completed([])],
    ],
  ];

  test.each(CASES)('%s', (_name, events) => {
    const answer = collect(stream(...events));
    expect(answer.items).toEqual([
      { kind: 'tool-call', callId: 'call_1', name: 'f', arguments: TEXT, id: 'fc_1' },
    ]);
    expect(answer).toMatchObject({ finish: 'tool-calls' });
    expect(answer.incomplete).toBeUndefined();
  });

  const DISAGREE: readonly [string, readonly object[]][] = [
    ['the done event', [created, added, delta('{"a":1}'), said('{"a":2}')]],
    ['the final item', [created, added, delta('{"a":1}'), done('{"a":2}')]],
    ['a longer final item', [created, added, delta('{"a":1'), done('{"a":1}')]],
    ['the terminal event', [created, added, done('{"a":1}'), completed([item('{"a":2}')])]],
    ['the terminal event after no arguments', [created, added, done(''), completed([item('{"a":2}')])]],
    ['the name', [created, added, { ...done('{}'), item: { ...item('{}'), name: 'g' } }]],
    ['a second announcement', [created, added, added]],
    ['pieces of no call', [created, delta('{}'), completed()]],
  ];

  test.each(DISAGREE)('disagreement of %s fails the answer', (_name, events) => {
    const decoded = decodeText(openaiResponses, stream(...events));
    expect(failure(decoded)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
  });

  test.each<[string, readonly object[]]>([
    ['announced after its pieces', [delta('{"path"'), added, delta(':"a"}'), done(TEXT)]],
    ['never announced', [delta('{"path"'), delta(':"a"}'), said(TEXT), done(TEXT)]],
    ['named by the terminal event alone', [delta(TEXT), said(TEXT)]],
    ['announced under another id', [{ ...delta(TEXT), item_id: 'other' }, added, done(TEXT)]],
  ])('a call that is %s has all of its arguments', (_name, events) => {
    const decoded = decodeText(openaiResponses, stream(created, ...events, completed([item(TEXT)])));
    expect(decoded.flatMap((event) => (event.kind === 'call-delta' ? [event.delta] : [])).join('')).toBe(
      TEXT,
    );
    expect(collectResponse(decoded)).toMatchObject({
      finish: 'tool-calls',
      items: [{ kind: 'tool-call', callId: 'call_1', arguments: TEXT }],
    });
  });

  test.each<[string, readonly object[]]>([
    ['that nothing ever named', [delta(TEXT), completed()]],
    ['that the final form contradicts', [delta('{"a":2}'), done(TEXT), completed()]],
  ])('pieces of a call %s fail the answer', (_name, events) => {
    const decoded = decodeText(openaiResponses, stream(created, ...events));
    expect(failure(decoded)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
    expect(decoded.some(({ kind }) => kind === 'call-end')).toBe(false);
  });

  test('a call that nobody finished makes the end unknown', () => {
    expect(collect(stream(created, added, delta(TEXT), completed([])))).toMatchObject({
      finish: 'unknown',
      incomplete: ['call_1'],
    });
  });

  test('a call without a call id gets the same id each time, in the whole answer too', () => {
    const bare = { type: 'function_call', id: 'fc_1', name: 'f', arguments: '{}' };
    const answer = collect(
      stream(
        created,
        { ...added, item: { ...bare, arguments: '' } },
        { ...done('{}'), item: bare },
        completed([bare]),
      ),
    );
    expect(answer.items).toEqual(
      openaiResponses.decodeResponse(response('completed', [bare]) as unknown as JsonValue).value.items,
    );
    expect(answer.items[0]).toMatchObject({ callId: expect.stringMatching(/^call_[0-9a-f]{24}$/) });
  });
});

describe('text', () => {
  const message = (text: string) => ({
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  });
  const piece = {
    type: 'response.output_text.delta',
    item_id: 'msg_1',
    output_index: 0,
    content_index: 0,
    delta: 'Hi',
  };

  test.each<[string, readonly object[]]>([
    ['without any announcement', [created, piece, completed([message('Hi')])]],
    ['only at the end', [created, completed([message('Hi')])]],
    ['with the rest at the end', [created, { ...piece, delta: 'H' }, completed([message('Hi')])]],
    ['with an empty final output', [created, piece, completed([])]],
    ['without response.created', [piece, completed([message('Hi')])]],
  ])('%s', (_name, events) => {
    expect(collect(stream(...events))).toMatchObject({
      finish: 'stop',
      items: [{ kind: 'message', parts: [{ kind: 'text', text: 'Hi' }] }],
    });
  });

  test('a text at the place of one that is done is another text', () => {
    const said = (id: string, text: string) => [
      { type: 'response.output_text.delta', item_id: id, output_index: 0, content_index: 0, delta: text },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] },
      },
    ];
    const answer = collect(stream(created, ...said('msg_1', 'One.'), ...said('msg_2', 'Two.'), completed()));
    expect(answer.items).toMatchObject([
      { id: 'msg_1', parts: [{ text: 'One.' }] },
      { id: 'msg_2', parts: [{ text: 'Two.' }] },
    ]);
  });

  test('pieces of arguments at the place of a call that is done belong to none', () => {
    const late = { ...delta('{"a":2}'), item_id: 'fc_2' };
    const decoded = decodeText(openaiResponses, stream(created, added, done('{"a":1}'), late, completed()));
    expect(failure(decoded)).toMatchObject({ kind: 'response-error', code: 'model/stream-invalid' });
  });

  test('pieces of two calls at one place that nothing announced are not put together', () => {
    const half = (id: string, text: string): object => ({ ...delta(text), item_id: id });
    const final = (id: string): object => ({ ...done(''), item: { ...item(''), id, call_id: `call_${id}` } });
    const events = [half('a', '{"x":'), half('b', '1}'), final('a'), final('b')];
    const decoded = decodeText(openaiResponses, stream(created, ...events, completed()));
    expect(decoded.flatMap((event) => (event.kind === 'call-end' ? [event.arguments] : []))).toEqual([
      '{"x":',
      '1}',
    ]);
  });

  test('a text that is sent twice and differs fails the answer', () => {
    const events = decodeText(openaiResponses, stream(created, piece, completed([message('Ho')])));
    expect(failure(events)).toMatchObject({ code: 'model/stream-invalid' });
  });

  test('annotations that come one by one are kept', () => {
    const annotation = { type: 'url_citation', url: 'https://example.org' };
    const event = {
      type: 'response.output_text.annotation.added',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      annotation,
    };
    const part = {
      type: 'response.content_part.done',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: 'Hi' },
    };
    const [first] = collect(stream(created, piece, event, part, completed([]))).items;
    expect(first).toMatchObject({ parts: [{ extensions: { members: { annotations: [annotation] } } }] });
  });

  test('unknown parts and unknown items are kept whole, and unknown events are reported', () => {
    const odd = {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [{ type: 'output_hologram', data: 'x' }],
    };
    const thing = { type: 'quantum_call', id: 'q1', state: [1] };
    const decoder = openaiResponses.decodeStream();
    const text = stream(
      created,
      { type: 'response.something.new' },
      { type: 'response.quantum.delta', item_id: 'q1' },
      completed([odd, thing]),
    );
    const events = [...decoder.push(new TextEncoder().encode(text)), ...decoder.end()];
    expect(collectResponse(events).items).toEqual([
      {
        kind: 'message',
        role: 'assistant',
        id: 'msg_1',
        parts: [
          { kind: 'foreign', protocol: 'openai-responses', value: { type: 'output_hologram', data: 'x' } },
        ],
      },
      { kind: 'foreign', protocol: 'openai-responses', role: 'assistant', value: thing },
    ]);
    expect(decoder.losses.map(({ code }) => code)).toEqual(['dropped', 'dropped']);
  });
});

describe('endings', () => {
  const CASES: readonly [object, string, string][] = [
    [completed(), 'stop', 'completed'],
    [{ type: 'response.completed', response: { id: 'r', output: [] } }, 'stop', 'completed'],
    [
      {
        type: 'response.incomplete',
        response: response('incomplete', [], { incomplete_details: { reason: 'max_output_tokens' } }),
      },
      'length',
      'max_output_tokens',
    ],
    [
      {
        type: 'response.incomplete',
        response: response('incomplete', [], { incomplete_details: { reason: 'content_filter' } }),
      },
      'content-filter',
      'content_filter',
    ],
    [{ type: 'response.incomplete', response: response('incomplete') }, 'unknown', 'incomplete'],
    [
      {
        type: 'response.failed',
        response: response('failed', [], { error: { code: 'server_error', message: 'x' } }),
      },
      'error',
      'server_error',
    ],
    [
      {
        type: 'response.completed',
        response: response('incomplete', [], { incomplete_details: { reason: 'max_output_tokens' } }),
      },
      'length',
      'max_output_tokens',
    ],
    [
      { type: 'response.completed', response: response('failed', [], { error: { code: 'server_error' } }) },
      'error',
      'server_error',
    ],
    [{ type: 'response.cancelled', response: response('cancelled') }, 'error', 'cancelled'],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'x' } }, 'error', 'overloaded_error'],
  ];

  test.each(CASES)('%j', (event, finish, finishDetail) => {
    expect(collect(stream(created, event))).toMatchObject({ finish, finishDetail });
  });

  test('counts of an answer that failed are kept', () => {
    const failed = response('failed', [], { usage: { input_tokens: 107, output_tokens: 31 } });
    expect(collect(stream(created, { type: 'response.failed', response: failed })).usage).toMatchObject({
      inputTotal: 107,
      outputTotal: 31,
    });
  });
});

test('whatever the events hold, the answer is in order and ends once', () => {
  const id = fc.constantFrom('a', 'b', undefined);
  const place = fc.constantFrom(0, 1, undefined, -1);
  const type = fc.constantFrom('message', 'function_call', 'reasoning', 'web_search_call', undefined);
  const text = fc.constantFrom('', '{', '{}', 'x');
  const part = fc.record(
    { type: fc.constantFrom('output_text', 'refusal', 'odd'), text, refusal: text },
    { requiredKeys: ['type'] },
  );
  const wireItem = fc.record(
    {
      type,
      id,
      call_id: id,
      name: fc.constantFrom('f', '', undefined),
      arguments: text,
      content: fc.oneof(fc.array(part, { maxLength: 2 }), fc.constant('x')),
      summary: fc.array(part, { maxLength: 2 }),
      status: fc.constantFrom('completed', 'incomplete', undefined),
    },
    { requiredKeys: [] },
  );
  const event = fc.record(
    {
      type: fc.constantFrom(
        'response.created',
        'response.output_item.added',
        'response.output_item.done',
        'response.content_part.added',
        'response.content_part.done',
        'response.output_text.delta',
        'response.output_text.done',
        'response.refusal.delta',
        'response.reasoning_summary_text.delta',
        'response.reasoning_summary_text.done',
        'response.reasoning_text.delta',
        'response.function_call_arguments.delta',
        'response.function_call_arguments.done',
        'response.completed',
        'response.odd',
      ),
      item: wireItem,
      item_id: id,
      output_index: place,
      content_index: fc.constantFrom(0, 1, undefined),
      summary_index: fc.constantFrom(0, 2, undefined),
      delta: fc.constantFrom('', 'x', '{', undefined),
      text,
      refusal: text,
      arguments: text,
      part,
      response: fc.oneof(fc.record({ output: fc.array(wireItem, { maxLength: 2 }) }), fc.constant(undefined)),
    },
    { requiredKeys: ['type'] },
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 10 }), (events) => {
      const decoded = decodeText(openaiResponses, stream(...events));
      const order = createEventOrder();
      for (const one of decoded) order.push(one);
      order.end();
      collectResponse(decoded);
    }),
    { numRuns: 1000 },
  );
});
