import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

/** An event as it stands on the wire. */
interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

const event = (data: Event): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const PART = { type: 'output_text', text: 'hey', annotations: [] };
const MESSAGE = { id: 'm1', type: 'message', role: 'assistant' };
const AT = { item_id: 'm1', output_index: 0, content_index: 0 };

/** A message, of which some events are left out, and a call of a tool. */
function streamOf(tool: string, leftOut: readonly string[]): readonly string[] {
  const call = { id: 'f1', type: 'function_call', call_id: 'c1', name: tool, arguments: '{"path":"a"}' };
  const response = { id: 'r', object: 'response', model: 'up', output: [] };
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item: { ...MESSAGE, content: [] } },
    { type: 'response.content_part.added', ...AT, part: { ...PART, text: '' } },
    { type: 'response.output_text.delta', ...AT, delta: 'hey' },
    { type: 'response.output_text.done', ...AT, text: 'hey' },
    { type: 'response.content_part.done', ...AT, part: PART },
    { type: 'response.output_item.done', output_index: 0, item: { ...MESSAGE, content: [PART] } },
    { type: 'response.output_item.added', output_index: 1, item: { ...call, arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'f1', output_index: 1, delta: call.arguments },
    { type: 'response.output_item.done', output_index: 1, item: { ...call, status: 'completed' } },
    { type: 'response.completed', response: { ...response, status: 'completed' } },
  ]
    .filter(({ type }) => !leftOut.includes(type))
    .map(event);
}

/** How often each item of an answer ended. */
function endsOf(body: string): Readonly<Record<string, number>> {
  const ends: Record<string, number> = {};
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { item, type } = JSON.parse(line.slice(6)) as { item?: { id: string }; type: string };
    if (type === 'response.output_item.done' && item !== undefined) ends[item.id] = (ends[item.id] ?? 0) + 1;
  }
  return ends;
}

describe('a message whose events do not all come', () => {
  test.each([
    [['response.content_part.done']],
    [['response.output_text.done', 'response.content_part.done']],
    [['response.output_text.done']],
    [['response.content_part.added', 'response.content_part.done']],
    [[]],
  ])('ends once, whether the call behind it is let through or not: without %j', async (leftOut) => {
    for (const tool of ['find', 'delete_db']) {
      await withRawProvider(
        'openai-responses',
        [sendEvents(streamOf(tool, leftOut))],
        {},
        async ({ url }) => {
          const path = `${url}${surfacePath('openai-responses', true)}`;
          const { body } = await post(path, oddRequest('openai-responses', true));
          const ends = endsOf(body);
          expect([tool, ends['m1'], Math.max(...Object.values(ends))]).toEqual([tool, 1, 1]);
          expect(body).not.toContain('delete_db');
          expect(body).toContain('event: response.completed');
        },
      );
    }
  });
});
