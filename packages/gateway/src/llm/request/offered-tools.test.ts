import { expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { testFirewall } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson } from '../../../test-support/raw-provider.ts';
import { turnEvents, wireAnswer } from '../../../test-support/wire-samples.ts';

const BODY = JSON.stringify({
  model: 'm',
  max_tokens: 10,
  messages: [{ role: 'user', content: 'hi' }],
  mcp_servers: [{ type: 'url', url: 'https://tools.example', name: 'theirs' }],
});
const route = { model: 'm', candidates: [{ provider: 'm', model: undefined }] };
const denies = testFirewall({ scope: { allow: [], deny: ['mcp'] } });

test.each([
  ['a key that allows no tool', { grants: { toolsDefault: 'deny' } }, 400],
  ['a key that denies it', { grants: { deny: ['mcp'] } }, 400],
  ['a route that denies it', { routes: [{ ...route, firewall: denies }] }, 400],
  ['a key that allows all tools', {}, 200],
] as const)('servers whose tools the provider would call, with %s', async (_, setup, status) => {
  const answer = sendJson(wireAnswer('anthropic', turnEvents([])));
  await withRawProvider('anthropic', [answer], setup, async ({ url }, provider) => {
    const answered = await post(`${url}/v1/messages`, BODY);
    expect(answered.status).toBe(status);
    expect(provider.requests).toHaveLength(status === 200 ? 1 : 0);
  });
});
