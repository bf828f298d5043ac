import { expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { surfacePath } from '../../../test-support/wire-samples.ts';

/** An event as it stands on the wire. */
interface Event {
  readonly type: string;
  readonly [member: string]: unknown;
}

const event = (data: Event): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const CALL = { id: 'i1', type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: 'rm a' };
const RESPONSE = { id: 'r', object: 'response', model: 'up', output: [] };
const STREAM = [
  { type: 'response.created', response: { ...RESPONSE, status: 'in_progress' } },
  { type: 'response.output_item.added', output_index: 0, item: CALL },
  { type: 'response.custom_tool_call_input.delta', item_id: 'i1', output_index: 0, delta: 'rm a' },
  { type: 'response.custom_tool_call_input.done', item_id: 'i1', output_index: 0, input: 'rm a' },
  { type: 'response.output_item.done', output_index: 0, item: { ...CALL, status: 'completed' } },
  { type: 'response.completed', response: { ...RESPONSE, status: 'completed', output: [CALL] } },
].map(event);

/** What a client makes of the input that begins with what is announced and adds the pieces. */
function addedUp(body: string): string {
  let input = '';
  for (const line of body.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const { delta, item, type } = JSON.parse(line.slice(6)) as {
      delta?: string;
      item?: { input?: string };
      type: string;
    };
    if (type === 'response.output_item.added') input += item?.input ?? '';
    if (type === 'response.custom_tool_call_input.delta') input += delta ?? '';
  }
  return input;
}

test('a call of a custom tool that is announced whole and sent in pieces is the one that was judged', async () => {
  const grants = { toolsDefault: 'allow' as const };
  await withRawProvider('openai-responses', [sendEvents(STREAM)], { grants }, async ({ url }) => {
    const request = { model: 'm', stream: true, input: 'hi', tools: [{ type: 'custom', name: 'patch' }] };
    const { body } = await post(`${url}${surfacePath('openai-responses', true)}`, JSON.stringify(request));
    expect(addedUp(body)).toBe('rm a');
    expect(body).toContain('event: response.completed');
  });
});
