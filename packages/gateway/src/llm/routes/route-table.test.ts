import { systemClock } from '@toolgate/core';
import { expect, test } from 'vitest';
import { readYamlText } from '../../config/config-text.ts';
import { readConfig } from '../../config/read-config.ts';
import { makePrincipal } from '../../keys/make-principal.ts';
import { createProvider } from '../../upstream/provider.ts';
import { createRouteTable } from './route-table.ts';

test.each([
  ['https://api.mistral.ai/v1', 'max_tokens'],
  ['https://api.openai.com/v1', 'max_completion_tokens'],
])('a candidate at %s gets the limit of an answer as %s', async (baseUrl, name) => {
  const config = readConfig(
    readYamlText(`
providers: { main: { protocol: openai-chat, baseUrl: '${baseUrl}' } }
routes: [{ model: m, candidates: [{ provider: main }] }]
`),
    {},
  );
  const providers = new Map(
    [...config.providers].map(([key, settings]) => [key, createProvider(settings, systemClock)]),
  );
  const anybody = makePrincipal('p', 'k', { ...config.auth.anonymous, routes: 'all' });
  const candidate = createRouteTable(config, providers).find('m', anybody)?.candidates[0];
  const prepared = candidate?.prepare({ model: 'm', items: [], limits: { maxOutputTokens: 9 } });
  expect(prepared && candidate?.codec.encodeRequest(prepared.call).value.body).toHaveProperty(name, 9);
  await Promise.all([...providers.values()].map((provider) => provider.close()));
});
