import { codecOf, collectResponse, type ModelEvent, PROTOCOLS } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import type { ClientStream } from '../../http/client-stream.ts';
import { createStreamWriter } from './answer-writer.ts';

const START: ModelEvent = { kind: 'response-start', id: 'r', model: 'm' };
const USAGE: ModelEvent = {
  kind: 'usage',
  usage: { inputTotal: 3, cacheRead: 0, cacheWrite: 0, outputTotal: 0, reasoning: null },
};
const REST: readonly ModelEvent[] = [
  { kind: 'text-start', index: 0 },
  { kind: 'text-delta', index: 0, text: 'Done.' },
  { kind: 'text-end', index: 0 },
  { kind: 'response-end', finish: 'stop' },
];

describe.each(PROTOCOLS)('an answer of %s that is written anew', (protocol) => {
  test.each([
    ['its start', [START]],
    ['its start and counts', [START, USAGE]],
    ['a beginning of text', [START, ...REST.slice(0, 1)]],
  ])('from behind %s on says nothing twice', (_, passed) => {
    const codec = codecOf(protocol);
    const provider = codec.encodeStream();
    const own = passed.map((event) => provider.push(event)).join('') + (provider.flush?.() ?? '');
    const chunks: string[] = [];
    const client = { write: (text: string) => chunks.push(text) } as unknown as ClientStream;
    const writer = createStreamWriter(client, codec, { raw: true });
    writer.emit({ events: passed, raw: [Buffer.from(own)] });
    for (const event of REST.filter((each) => !passed.includes(each))) writer.emit({ events: [event] });
    const text = chunks.map(String).join('');
    const decoder = codec.decodeStream();
    const response = collectResponse([...decoder.push(Buffer.from(text)), ...decoder.end()]);
    expect(response).toMatchObject({ id: 'r', finish: 'stop' });
    expect(response.items).toMatchObject([{ parts: [{ kind: 'text', text: 'Done.' }] }]);
    expect(text.split('message_start').length).toBeLessThanOrEqual(3);
  });
});

test('events of Responses are numbered on behind those that the provider numbered', () => {
  const codec = codecOf('openai-responses');
  const provider = codec.encodeStream();
  const own = [START, ...REST.slice(0, 1)].flatMap((event) => provider.push(event).split(/(?<=\n\n)/));
  // Two deltas become one for an encoder that has to catch up.
  const delta: ModelEvent = { kind: 'text-delta', index: 0, text: '.' };
  const deltas = [delta, delta, delta].map((event) => provider.push(event));
  const chunks: string[] = [];
  const client = { write: (text: string) => chunks.push(text) } as unknown as ClientStream;
  const writer = createStreamWriter(client, codec, { raw: true });
  writer.emit({ events: [START, ...REST.slice(0, 1)], raw: own.map((text) => Buffer.from(text)) });
  for (const text of deltas) writer.emit({ events: [delta], raw: [Buffer.from(text)] });
  for (const event of REST.slice(2)) writer.emit({ events: [event] });
  const numbers = [
    ...chunks
      .map(String)
      .join('')
      .matchAll(/"sequence_number":(\d+)/g),
  ].map(([, digits]) => Number(digits));
  expect(numbers.length).toBeGreaterThan(9);
  expect(numbers).toEqual(numbers.map((_, index) => index));
});
