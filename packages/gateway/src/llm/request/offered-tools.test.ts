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

test.each([
  ['openai-chat', { type: 'mcp', name: 'find', server_url: 'https://tools.example' }],
  ['openai-chat', { type: 'mcp', mcp: { name: 'find' } }],
  ['openai-responses', { type: 'mcp', name: 'find', server_url: 'https://tools.example' }],
  ['openai-responses', { type: 'mcp', server_label: 'find', server_url: 'https://tools.example' }],
] as const)('a tool of %s does not get through under the name of another one', async (protocol, tool) => {
  const said = protocol === 'openai-chat' ? { messages: [{ role: 'user', content: 'hi' }] } : { input: 'hi' };
  const answer = sendJson(wireAnswer(protocol, turnEvents([])));
  const setup = { grants: { toolsDefault: 'deny', allow: ['find'] } } as const;
  await withRawProvider(protocol, [answer], setup, async ({ url }, provider) => {
    const path = protocol === 'openai-chat' ? 'chat/completions' : 'responses';
    const body = JSON.stringify({ model: 'm', ...said, tools: [tool] });
    expect((await post(`${url}/v1/${path}`, body)).status).toBe(200);
    expect(provider.requests).toHaveLength(1);
    expect(provider.requests[0]?.body.toString('utf8')).not.toContain('mcp');
  });
});
