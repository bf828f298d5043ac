import type { JsonObject } from '@toolgate/core';
import { PROTOCOLS, type Protocol } from '@toolgate/model';
import { describe, expect, test } from 'vitest';
import { type TestProvider, withGateway } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson, startRawProvider } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath, turnEvents, wireAnswer } from '../../../test-support/wire-samples.ts';

const FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/** What a server of Chat that knows one name for the limit is sent. */
async function sent(
  surface: Protocol,
  maxTokensField: TestProvider['maxTokensField'],
  body: string,
  model = 'm',
): Promise<string> {
  const provider = await startRawProvider(sendJson(wireAnswer('openai-chat', turnEvents([]))));
  try {
    const m: TestProvider = { protocol: 'openai-chat', baseUrl: `${provider.origin}/v1`, maxTokensField };
    const routes = [{ model: 'm', candidates: [{ provider: 'm', model }] }];
    return await withGateway({ providers: { m }, routes }, async ({ url }) => {
      expect((await post(`${url}${surfacePath(surface, false)}`, body)).status).toBe(200);
      return provider.requests[0]?.body.toString() ?? '';
    });
  } finally {
    await provider.close();
  }
}

function limited(surface: Protocol): JsonObject {
  switch (surface) {
    case 'openai-chat':
      return { model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: 9 };
    case 'openai-responses':
      return { model: 'm', input: 'x', max_output_tokens: 9 };
    case 'anthropic':
      return { model: 'm', messages: [{ role: 'user', content: 'x' }], max_tokens: 9 };
    case 'gemini':
      return {
        contents: [{ role: 'user', parts: [{ text: 'x' }] }],
        generationConfig: { maxOutputTokens: 9 },
      };
  }
}

describe.each(FIELDS)('a provider that knows %s alone', (field) => {
  const [other = ''] = FIELDS.filter((name) => name !== field);

  test.each(PROTOCOLS)('gets the limit of a client of %s under that name', async (surface) => {
    const body = JSON.parse(await sent(surface, field, JSON.stringify(limited(surface)))) as JsonObject;
    expect(body[field]).toBe(9);
    expect(body).not.toHaveProperty(other);
  });

  test.each(['m', 'longer-name'])('gets everything else as its client wrote it (%s)', async (model) => {
    const written = oddRequest('openai-chat', false);
    const body = written.replace('"stream"', `"${other}" : 1e1 ,"stream"`);
    const expected = body.replace(other, field).replace('"model":"m"', `"model":"${model}"`);
    expect(await sent('openai-chat', field, body, model)).toBe(expected);
    expect(await sent('openai-chat', field, written)).toBe(written);
  });

  test('gets the newer one of two limits', async () => {
    const body = { ...limited('openai-chat'), max_tokens: 5, max_completion_tokens: 7 };
    const got = JSON.parse(await sent('openai-chat', field, JSON.stringify(body))) as JsonObject;
    expect([got[field], other in got]).toEqual([7, false]);
  });
});

test('where nothing is written, a client’s own name for the limit stays', async () => {
  for (const field of FIELDS) {
    const { max_tokens: limit, ...rest } = limited('openai-chat') as JsonObject & { max_tokens: number };
    const body = JSON.stringify({ ...rest, [field]: limit });
    expect(await sent('openai-chat', undefined, body)).toBe(body);
  }
});
