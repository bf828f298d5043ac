import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../test-support/ask-raw.ts';
import { testFirewall } from '../../test-support/gateway-fixture.ts';
import { post } from '../../test-support/post.ts';
import { type RawAnswer, sendEvents, sendJson } from '../../test-support/raw-provider.ts';

const BODY = '{ "model":"m", "messages": {"of":"tomorrow"} }';
const route = { model: 'm', candidates: [{ provider: 'm', model: undefined }], passthrough: true };

describe('a request that is not understood', () => {
  test('is passed on as it is by a route that says so, and so is its answer', async () => {
    await withRawProvider(
      'openai-chat',
      [sendEvents(['data: what', 'ever\n\n'])],
      { routes: [route] },
      async (gateway, provider) => {
        const answered = await post(`${gateway.url}/v1/chat/completions`, BODY);
        expect([answered.status, answered.body]).toEqual([200, 'data: whatever\n\n']);
        expect(provider.requests[0]?.body.toString()).toBe(BODY);
      },
    );
  });

  test.each([
    ['any other route', [{ ...route, passthrough: false }], BODY],
    ['a route with a firewall', [{ ...route, firewall: testFirewall() }], BODY],
    ['such a route when it is no strict JSON', [route], '{"model":"m","model":"n","messages":{}}'],
  ])('is refused by %s', async (_, routes, body) => {
    await withRawProvider('openai-chat', [sendJson('{}')], { routes }, async (gateway, provider) => {
      expect((await post(`${gateway.url}/v1/chat/completions`, body)).status).toBe(400);
      expect(provider.requests).toEqual([]);
    });
  });

  test('is refused in our words when the provider refuses it', async () => {
    const refusing = sendJson('{"error":{"message":"no"}}', 401);
    await withRawProvider('openai-chat', [refusing], { routes: [route] }, async ({ url }) => {
      const answered = await post(`${url}/v1/chat/completions`, BODY);
      expect([answered.status, answered.body.includes('upstream_misconfigured')]).toEqual([502, true]);
    });
  });

  test('gets an answer that is packed as a plain one', async () => {
    const answer: RawAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{"later":1}'));
    };
    await withRawProvider('openai-chat', [answer], { routes: [route] }, async ({ url }) => {
      const { body, headers, status } = await post(`${url}/v1/chat/completions`, BODY);
      expect([status, body, headers['content-encoding']]).toEqual([200, '{"later":1}', undefined]);
    });
  });

  test.each([
    ['is packed', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    ['says a type that is no header', { 'content-type': 'application/json\u00ff' }],
  ])('gets no answer that %s', async (_, headers) => {
    const answer = sendJson('{}', 200, headers);
    await withRawProvider('openai-chat', [answer], { routes: [route] }, async ({ errors, url }) => {
      const answered = await post(`${url}/v1/chat/completions`, BODY);
      expect([answered.status, answered.body.includes('upstream_invalid')]).toEqual([502, true]);
      expect(errors).toEqual([]);
    });
  });
});
