import { GoogleGenAI } from '@google/genai';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../test-support/ask-raw.ts';
import { CLIENT_KEY, PROVIDER_KEY } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { sendJson } from '../../test-support/raw-provider.ts';

const BODY = '{ "contents":[{"parts":[{"text":"hi"}]}] }';

describe('a count of tokens by Gemini', () => {
  test('goes to a provider of Gemini as it came, and so does its answer', async () => {
    const counted = '{ "totalTokens": 5 }';
    await withRawProvider('gemini', [sendJson(counted)], {}, async ({ url }, provider) => {
      const answered = await post(`${url}/v1beta/models/m:countTokens`, BODY);
      expect([answered.status, answered.body]).toEqual([200, counted]);
      const [request] = provider.requests;
      expect([request?.path, request?.body.toString()]).toEqual(['/v1beta/models/m:countTokens', BODY]);
      expect(request?.headers['x-goog-api-key']).toBe(PROVIDER_KEY);
    });
  });

  test('is what the official client reads, under the name that the provider knows', async () => {
    const routes = [{ model: 'mine', candidates: [{ provider: 'm', model: 'gemini-3-flash' }] }];
    await withRawProvider(
      'gemini',
      [sendJson('{"totalTokens":7}')],
      { routes },
      async ({ url }, provider) => {
        const client = new GoogleGenAI({ apiKey: CLIENT_KEY, httpOptions: { baseUrl: url } });
        const { totalTokens } = await client.models.countTokens({ model: 'mine', contents: 'hi' });
        expect([totalTokens, provider.requests[0]?.path]).toEqual([
          7,
          '/v1beta/models/gemini-3-flash:countTokens',
        ]);
      },
    );
  });

  test('is refused where nobody can count, nothing is there to count, or the key stands in the address', async () => {
    await withRawProvider('openai-chat', [sendJson('{}')], {}, async ({ url }, provider) => {
      const other = await post(`${url}/v1beta/models/m:countTokens`, BODY);
      expect([other.status, other.body.includes('method_unsupported')]).toEqual([400, true]);
      const unknown = await post(`${url}/v1beta/models/x:countTokens`, BODY);
      expect([unknown.status, unknown.body.includes('model_not_found')]).toEqual([404, true]);
      expect((await post(`${url}/v1beta/models/m:countTokens`, '{}')).status).toBe(400);
      expect((await post(`${url}/v1beta/models/:countTokens`, BODY)).status).toBe(404);
      expect((await post(`${url}/v1beta/models/m:countTokens?key=${CLIENT_KEY}`, BODY)).status).toBe(400);
      expect(provider.requests).toEqual([]);
    });
  });

  test('that fails says so as Gemini does', async () => {
    const failure = sendJson('{"error":{"code":429,"message":"secret","status":"RESOURCE_EXHAUSTED"}}', 429);
    await withRawProvider('gemini', [failure], {}, async ({ url }) => {
      const answered = await post(`${url}/v1beta/models/m:countTokens`, BODY);
      expect([answered.status, answered.body.includes('RESOURCE_EXHAUSTED')]).toEqual([429, true]);
      expect(answered.body).not.toContain('secret');
    });
  });
});
