import { expect, test } from 'vitest';
import { callsOf, readAnswer, textOf, withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const ASKED = '{"path":"a"}';
const item = (text: string) => ({
  type: 'function_call',
  id: 'fc_1',
  call_id: 'c1',
  name: 'find',
  arguments: text,
});
const place = { output_index: 0, item_id: 'fc_1' };
const start = { type: 'response.created', response: { id: 'r', model: 'up', output: [] } };
const added = (text = '') => ({ type: 'response.output_item.added', ...place, item: item(text) });
const delta = (text: string) => ({ type: 'response.function_call_arguments.delta', ...place, delta: text });
const whole = (text: string) => ({
  type: 'response.function_call_arguments.done',
  ...place,
  arguments: text,
});
const done = (text = ASKED) => ({ type: 'response.output_item.done', ...place, item: item(text) });
const end = (text = ASKED) => ({
  type: 'response.completed',
  response: { id: 'r', model: 'up', status: 'completed', output: [item(text)] },
});

const OTHER = '{"path":"unseen"}';

/** What a client of the same protocol gets of a stream of these events. */
async function answered(events: readonly { readonly type: string }[]): Promise<string> {
  const sent = [start, ...events].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return withRawProvider('openai-responses', [sendEvents(sent)], {}, async ({ url }) => {
    const path = surfacePath('openai-responses', true);
    const { body } = await post(`${url}${path}`, oddRequest('openai-responses', true));
    return body;
  });
}

test.each([
  ['before its pieces', [added(OTHER), delta(ASKED), done(), end()]],
  ['before its final form', [added(OTHER), done(), end()]],
  ['behind the last of its pieces', [added(), delta(ASKED), whole(ASKED), delta(OTHER), done(), end()]],
  ['piece by piece behind its final form', [added(), delta(ASKED), done(), delta(OTHER), end()]],
])('arguments that nobody looked at do not come to the client %s', async (_, events) => {
  const body = await answered(events);
  expect(body).not.toContain('unseen');
  expect(callsOf(readAnswer('openai-responses', true, body))).toEqual([['find', ASKED]]);
});

test('arguments that differ from those that were looked at break the answer behind its final form', async () => {
  const body = await answered([added(), delta(ASKED), done(), whole(OTHER), end()]);
  expect(body).not.toContain('unseen');
  expect(readAnswer('openai-responses', true, body).finish).toBe('error');
});

test('a final form without arguments comes to the client with them', async () => {
  const body = await answered([added(), delta(ASKED), done(''), end('')]);
  const last = body.split('\n').findLast((line) => line.startsWith('data: {'));
  expect(last).toContain(JSON.stringify(ASKED));
});

test('a call within which another block of Anthropic begins comes to the client with its arguments', async () => {
  const begin = (index: number, block: object) => ({
    type: 'content_block_start',
    index,
    content_block: block,
  });
  const called = (name: string) => ({ type: 'tool_use', id: `c_${name}`, name, input: {} });
  const add = (index: number, more: object) => ({ type: 'content_block_delta', index, delta: more });
  const input = (index: number, text: string) => add(index, { type: 'input_json_delta', partial_json: text });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const sent = [
    { type: 'message_start', message: { id: 'm', model: 'up', role: 'assistant', content: [] } },
    begin(0, called('find')),
    begin(1, { type: 'text', text: '' }),
    add(1, { type: 'text_delta', text: 'Look' }),
    stop(1),
    begin(2, called('delete_db')),
    input(0, ASKED),
    stop(0),
    input(2, '{}'),
    stop(2),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  await withRawProvider('anthropic', [sendEvents(sent)], {}, async ({ url }) => {
    const { body } = await post(`${url}${surfacePath('anthropic', true)}`, oddRequest('anthropic', true));
    expect(body).not.toContain('delete_db');
    const response = readAnswer('anthropic', true, body);
    expect(callsOf(response)).toEqual([['find', ASKED]]);
    expect(textOf(response)).toContain('Look');
  });
});
