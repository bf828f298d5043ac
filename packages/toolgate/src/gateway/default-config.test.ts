import { readConfig, readConfigValue } from '@toolgate/gateway';
import { describe, expect, test } from 'vitest';
import { defaultConfig, upstreamsOf } from './default-config.ts';

const built = (env: Readonly<Record<string, string>>) => {
  const input = defaultConfig({
    upstreams: upstreamsOf(env),
    databasePath: '/tmp/$' + '{x}/gateway.db',
    adminKey: 'tg_admin_planted',
    port: undefined,
  });
  return { input, config: readConfig(readConfigValue(input), env) };
};

describe('the configuration that stands for none', () => {
  test.each([
    ['nothing', {}, []],
    ['an empty key', { OPENAI_API_KEY: '' }, []],
    ['a key of OpenAI', { OPENAI_API_KEY: 'planted' }, ['openai']],
    ['a local server', { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' }, ['openai']],
    ['a key of Anthropic', { ANTHROPIC_API_KEY: 'planted' }, ['anthropic']],
    ['a key of Google', { GOOGLE_API_KEY: 'planted' }, ['gemini']],
    [
      'three keys',
      { OPENAI_API_KEY: 'planted', ANTHROPIC_API_KEY: 'planted', GEMINI_API_KEY: 'planted' },
      ['openai', 'anthropic', 'gemini'],
    ],
  ] as const)('takes %s', (_what, env, expected) => {
    const { config, input } = built(env);
    expect([...config.providers.keys()]).toEqual(expected);
    expect(config.listen).toMatchObject({ host: '127.0.0.1', port: 8_787 });
    expect(config.auth.required).toBe(true);
    expect(config.keys.map(({ grants }) => grants.admin)).toEqual([true]);
    expect(JSON.stringify(input)).not.toContain('planted');
  });

  test('sends models to the upstream of their name, and others to the first one', () => {
    const { config } = built({ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' });
    const target = (model: string) =>
      config.routes.find((route) => {
        const [head = '', tail] = route.model.split('*');
        return tail === undefined ? model === head : model.startsWith(head);
      })?.candidates[0]?.provider;
    expect(['gpt-x', 'claude-x', 'gemini-x', 'llama'].map(target)).toEqual([
      'openai',
      'anthropic',
      'gemini',
      'openai',
    ]);
    expect(config.routes.every(({ firewall }) => firewall?.mode === 'enforce')).toBe(true);
  });

  test('keeps a path with a placeholder in it as it is', () => {
    expect(built({}).config.storage.url.reveal()).toBe('sqlite:/tmp/$' + '{x}/gateway.db');
  });
});
