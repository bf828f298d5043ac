import { afterAll, describe, expect, test } from 'vitest';
import { runMain } from '../../test-support/run-main.ts';
import { createTemporaryFolder } from '../../test-support/temporary-folder.ts';

const folder = createTemporaryFolder();
afterAll(() => folder.remove());

const check = (text: string, env: Readonly<Record<string, string>> = {}, ...more: readonly string[]) => {
  folder.write('gateway.yaml', text);
  return runMain(['check', 'gateway.yaml', ...more], { cwd: folder.path, env });
};

describe('a check of a configuration', () => {
  test('says what is in a good one, and nothing secret', async () => {
    const text = [
      `providers: { main: { protocol: openai-chat, apiKey: "\${env:KEY}" } }`,
      'routes: [{ model: "*", candidates: [{ provider: main }] }]',
      'keys: [{ id: team, key: planted-0123456789 }]',
    ].join('\n');
    const run = await check(text, { KEY: 'planted-provider-key' });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('127.0.0.1:8787, 1 key, 1 provider, 1 route, 0 MCP servers');
    expect(run.stdout).not.toContain('idle');
    const json = await check(text, { KEY: 'planted-provider-key' }, '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: true,
      providers: ['main'],
      keys: ['team'],
      warnings: [],
    });
    expect(run.stdout + json.stdout).not.toContain('planted');
  });

  test.each([
    ['', 'it has no key, no route and no MCP server, so that no client is served'],
    ['# to be written\n', 'it has no key, no route and no MCP server, so that no client is served'],
    [
      'keys: [{ id: team, key: planted-0123456789 }]',
      'it has no route and no MCP server, so that no client is served',
    ],
  ])('says that nobody is served by %j', async (text, expected) => {
    const run = await check(text);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^valid {2}gateway\.yaml: /u);
    expect(run.stdout).toContain(`\nidle   gateway.yaml: ${expected}\n`);
    expect(JSON.parse((await check(text, {}, '--json')).stdout)).toMatchObject({
      valid: true,
      warnings: [expected],
    });
  });

  test('names every fault with its line and column', async () => {
    const run = await check('listen:\n  prot: 81\nroutes:\n  - model: 7\n    candidates: []\n');
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/^gateway\.yaml:2:3 {2}\/listen\/prot: /mu);
    expect(run.stdout).toMatch(/^gateway\.yaml:4:5 {2}\/routes\/0\/model: /mu);
    expect(run.stdout).toMatch(/^invalid {2}\d+ errors\n$/mu);
    const json = await check('listen:\n  prot: 81\n', {}, '--json');
    expect(JSON.parse(json.stdout)).toEqual({
      valid: false,
      errors: [
        expect.objectContaining({
          code: 'gateway/config-invalid',
          pointer: '/listen/prot',
          line: 2,
          column: 3,
        }),
      ],
    });
  });

  test.each([
    [
      'a variable that is not set',
      `storage:\n  url: "\${env:NONE}"`,
      'gateway.yaml:2:3  /storage/url: the environment has no NONE',
    ],
    [
      'the name of a variable as other programs write it',
      'keys:\n  - id: team\n    key: os.environ/KEY_OF_THE_TEAM',
      `gateway.yaml:3:5  /keys/0/key: a variable of the environment is written $\{env:NAME}`,
    ],
    ['something that is no YAML', 'a: [', 'gateway.yaml:'],
    ['a member twice', 'listen: {}\nlisten: {}', 'gateway.yaml:2:'],
  ])('finds %s', async (_what, text, expected) => {
    const run = await check(text);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(expected);
  });

  test('shows hostile names escaped', async () => {
    const run = await check('"\\e[2Jlisten": {}\n');
    expect(run.code).toBe(1);
    expect(run.stdout).not.toContain('\u001b');
  });

  test('is an error where there is no such file', async () => {
    const run = await runMain(['check', 'none.yaml'], { cwd: folder.path });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('(gateway/config-unreadable)');
  });
});
