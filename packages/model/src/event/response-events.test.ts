import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventsOf, modelResponse } from '../../test-support/arbitraries.ts';
import { collectResponse } from './collect-response.ts';
import { createEventOrder } from './event-order.ts';
import type { ModelEvent } from './model-event.ts';
import { createResponseCollector } from './response-collector.ts';
import { responseToEvents } from './response-to-events.ts';

const start: ModelEvent = { kind: 'response-start', id: null, model: null };
const end: ModelEvent = { kind: 'response-end', finish: 'stop' };
const call: ModelEvent = { kind: 'call-start', index: 0, callId: 'c1', name: 'f' };
const text: ModelEvent = { kind: 'text-start', index: 0 };

describe('a response and its events', () => {
  test('are the same thing, however the deltas are cut', () => {
    fc.assert(
      fc.property(
        modelResponse().chain((response) => fc.tuple(fc.constant(response), eventsOf(response))),
        ([response, events]) => {
          expect(collectResponse(events)).toEqual(response);
          expect(collectResponse(responseToEvents(response))).toEqual(response);
        },
      ),
    );
  });

  test('hold everything that an item may hold', () => {
    const extensions = { protocol: 'openai-responses', members: { x: 1 } } as const;
    const response = {
      id: 'r',
      model: 'm',
      createdAt: 5,
      items: [
        {
          kind: 'reasoning',
          text: '',
          summary: ['a', 'b'],
          opaque: { protocol: 'anthropic', form: 'signature', value: 's' },
          id: 'rs',
          extensions,
        },
        { kind: 'foreign', protocol: 'gemini', role: 'assistant', value: { a: 1 } },
        {
          kind: 'message',
          role: 'assistant',
          id: 'm1',
          extensions,
          parts: [
            { kind: 'text', text: 'a', extensions },
            { kind: 'image', source: { kind: 'url', url: 'https://example.org' } },
            { kind: 'refusal', text: 'no' },
          ],
        },
        { kind: 'message', role: 'assistant', id: 'm2', parts: [{ kind: 'text', text: '' }] },
        {
          kind: 'tool-call',
          callId: 'c1',
          name: 'f',
          arguments: '{}',
          id: 'fc',
          signature: { protocol: 'gemini', form: 'signature', value: 's' },
          extensions,
        },
        { kind: 'tool-call', callId: 'c2', name: 'f', arguments: '{"a":' },
      ],
      finish: 'length',
      finishDetail: 'max_tokens',
      stopSequence: null,
      incomplete: ['c2'],
      usage: null,
      extensions,
    } as const;
    expect(collectResponse(responseToEvents(response))).toEqual(response);
  });

  test('a failure keeps its word and makes every call unfinished', () => {
    const events: ModelEvent[] = [
      start,
      call,
      { kind: 'call-end', index: 0, callId: 'c1', name: 'f', arguments: '' },
    ];
    const failed = collectResponse([
      ...events,
      { kind: 'response-error', code: 'model/provider-error', message: 'x', providerCode: 'overloaded' },
    ]);
    expect(failed).toMatchObject({ finish: 'error', finishDetail: 'overloaded', incomplete: ['c1'] });
    expect(collectResponse(responseToEvents(failed))).toEqual(failed);
    expect(collectResponse(events)).toMatchObject({
      finish: 'error',
      finishDetail: 'model/stream-incomplete',
      incomplete: ['c1'],
    });
  });

  test('items are in the order of their places and not of their events', () => {
    const late: ModelEvent[] = [
      start,
      { kind: 'call-start', index: 5, callId: 'c1', name: 'f' },
      { kind: 'text-start', index: 1 },
      { kind: 'text-delta', index: 1, text: 'a' },
      { kind: 'text-end', index: 1 },
      { kind: 'text-start', index: 7, continues: 1 },
      { kind: 'text-delta', index: 7, text: 'b' },
      { kind: 'text-end', index: 7 },
      { kind: 'call-end', index: 5, callId: 'c1', name: 'f', arguments: '' },
      end,
    ];
    expect(collectResponse(late).items).toMatchObject([
      { kind: 'message', parts: [{ kind: 'text', text: 'ab' }] },
      { kind: 'tool-call' },
    ]);
  });

  test('a collector can be asked at any time', () => {
    const collector = createResponseCollector();
    expect(collector.response()).toMatchObject({ id: null, items: [], finish: 'error' });
    for (const event of [start, text, { kind: 'text-delta', index: 0, text: 'a' } as const])
      collector.push(event);
    expect(collector.response().items).toMatchObject([{ parts: [{ text: 'a' }] }]);
  });
});

describe('order', () => {
  const BAD: readonly [string, readonly ModelEvent[]][] = [
    ['a block before the start', [text]],
    ['an end before the start', [end]],
    ['a second start', [start, start]],
    [
      'anything after the end',
      [
        start,
        end,
        {
          kind: 'usage',
          usage: { inputTotal: 1, cacheRead: null, cacheWrite: null, outputTotal: 1, reasoning: null },
        },
      ],
    ],
    ['anything after a failure', [{ kind: 'response-error', code: 'x', message: '' }, end]],
    ['an index twice', [start, text, { kind: 'text-end', index: 0 }, call]],
    ['a negative index', [start, { ...text, index: -1 }]],
    ['an index that is no whole number', [start, { ...text, index: 0.5 }]],
    ['a delta without a block', [start, { kind: 'text-delta', index: 0, text: 'a' }]],
    ['a delta of another kind', [start, call, { kind: 'text-delta', index: 0, text: 'a' }]],
    [
      'a delta after the end of its block',
      [start, text, { kind: 'text-end', index: 0 }, { kind: 'text-delta', index: 0, text: 'a' }],
    ],
    ['an end of another kind', [start, text, { kind: 'refusal-end', index: 0 }]],
    ['an open text at the end', [start, text, end]],
    [
      'another name at the end of a call',
      [start, call, { kind: 'call-end', index: 0, callId: 'c1', name: 'g', arguments: '' }],
    ],
    [
      'another id at the end of a call',
      [start, call, { kind: 'call-end', index: 0, callId: 'c2', name: 'f', arguments: '' }],
    ],
    [
      'other arguments at the end of a call',
      [
        start,
        call,
        { kind: 'call-delta', index: 0, delta: '{' },
        { kind: 'call-end', index: 0, callId: 'c1', name: 'f', arguments: '{}' },
      ],
    ],
    ['a continuation of an open block', [start, text, { kind: 'text-start', index: 1, continues: 0 }]],
    [
      'a continuation of another kind',
      [start, text, { kind: 'text-end', index: 0 }, { kind: 'refusal-start', index: 1, continues: 0 }],
    ],
  ];

  test.each(BAD)('%s is refused', (_name, events) => {
    const order = createEventOrder();
    expect(() => {
      for (const event of events) order.push(event);
    }).toThrow(expect.objectContaining({ code: 'model/stream-invalid' }));
    expect(() => collectResponse(events)).toThrow(expect.objectContaining({ code: 'model/stream-invalid' }));
  });

  test('events without an end are incomplete', () => {
    const order = createEventOrder();
    order.push(start);
    expect(() => order.end()).toThrow(expect.objectContaining({ code: 'model/stream-incomplete' }));
  });

  test('warnings may come before the start, and an open call may stay open', () => {
    const order = createEventOrder();
    for (const event of [{ kind: 'warning', code: 'x', detail: '' } as const, start, call, end])
      order.push(event);
    expect(() => order.end()).not.toThrow();
  });
});
