import { GoogleGenAI } from '@google/genai';
import { expect, test } from 'vitest';
import { withRawProvider } from '../../test-support/ask-raw.ts';
import { CLIENT_KEY } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { sendEvents, sendJson } from '../../test-support/raw-provider.ts';

const ANSWER = JSON.stringify({
  responseId: 'a',
  modelVersion: 'up',
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'ja' }] }, finishReason: 'STOP' }],
});

test.each([undefined, 'v1beta', 'v1alpha', 'v1'])(
  'the official client is answered whatever edition of the wire it is told to ask for: %s',
  async (apiVersion) => {
    const answers = [sendJson(ANSWER), sendEvents([`data: ${ANSWER}\n\n`])];
    await withRawProvider('gemini', answers, {}, async ({ url }, provider) => {
      const httpOptions = { baseUrl: url, ...(apiVersion === undefined ? {} : { apiVersion }) };
      const { models } = new GoogleGenAI({ apiKey: CLIENT_KEY, httpOptions });
      const asked = { model: 'm', contents: 'hi' };
      expect((await models.generateContent(asked)).text).toBe('ja');
      const said: (string | undefined)[] = [];
      for await (const { text } of await models.generateContentStream(asked)) said.push(text);
      expect(said).toEqual(['ja']);
      expect((await models.get({ model: 'm' })).name).toBe('models/m');
      const listed: (string | undefined)[] = [];
      for await (const { name } of await models.list()) listed.push(name);
      expect(listed).toEqual(['models/m']);
      expect(new Set(provider.requests.map(({ path }) => path.split('?')[0]))).toEqual(
        new Set(['/v1beta/models/m:generateContent', '/v1beta/models/m:streamGenerateContent']),
      );
    });
  },
);

test('a method that there is not is refused in the form of that client', async () => {
  await withRawProvider('gemini', [sendJson('{}')], {}, async ({ url }) => {
    for (const edition of ['v1beta', 'v1alpha', 'v1']) {
      const { body, status } = await post(`${url}/${edition}/models/m:embedContent`, '{"contents":[]}');
      expect([status, JSON.parse(body)]).toMatchObject([404, { error: { code: 404, status: 'NOT_FOUND' } }]);
    }
  });
});
