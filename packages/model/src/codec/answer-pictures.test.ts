import type { JsonObject } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import type { Item } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { PROTOCOLS, type Protocol } from '../call/protocol.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { codecOf } from './codecs.ts';

const PIXEL = 'iVBORw0KGgo=';
const PICTURE = { kind: 'image', source: { kind: 'base64', mediaType: 'image/png', data: PIXEL } } as const;

/** What an image model of Gemini answers, as events. */
const EVENTS: readonly ModelEvent[] = [
  { kind: 'response-start', id: 'r', model: 'm' },
  { kind: 'text-start', index: 0 },
  { kind: 'text-delta', index: 0, text: 'Here' },
  { kind: 'text-end', index: 0 },
  { kind: 'part', index: 1, part: PICTURE },
  { kind: 'part', index: 2, part: { ...PICTURE, source: { kind: 'url', url: 'https://example.org/b.png' } } },
  { kind: 'response-end', finish: 'stop' },
];

function streamed(protocol: Protocol): string {
  const encoder = codecOf(protocol).encodeStream();
  return EVENTS.map((event) => encoder.push(event)).join('');
}

const whole = (protocol: Protocol): JsonObject =>
  codecOf(protocol).encodeResponse(collectResponse(EVENTS)).value;

function readBack(protocol: Protocol, form: 'streamed' | 'whole'): ModelResponse {
  const codec = codecOf(protocol);
  if (form === 'whole') return codec.decodeResponse(JSON.parse(JSON.stringify(whole(protocol)))).value;
  const decoder = codec.decodeStream();
  const events = decoder.push(new TextEncoder().encode(streamed(protocol)));
  return collectResponse([...events, ...decoder.end()]);
}

function partsOf({ items }: ModelResponse): readonly unknown[] {
  return items.flatMap((item) => (item.kind === 'message' ? item.parts : []));
}

describe.each(['streamed', 'whole'] as const)('a picture that a model made, %s', (form) => {
  test.each(['openai-chat', 'gemini'] as const)('reaches a client of %s', (protocol) => {
    expect(partsOf(readBack(protocol, form))).toMatchObject([
      { kind: 'text', text: 'Here' },
      PICTURE,
      { kind: 'image', source: { kind: 'url', url: 'https://example.org/b.png' } },
    ]);
  });

  test.each(['anthropic', 'openai-responses'] as const)('leaves a note for a client of %s', (protocol) => {
    const text = form === 'whole' ? JSON.stringify(whole(protocol)) : streamed(protocol);
    expect(text).toContain('[image left out: this protocol cannot carry it]');
    expect(text).not.toContain(PIXEL);
    expect(text).not.toContain('"type":"image"');
  });
});

test('a picture in a chunk ends no text, and an odd one fails no answer', () => {
  const deltas = [
    { content: 'He' },
    {
      images: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` }, index: 0 }, 7, {}],
    },
    { content: 'llo' },
  ];
  const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] }));
  const last = { choices: [{ index: 0, delta: { images: null }, finish_reason: 'stop' }] };
  const decoder = codecOf('openai-chat').decodeStream();
  const text = [...chunks, last].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
  const response = collectResponse([...decoder.push(new TextEncoder().encode(text)), ...decoder.end()]);
  expect(partsOf(response)).toEqual([{ kind: 'text', text: 'Hello' }, PICTURE]);
  expect(response.finish).toBe('stop');
});

test.each(PROTOCOLS.filter((protocol) => protocol !== 'gemini'))(
  'a picture of a past turn stands in no answer of a history for %s, which would refuse it, but leaves a note',
  (protocol) => {
    const items: readonly Item[] = [
      { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'draw' }] },
      { kind: 'message', role: 'assistant', parts: [PICTURE] },
      { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'again' }] },
    ];
    const text = JSON.stringify(codecOf(protocol).encodeRequest({ model: 'm', items }).value.body);
    expect(text).toContain('[image left out: this protocol cannot carry it]');
    expect(text).not.toContain(PIXEL);
  },
);
