import { expect, test } from 'vitest';
import type { Protocol } from '../call/protocol.ts';
import type { StreamEnding } from './codec.ts';
import { codecOf } from './codecs.ts';

const chunk = (delta: object, finish: string | null, index = 0): object => ({
  id: 'a',
  choices: [{ index, delta, finish_reason: finish }],
});
const text = { content: 'ja' };
const thought = { reasoning_content: 'hm' };
const called = (args: string): object => ({
  tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'find', arguments: args } }],
});
const parts = (given: readonly object[], finish?: string, index = 0): object => ({
  responseId: 'a',
  candidates: [
    {
      index,
      content: { role: 'model', parts: given },
      ...(finish === undefined ? {} : { finishReason: finish }),
    },
  ],
});
const said = { text: 'ja' };
const thinks = { text: 'hm', thought: true };
const counts = { id: 'a', choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
const message = [
  { type: 'message_start', message: { id: 'a', model: 'up', role: 'assistant', content: [] } },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'c', name: 'find', input: {} },
  },
];
const stopped = { type: 'content_block_stop', index: 0 };
const word = { type: 'message_delta', delta: { stop_reason: 'tool_use' } };

test.each<[Protocol, string, StreamEnding, readonly object[]]>([
  ['openai-chat', 'a word of its own', 'certain', [chunk(text, null), chunk({}, 'stop')]],
  ['openai-chat', 'a word of its own, and counts', 'certain', [chunk(text, null), chunk({}, 'stop'), counts]],
  [
    'openai-chat',
    'a word of its own behind a mere opening',
    'certain',
    [chunk({ role: 'assistant' }, null), chunk({}, 'stop')],
  ],
  [
    'openai-chat',
    'a word with the last of several pieces',
    'certain',
    [chunk(text, null), chunk(called('{}'), 'tool_calls')],
  ],
  ['openai-chat', 'thoughts that were cut', 'certain', [chunk(thought, null), chunk(thought, 'length')]],
  ['openai-chat', 'a word with all that is said', 'likely', [chunk(called('{}'), 'tool_calls')]],
  [
    'openai-chat',
    'a word with all that is said behind an opening',
    'likely',
    [chunk({ role: 'assistant', content: '' }, null), chunk(text, 'stop')],
  ],
  ['openai-chat', 'a word with thoughts and text', 'likely', [chunk({ ...thought, ...text }, 'stop')]],
  ['openai-chat', 'a word with the opening', 'likely', [chunk({ role: 'assistant', content: '' }, 'stop')]],
  ['openai-chat', 'a word with thoughts', 'no', [chunk(thought, 'stop')]],
  [
    'openai-chat',
    'a word with thoughts of another form',
    'no',
    [chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] }, 'stop')],
  ],
  ['openai-chat', 'a word in every piece', 'no', [chunk(text, 'stop'), chunk(text, 'stop')]],
  ['openai-chat', 'a call that is not whole', 'no', [chunk(text, null), chunk(called('{'), 'stop')]],
  [
    'openai-chat',
    'another answer beside it',
    'no',
    [chunk(text, null), chunk({}, 'stop'), chunk(text, null, 1)],
  ],
  ['openai-chat', 'no word', 'no', [chunk(text, null)]],
  ['gemini', 'a word with the last of several pieces', 'certain', [parts([said]), parts([said], 'STOP')]],
  ['gemini', 'a word with all that is said', 'likely', [parts([thinks, said], 'STOP')]],
  [
    'gemini',
    'a refusal to answer',
    'likely',
    [{ responseId: 'a', promptFeedback: { blockReason: 'SAFETY' } }],
  ],
  ['gemini', 'a word with thoughts', 'no', [parts([thinks], 'STOP')]],
  ['gemini', 'a word in every piece', 'no', [parts([said], 'STOP'), parts([said], 'STOP')]],
  [
    'gemini',
    'another answer beside it',
    'no',
    [parts([said]), parts([said], 'STOP'), parts([said], undefined, 1)],
  ],
  ['gemini', 'no word', 'no', [parts([said])]],
  ['anthropic', 'a word behind all blocks', 'certain', [...message, stopped, word]],
  ['anthropic', 'a word before the end of a block', 'no', [...message, word]],
  ['anthropic', 'no word', 'no', [...message, stopped]],
  ['anthropic', 'the end itself', 'no', [...message, stopped, word, { type: 'message_stop' }]],
  [
    'openai-responses',
    'no terminal event',
    'no',
    [{ type: 'response.created', response: { id: 'a', model: 'up' } }],
  ],
])('%s: the end of a stream with %s is missing: %s', (protocol, _what, ending, events) => {
  const decoder = codecOf(protocol).decodeStream();
  decoder.push(
    new TextEncoder().encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')),
  );
  expect(decoder.ending?.()).toBe(ending);
});
