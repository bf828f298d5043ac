import { expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', model: 'up', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const call = (more: object): object => ({ tool_calls: [{ index: 0, ...more }] });
const END = [chunk({}, 'tool_calls'), 'data: [DONE]\n\n'];
const WHOLE = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{"path":"a"}' } };
const BEGUN = { ...WHOLE, function: { name: 'find', arguments: '{"path":' } };

const STREAMS: readonly (readonly [string, readonly string[]])[] = [
  ['with a call alone', [chunk(call(WHOLE)), ...END]],
  ['with a call before a text', [chunk(call(WHOLE)), chunk({ content: 'Look' }), ...END]],
  [
    'with half a call before a text',
    [
      chunk(call(BEGUN)),
      chunk({ content: 'Look' }),
      chunk(call({ function: { arguments: '"a"}' } })),
      ...END,
    ],
  ],
  ['with a call before a thought', [chunk(call(WHOLE)), chunk({ reasoning_content: 'Hm' }), ...END]],
];

test.each(STREAMS)(
  'a translated stream whose first chunk comes %s begins with its opening',
  async (_, sent) => {
    await withRawProvider('openai-chat', [sendEvents(sent)], {}, async ({ url }) => {
      const openings = [];
      for (const surface of ['anthropic', 'openai-responses'] as const) {
        const { body } = await post(`${url}${surfacePath(surface, true)}`, oddRequest(surface, true));
        openings.push(/^event: (\S+)/.exec(body)?.[1]);
        expect(body).toContain('find');
      }
      expect(openings).toEqual(['message_start', 'response.created']);
    });
  },
);

test('the opening does not wait for the decision about the call in its chunk', async () => {
  const sent = sendEvents([chunk(call(BEGUN))], 'break');
  await withRawProvider('openai-chat', [sent], {}, async ({ url }) => {
    const { body, status } = await post(
      `${url}${surfacePath('anthropic', true)}`,
      oddRequest('anthropic', true),
    );
    expect(status).toBe(200);
    expect(body).toMatch(/^event: message_start\n/);
    expect(body).toMatch(/\nevent: error\n/);
    expect(body).not.toContain('find');
  });
});
