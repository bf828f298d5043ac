import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { post } from '../../../test-support/post.ts';
import { sendEvents, sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath } from '../../../test-support/wire-samples.ts';

const CITED = {
  content: 'see',
  annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.test', title: 'A' } }],
};
const whole = JSON.stringify({
  id: 'c',
  model: 'up',
  choices: [{ index: 0, message: { role: 'assistant', ...CITED }, finish_reason: 'stop' }],
});
describe('what an answer loses on its way', () => {
  test.each(['anthropic', 'openai-responses', 'gemini'] as const)(
    'to a client of %s is told in the traffic record and in the header',
    async (surface) => {
      await withRawProvider('openai-chat', [sendJson(whole)], {}, async ({ traffic, url }) => {
        const path = `${url}${surfacePath(surface, false)}`;
        const { headers, status } = await post(path, oddRequest(surface, false));
        expect(status).toBe(200);
        const losses = traffic[0]?.losses ?? [];
        expect(losses.some(({ path: place }) => place.startsWith('/items/0/extensions'))).toBe(true);
        expect(headers['toolgate-loss']).toBe(String(losses.length));
      });
    },
  );

  test('is none of an answer that is passed on, and of one that breaks off', async () => {
    const answers = [sendJson(whole), sendEvents(['data: {"id":"c","choices":[]}\n\n'])];
    await withRawProvider('openai-chat', answers, {}, async ({ traffic, url }) => {
      const path = `${url}${surfacePath('openai-chat', false)}`;
      expect((await post(path, oddRequest('openai-chat', false))).body).toBe(whole);
      expect((await post(path, oddRequest('openai-chat', false))).status).toBe(502);
      expect(traffic.map(({ losses }) => losses)).toEqual([[], []]);
    });
  });
});
