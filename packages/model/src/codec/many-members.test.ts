import { expect, test } from 'vitest';
import { GROWTH, growth } from '../../../../test/support/growth.ts';
import { collectResponse } from '../event/collect-response.ts';
import type { Codec } from './codec.ts';
import { codecOf } from './codecs.ts';

const utf8 = new TextEncoder();
const stream = (events: readonly object[]): Uint8Array =>
  utf8.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));

/** Reads a stream with members that are called otherwise each time. */
function read(codec: Codec, events: readonly object[]) {
  const decoder = codec.decodeStream();
  return collectResponse([...decoder.push(stream(events)), ...decoder.end()]);
}

const numbered = (size: number, event: (name: string) => object): readonly object[] =>
  Array.from({ length: size }, (_, at) => event(`k${at}`));

const START = {
  type: 'message_start',
  message: { id: 'm', type: 'message', role: 'assistant', model: 'up', content: [], usage: {} },
};

test.each<[string, (size: number) => unknown]>([
  [
    'of the end of an Anthropic message',
    (size) =>
      read(codecOf('anthropic'), [
        START,
        ...numbered(size, (name) => ({ type: 'message_delta', delta: { [name]: 1 } })),
      ]),
  ],
  [
    'of the counts of an Anthropic message',
    (size) =>
      read(codecOf('anthropic'), [
        START,
        ...numbered(size, (name) => ({ type: 'message_delta', delta: {}, usage: { [name]: 1 } })),
      ]),
  ],
  [
    'of Gemini responses',
    (size) =>
      read(
        codecOf('gemini'),
        numbered(size, (name) => ({ [name]: 1 })),
      ),
  ],
  [
    'of Gemini candidates',
    (size) =>
      read(
        codecOf('gemini'),
        numbered(size, (name) => ({ candidates: [{ [name]: 1 }] })),
      ),
  ],
])('members %s that are called otherwise each time are kept in time that grows with them', (_what, work) => {
  expect(growth((size) => void work(size), 250)).toBeLessThan(GROWTH * 4);
});

test.each<[string, string]>([
  ['whole', '{}'],
  ['unfinished', '{'],
])('many %s calls with an end behind each are read in time that grows with them', (_what, text) => {
  const called = (at: number): object => {
    const call = { index: at, id: `c${at}`, type: 'function', function: { name: 'find', arguments: text } };
    return {
      id: 'a',
      model: 'up',
      choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'stop' }],
    };
  };
  const work = (size: number): void =>
    void read(
      codecOf('openai-chat'),
      Array.from({ length: size }, (_, at) => called(at)),
    );
  expect(growth(work, 500)).toBeLessThan(GROWTH * 4);
});

const CHUNK = { id: 'a', model: 'up', choices: [{ index: 0, delta: { content: 'a' } }] };
const CREATED = {
  type: 'response.created',
  response: { id: 'r', model: 'up', status: 'in_progress', output: [] },
};
const long = 'x'.repeat(1024 * 1024);

test.each<[string, Codec, readonly object[]]>([
  [
    'members of an Anthropic message',
    codecOf('anthropic'),
    [START, ...numbered(70, (name) => ({ type: 'message_delta', delta: { [name]: long } }))],
  ],
  ['members of Gemini responses', codecOf('gemini'), numbered(70, (name) => ({ [name]: long }))],
  [
    'members of Gemini responses that were short at first',
    codecOf('gemini'),
    [...numbered(70, (name) => ({ [name]: 0 })), ...numbered(70, (name) => ({ [name]: long }))],
  ],
  [
    'members of Anthropic blocks',
    codecOf('anthropic'),
    [
      START,
      ...Array.from({ length: 70 }, (_, index) => ({
        type: 'content_block_start',
        index,
        content_block: { type: 'text', text: '', later: long },
      })),
    ],
  ],
  ['members of chunks', codecOf('openai-chat'), numbered(70, (name) => ({ ...CHUNK, [name]: long }))],
  [
    'names of members of deltas',
    codecOf('openai-chat'),
    numbered(70, (name) => ({ ...CHUNK, choices: [{ index: 0, delta: { [name + long]: 1 } }] })),
  ],
  [
    'ids of one call',
    codecOf('openai-chat'),
    numbered(70, (name) => ({
      ...CHUNK,
      choices: [{ index: 0, delta: { tool_calls: [{ index: name, id: name + long, function: {} }] } }],
    })),
  ],
  [
    'annotations',
    codecOf('openai-responses'),
    [
      CREATED,
      ...numbered(70, () => ({
        type: 'response.output_text.annotation.added',
        output_index: 0,
        content_index: 0,
        annotation: { later: long },
      })),
    ],
  ],
  [
    'members of announced items',
    codecOf('openai-responses'),
    [
      CREATED,
      ...Array.from({ length: 70 }, (_, at) => ({
        type: 'response.output_item.added',
        output_index: at,
        item: {
          type: 'function_call',
          id: `f${at}`,
          call_id: `c${at}`,
          name: 'f',
          arguments: '',
          later: long,
        },
      })),
    ],
  ],
  [
    'the text of a custom call',
    codecOf('openai-responses'),
    [
      CREATED,
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'custom_tool_call', id: 'c', call_id: 'c1', name: 'run', input: '' },
      },
      ...numbered(70, () => ({
        type: 'response.custom_tool_call_input.delta',
        output_index: 0,
        item_id: 'c',
        delta: long,
      })),
    ],
  ],
])('%s count for what an answer may be', (_what, codec, events) => {
  const decoder = codec.decodeStream();
  const decoded = events.flatMap((event) => decoder.push(stream([event])));
  expect(decoded.at(-1)).toMatchObject({ kind: 'response-error', code: 'model/response-too-large' });
});
