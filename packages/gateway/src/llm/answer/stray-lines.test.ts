import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { ASK } from '../../../test-support/clients.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const chunk = (delta: object, finish: string | null = null): string =>
  JSON.stringify({
    id: 'r',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'up',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const HIDDEN = chunk({
  tool_calls: [{ index: 0, id: 'c9', type: 'function', function: { name: 'delete_db', arguments: '{}' } }],
});

const before = `data: ${chunk({ role: 'assistant', content: 'hi' })}\n\n`;
const after = `data: ${chunk({ content: ' there' })}\n\ndata: ${chunk({}, 'stop')}\n\ndata: [DONE]\n\n`;

/** The answer of a client that speaks the provider's protocol. */
async function passed(pieces: readonly string[]): Promise<string> {
  return withRawProvider('openai-chat', [sendEvents(pieces)], {}, async ({ url }) => {
    const path = `${url}${surfacePath('openai-chat', true)}`;
    return (await post(path, oddRequest('openai-chat', true))).body;
  });
}

const STRAYS: readonly (readonly [string, string])[] = [
  ['behind a blank', ` data: ${HIDDEN}\n\n`],
  ['in other letters', `Data: ${HIDDEN}\n\n`],
  ['behind the mark of a byte order', `\uFEFFdata: ${HIDDEN}\n\n`],
  ['without a field', `${HIDDEN}\n\n`],
  ['in a comment', `: data: ${HIDDEN}\n\n`],
  ['in a comment, behind an end of lines of Unicode', `: wait\u2028data: ${HIDDEN}\n\n`],
  ['in a comment, behind one of ASCII', `: wait\vdata: ${HIDDEN}\n\n`],
  ['in a comment, behind NEL', `: wait\u0085data: ${HIDDEN}\n\n`],
  ['in a comment, behind NUL', `: wait\0data: ${HIDDEN}\n\n`],
  ['in the name of an event', `event: data: ${HIDDEN}\n\n`],
  ['in an id', `id: data: ${HIDDEN}\n\n`],
  ['in a time to wait', `retry: data :${HIDDEN}\n\n`],
  ['in one of several lines', `data: {"id":"r","x":\ndata: ${HIDDEN}\ndata: ,"choices":[]}\n\n`],
  ['beside a text', ` data: ${HIDDEN}\ndata: ${chunk({ content: '' })}\n\n`],
];

describe('what readers less exact than ours take for a call', () => {
  test.each(STRAYS)('%s comes to no client, and the rest does', async (_, stray) => {
    const body = await passed([before, stray, after]);
    expect(body).not.toContain('delete_db');
    expect(body).toContain('hi');
    expect(body).toContain(' there');
    expect(body.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  test('is none for the official client, which takes marks of a byte order away', async () => {
    const stray = `\uFEFFdata: ${HIDDEN}\n\n`;
    await withRawProvider('openai-chat', [sendEvents([before, stray, after])], {}, async ({ url }) => {
      const said = await ASK['openai-chat'](url, { model: 'm', text: 'hi', stream: true });
      expect(said.calls).toEqual([]);
    });
  });

  test.each([
    ': OPENROUTER PROCESSING\n\n',
    ':\n\n',
    ': ping - 2026-03-01 10:00:00.123456+00:00\n\n',
    'retry: 500\n\n',
    'event: ping\nid: 17\n\n',
    'data:\n\n',
    `event: chunk\ndata: ${chunk({ content: 'so\u2028on' })}\n\n`,
  ])('is not %j, which goes on as it came', async (quiet) => {
    const pieces = [before, quiet, after];
    expect(await passed(pieces)).toBe(pieces.join(''));
  });
});
