import Anthropic from '@anthropic-ai/sdk';
import { expect, test } from 'vitest';
import { decodeText } from '../../test-support/recordings.ts';
import { collectResponse } from '../event/collect-response.ts';
import { anthropic } from './anthropic.ts';

const SUMMARY = { content: 'They spoke of ships.', encrypted_content: 'ZW5j' };

const STREAM = [
  {
    type: 'message_start',
    message: {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  },
  {
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'compaction', content: null, signature: 's' },
  },
  { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', ...SUMMARY } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'compaction' }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]
  .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
  .join('');

const BLOCK = { type: 'compaction', signature: 's', ...SUMMARY };

test('the summary of a conversation, which comes in a delta, is the block, and the turn is to be gone on with', () => {
  expect(collectResponse(decodeText(anthropic, STREAM))).toMatchObject({
    items: [{ kind: 'foreign', protocol: 'anthropic', value: BLOCK }],
    finish: 'paused',
    finishDetail: 'compaction',
  });
});

test('the official client reads the same summary from a stream that is written anew', async () => {
  const encoder = anthropic.encodeStream();
  const body = decodeText(anthropic, STREAM)
    .map((event) => encoder.push(event))
    .join('');
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const client = new Anthropic({ apiKey: 'k', fetch, maxRetries: 0 });
  const told: string[] = [];
  const stream = client.beta.messages
    .stream({ model: 'x', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] })
    .on('compaction', (content) => told.push(content));
  expect((await stream.finalMessage()).content).toMatchObject([BLOCK]);
  expect(told).toEqual([SUMMARY.content]);
});
