import type { Protocol } from '@toolgate/model';
import { expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { data, named, type Wire } from '../../../test-support/honest/events.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

/** A member that nobody knows and nobody reads. */
const padding = 'x'.repeat(1024 * 1024);
const PIECES = 140;

const RESPONSE: Wire = { id: 'r', object: 'response', model: 'up', status: 'in_progress', output: [] };
const announced = (item: Wire): string =>
  named(
    { type: 'response.created', response: RESPONSE },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'x', status: 'in_progress', ...item },
    },
  );
const chunk = (delta: Wire, rest: Wire = {}): string =>
  data({ id: 'a', model: 'up', choices: [{ index: 0, delta, finish_reason: null }], ...rest });

test.each<[string, Protocol, string, string]>([
  [
    'a function call of Chat',
    'openai-chat',
    chunk({
      tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'find', arguments: '' } }],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '' } }] }, { padding }),
  ],
  [
    'a function call of Responses',
    'openai-responses',
    announced({ type: 'function_call', call_id: 'c', name: 'find', arguments: '' }),
    named({
      type: 'response.function_call_arguments.delta',
      output_index: 0,
      item_id: 'x',
      delta: '',
      padding,
    }),
  ],
  [
    'a custom call',
    'openai-responses',
    announced({ type: 'custom_tool_call', call_id: 'c', name: 'find', input: '' }),
    named({
      type: 'response.custom_tool_call_input.delta',
      output_index: 0,
      item_id: 'x',
      delta: '',
      padding,
    }),
  ],
  [
    'a call of a shell',
    'openai-responses',
    announced({ type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } }),
    named({ type: 'response.shell_call_command.delta', output_index: 0, item_id: 'x', delta: '', padding }),
  ],
])(
  'what waits for a decision is bounded, and its provider is left: %s',
  async (_what, protocol, begin, piece) => {
    const pieces = [begin, ...Array.from({ length: PIECES }, () => piece)];
    await withRawProvider(protocol, [sendEvents(pieces, 'stay')], {}, async ({ url }, provider) => {
      const answered = await post(`${url}${surfacePath(protocol, true)}`, oddRequest(protocol, true));
      expect(answered.body).not.toContain('find');
      expect(answered.body).not.toContain('shell_call');
      expect(answered.body).toContain('error');
      await provider.idle();
    });
  },
);
