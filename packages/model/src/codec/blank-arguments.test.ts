import { describe, expect, test } from 'vitest';
import type { ModelResponse } from '../call/model-response.ts';
import { PROTOCOLS } from '../call/protocol.ts';
import { collectResponse } from '../event/collect-response.ts';
import { responseToEvents } from '../event/response-to-events.ts';
import { codecOf } from './codecs.ts';

const utf8 = new TextEncoder();
const answer = (text: string, incomplete?: readonly string[]): ModelResponse => ({
  id: 'r',
  model: 'm',
  items: [{ kind: 'tool-call', callId: 'c1', name: 'f', arguments: text }],
  finish: incomplete === undefined ? 'tool-calls' : 'length',
  usage: null,
  ...(incomplete === undefined ? {} : { incomplete }),
});

describe.each(PROTOCOLS)('a call whose arguments are blank, to a client of %s', (protocol) => {
  const codec = codecOf(protocol);

  test.each(['', ' ', '\n'])('%j is an object to whoever parses it, streamed or whole', (text) => {
    const whole = codec.decodeResponse(codec.encodeResponse(answer(text)).value).value;
    const encoder = codec.encodeStream();
    const decoder = codec.decodeStream();
    const sent = responseToEvents(answer(text))
      .map((event) => encoder.push(event))
      .join('');
    const streamed = collectResponse([...decoder.push(utf8.encode(sent)), ...decoder.end()]);
    // An Anthropic client takes a call without pieces for one with an empty object.
    const parsed = [whole, streamed].flatMap(({ items }) =>
      items.map((item) => (item.kind === 'tool-call' ? JSON.parse(item.arguments || '{}') : item)),
    );
    expect(parsed).toEqual([{}, {}]);
    if (protocol.startsWith('openai')) expect(sent).toContain('"{}"');
  });
});

test.each(['openai-chat', 'openai-responses'] as const)(
  'a call that was cut off is not closed for a client of %s',
  (protocol) => {
    const codec = codecOf(protocol);
    const cut = answer('', ['c1']);
    const encoder = codec.encodeStream();
    const streamed = responseToEvents(cut)
      .map((event) => encoder.push(event))
      .join('');
    expect(JSON.stringify(codec.encodeResponse(cut).value)).toContain('"arguments":""');
    expect(streamed).not.toContain('"{}"');
  },
);
