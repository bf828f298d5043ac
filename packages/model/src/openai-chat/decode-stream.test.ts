import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { calls, chunks, finished } from '../../test-support/chat-stream.ts';
import { everyCut } from '../../test-support/in-pieces.ts';
import { decodePieces, decodeText, recordings } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import { createEventOrder } from '../event/event-order.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { openaiChat } from './openai-chat.ts';

const RECORDINGS = recordings('openai-chat');
const WHOLE = RECORDINGS.filter(({ whole }) => whole !== undefined);

const failure = (events: readonly ModelEvent[]) => events.at(-1);

describe('recordings', () => {
  test.each(RECORDINGS)('$name gives equal events for every cut', ({ bytes }) => {
    const whole = decodePieces(openaiChat, [bytes]);
    for (const pieces of everyCut(bytes)) expect(decodePieces(openaiChat, pieces)).toEqual(whole);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(decodePieces(openaiChat, single)).toEqual(whole);
  });

  test.each(RECORDINGS)('$name gives events in order', ({ bytes }) => {
    const order = createEventOrder();
    for (const event of decodePieces(openaiChat, [bytes]).events) order.push(event);
    expect(() => order.end()).not.toThrow();
  });

  test.each(WHOLE)('$name is the whole answer', ({ bytes, whole }) => {
    const { value } = openaiChat.decodeResponse(whole as never);
    expect(collectResponse(decodePieces(openaiChat, [bytes]).events)).toEqual(value);
  });

  test.each(RECORDINGS)('$name cut off anywhere never ends cleanly', ({ bytes }) => {
    const text = new TextDecoder().decode(bytes);
    const end = Math.max(text.lastIndexOf('"finish_reason":"'), 0);
    const cut = new TextEncoder().encode(text.slice(0, end));
    const events = decodePieces(openaiChat, [cut]).events;
    expect(failure(events)).toMatchObject({ kind: 'response-error', code: 'model/stream-incomplete' });
    expect(events.filter((event) => event.kind === 'call-end')).toEqual([]);
  });

  test('a failure in the stream is named and its words stay out', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'error-midway') ?? { bytes: new Uint8Array() };
    const { events } = decodePieces(openaiChat, [bytes]);
    expect(failure(events)).toMatchObject({ code: 'model/provider-error', providerCode: 'overloaded' });
    expect(JSON.stringify(events)).not.toContain('db-7');
  });

  test('an answer that was cut off has its call in incomplete', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'cut-off') ?? { bytes: new Uint8Array() };
    const response = collectResponse(decodePieces(openaiChat, [bytes]).events);
    expect(response).toMatchObject({
      finish: 'error',
      finishDetail: 'model/stream-incomplete',
      incomplete: ['call_a'],
    });
  });

  test('a call that parses is not finished when the answer was cut at its length', () => {
    const { bytes } = RECORDINGS.find(({ name }) => name === 'length') ?? { bytes: new Uint8Array() };
    const response = collectResponse(decodePieces(openaiChat, [bytes]).events);
    expect(response).toMatchObject({ finish: 'length', incomplete: ['call_a'] });
  });
});

describe('garbage', () => {
  const GARBAGE: readonly [string, string, string][] = [
    ['data that is no JSON', 'data: {"choices":[{]}\n\n', 'model/stream-invalid'],
    ['data with a member twice', 'data: {"id":"a","id":"b"}\n\n', 'model/stream-invalid'],
    ['a half event at the end', 'data: {"choices":[{"del', 'model/stream-incomplete'],
    ['an array', 'data: []\n\n', 'model/stream-invalid'],
    ['a choice that is no object', 'data: {"choices":[1]}\n\n', 'model/stream-invalid'],
    ['nothing', '', 'model/stream-incomplete'],
    ['only [DONE]', 'data: [DONE]\n\n', 'model/stream-incomplete'],
    ['a page', '<html>\n\n</html>', 'model/stream-incomplete'],
  ];

  test.each(GARBAGE)('%s is one named failure', (_name, text, code) => {
    const events = decodeText(openaiChat, text);
    expect(events.filter((event) => event.kind === 'response-error')).toEqual([
      expect.objectContaining({ code }),
    ]);
    expect(failure(events)?.kind).toBe('response-error');
  });

  test('nothing after the terminal event is read', () => {
    const decoder = openaiChat.decodeStream();
    const bytes = new TextEncoder().encode(`${chunks({ content: 'a' })}${finished('stop')}`);
    expect(decoder.push(bytes).at(-1)).toMatchObject({ kind: 'response-end' });
    expect(decoder.push(bytes)).toEqual([]);
    expect(decoder.end()).toEqual([]);
  });

  test('an answer over the bound is refused before it is gathered', () => {
    const decoder = openaiChat.decodeStream({ maxTotalLength: 1000 });
    const piece = new TextEncoder().encode(
      chunks(calls({ index: 0, function: { arguments: 'x'.repeat(300) } })),
    );
    const events = [1, 2, 3, 4, 5].flatMap(() => [...decoder.push(piece)]);
    expect(events.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/response-too-large' });
  });

  test('whatever the chunks hold, the events are in order and end once', () => {
    const entry = fc.record(
      {
        index: fc.oneof(fc.nat(2), fc.constant(null), fc.constant('0')),
        id: fc.constantFrom('a', 'b', '', 'null', null),
        type: fc.constantFrom('function', 'custom'),
        function: fc.oneof(
          fc.record(
            {
              name: fc.constantFrom('f', 'g', '', null),
              arguments: fc.oneof(fc.constantFrom('', '{', '}', '{}', '"'), fc.jsonValue({ maxDepth: 1 })),
            },
            { requiredKeys: [] },
          ),
          fc.constant(null),
        ),
      },
      { requiredKeys: [] },
    );
    const delta = fc.oneof(
      fc.record(
        {
          content: fc.oneof(fc.string(), fc.jsonValue({ maxDepth: 2 })),
          refusal: fc.constantFrom('r', null),
          reasoning_content: fc.constantFrom('t', ''),
        },
        { requiredKeys: [] },
      ),
      fc.record({ tool_calls: fc.oneof(fc.array(entry, { maxLength: 3 }), fc.constant(null)) }),
      fc.record({ function_call: entry.map((one) => one.function ?? null) }),
    );
    const chunk = fc.record(
      {
        id: fc.constantFrom('c1', null),
        choices: fc.oneof(
          {
            weight: 9,
            arbitrary: fc.array(
              fc.record({
                index: fc.constantFrom(0, 0, 0, 1),
                delta,
                finish_reason: fc.constantFrom(null, null, null, '', 'stop', 'length', 'odd'),
              }),
              { maxLength: 2 },
            ),
          },
          fc.jsonValue({ maxDepth: 1 }),
        ),
        usage: fc.oneof(
          fc.constant(null),
          fc.record({ prompt_tokens: fc.oneof(fc.nat(), fc.constant(-1), fc.constant('x')) }),
        ),
      },
      { requiredKeys: ['choices'] },
    );
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), fc.boolean(), (list, done) => {
        const text =
          list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('') + (done ? 'data: [DONE]\n\n' : '');
        const events = decodeText(openaiChat, text);
        const order = createEventOrder();
        for (const event of events) order.push(event);
        order.end();
        collectResponse(events);
      }),
      { numRuns: 500 },
    );
  });
});
