import { describe, expect, test } from 'vitest';
import { withRawProvider } from '../../../test-support/ask-raw.ts';
import { type GatewaySetup, testFirewall } from '../../../test-support/gateway-fixture.ts';
import { post } from '../../../test-support/post.ts';
import { sendJson } from '../../../test-support/raw-provider.ts';
import { oddRequest, surfacePath, turnEvents, wireAnswer } from '../../../test-support/wire-samples.ts';

type Setup = Omit<GatewaySetup, 'providers'>;
const route = { model: 'm', candidates: [{ provider: 'm', model: undefined }] };
const OBSERVING: Setup = { routes: [{ ...route, firewall: testFirewall({ mode: 'observe' }) }] };

async function ask(protocol: 'openai-chat' | 'gemini', body: string, setup: Setup = {}) {
  const answer = sendJson(wireAnswer(protocol, turnEvents([])));
  return withRawProvider(protocol, [answer], setup, async ({ traffic, url }, provider) => {
    const { body: said, status } = await post(`${url}${surfacePath(protocol, false)}`, body);
    return { said, status, asked: provider.requests.length, error: traffic[0]?.error };
  });
}

const chat = (count: string): string => oddRequest('openai-chat', false).replace('{', `{ "n": ${count},`);
const gemini = (count: string, name = 'candidateCount'): string =>
  oddRequest('gemini', false).replace('{', `{ "generationConfig": { "${name}": ${count} },`);

describe('several answers together with tools', () => {
  test.each<readonly [string, 'openai-chat' | 'gemini', string, string, Setup]>([
    ['OpenAI', 'openai-chat', chat('2'), '/n', {}],
    ['OpenAI, as a fraction', 'openai-chat', chat('1.5'), '/n', {}],
    ['Gemini', 'gemini', gemini('2'), '/generationConfig/candidateCount', {}],
    [
      'Gemini, in the other spelling',
      'gemini',
      gemini('2', 'candidate_count'),
      '/generationConfig/candidateCount',
      {},
    ],
    ['a route that observes', 'openai-chat', chat('2'), '/n', OBSERVING],
    [
      'tools in the old form',
      'openai-chat',
      '{"model":"m","n":2,"messages":[{"role":"user","content":"x"}],"functions":[{"name":"find","parameters":{}}]}',
      '/n',
      {},
    ],
  ])('are refused before anybody is asked: %s', async (_, protocol, body, pointer, setup) => {
    const { asked, error, said, status } = await ask(protocol, body, setup);
    expect([status, asked, error]).toEqual([400, 0, 'answer_count_unsupported']);
    expect(said).toContain(protocol === 'gemini' ? 'INVALID_ARGUMENT' : pointer);
  });

  test.each([
    ['one answer', chat('1'), {}],
    ['no number', chat('null'), {}],
    ['a passage', chat('2'), { routes: [{ ...route, passthrough: true }] }],
    ['no tools', '{"model":"m","n":2,"messages":[{"role":"user","content":"x"}]}', {}],
    ['no tool that the key may use', chat('2'), { grants: { toolsDefault: 'deny' as const } }],
  ])('do not stop %s', async (_, body, setup) => {
    expect(await ask('openai-chat', body, setup)).toMatchObject({ status: 200, asked: 1 });
  });
});
