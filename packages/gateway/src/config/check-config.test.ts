import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkConfig } from './check-config.ts';
import { loadConfig } from './load-config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tg-check-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function faultsOf(
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const path = join(folder, 'gateway.yaml');
  writeFileSync(path, text);
  const report = await checkConfig(path, { env });
  return report.kind === 'valid' ? [] : report.faults.map(({ code, message }) => `${code} ${message}`);
}

const THREE = `
keys: [{ id: a, key: "$\{env:TEAM_KEY}" }]
providers:
  main: { protocol: openai-chat, baseUrl: "$\{env:MAIN_URL:-http://127.0.0.1:9}", apiKey: "$\{env:MAIN_KEY}" }
storage: { url: "sqlite:$\{env:NAME}" }
`;

test('all variables that are not set are told at once, in the order of the file', async () => {
  expect(await faultsOf(THREE, { NAME: '' })).toEqual([
    'gateway/secret-missing line 2, column 17, /keys/0/key: the environment has no TEAM_KEY',
    'gateway/secret-missing line 4, column 82, /providers/main/apiKey: the environment has no MAIN_KEY',
    'gateway/secret-missing line 5, column 12, /storage/url: the environment has no NAME',
  ]);
  expect(
    await faultsOf(THREE, { TEAM_KEY: 'a-virtual-key-of-the-tests', MAIN_KEY: 'k', NAME: 'db' }),
  ).toEqual([]);
});

test.each([
  [
    'the model of a candidate',
    'candidates: [{ provider: main, model: "HOLE" }]',
    '/routes/0/candidates/0/model',
  ],
  ['the model of a route', 'candidates: [{ provider: main }]\n    name: "HOLE"', '/routes/0/name'],
])('%s is filled in by nothing, and a placeholder there is refused', async (_what, route, pointer) => {
  const text = `providers: { main: { protocol: gemini } }\nroutes:\n  - model: m\n    ${route}\n`;
  const [fault = '', ...others] = await faultsOf(text.replace('HOLE', `$\{env:NAME}`), { NAME: 'n' });
  expect(others).toEqual([]);
  expect(fault).toContain(`${pointer}: nothing is filled in here`);
  expect(await faultsOf(text.replace('HOLE', 'plain'))).toEqual([]);
});

test('what is filled in may have any name', async () => {
  const text = `mcp: { servers: { s: { command: c, env: { "A/B~": "$\{env:NAME}" } } } }`;
  expect(await faultsOf(text, { NAME: 'n' })).toEqual([]);
});

test.each([
  ['a line that is indented wrongly', 'keys:\n   - id: a\n    key: b\n', 'indented'],
  ['a tab', 'listen:\n\tport: 1\n', 'tabs'],
  ['a member twice', 'audit: {}\naudit: {}\n', 'already'],
  ['a placeholder without quotes between brackets', `storage: { url: $\{env:NAME} }\n`, 'quotes'],
  [
    'a colon in a text without quotes',
    'storage:\n  url: a: b\n',
    'indented wrongly, or a value with a colon',
  ],
])('%s is said in words', async (_what, text, words) => {
  const [fault] = await faultsOf(text);
  expect(fault).toContain(words);
});

const WRONG = `
listen: { allowedOrigins: ["https://a.example/x", "$\{env:NONE}"] }
keys:
  - { id: a, key: short, routes: [nowhere], servers: [nobody] }
  - { id: a, key: "$\{env:NONE}" }
  - { id: system, key: a-key-of-the-tests, tools: { default: allow, allow: [b] } }
providers:
  p: { protocol: anthropic, maxTokensField: max_tokens, baseUrl: "ftp://x", headers: { Host: a } }
routes:
  - { model: m, candidates: [{ provider: q }, { provider: p, model: "$\{env:NONE}" }] }
  - { model: m, candidates: [{ provider: p }] }
mcp: { servers: { s: {}, t: { command: c, env: { A: $TOKEN } } } }
storage: { url: "mysql://h/d" }
approvals: { webhook: { url: nothing, secret: short } }
`;

test('whatever is wrong is told at once, in the order of the file', async () => {
  const faults = await faultsOf(WRONG);
  expect(faults.map((fault) => fault.replace(/^\S+ line (\d+), column \d+, (\S+): .*$/su, '$1 $2'))).toEqual([
    '2 /listen/allowedOrigins/0',
    '2 /listen/allowedOrigins/1',
    '4 /keys/0/key',
    '4 /keys/0/routes/0',
    '4 /keys/0/servers/0',
    '5 /keys/1/id',
    '5 /keys/1/key',
    '6 /keys/2',
    '6 /keys/2/id',
    '8 /providers/p/maxTokensField',
    '8 /providers/p/baseUrl',
    '8 /providers/p/headers',
    '10 /routes/0/candidates/0/provider',
    '10 /routes/0/candidates/1/model',
    '11 /routes/1',
    '12 /mcp/servers/s',
    '12 /mcp/servers/t/env/A',
    '13 /storage/url',
    '14 /approvals/webhook/url',
    '14 /approvals/webhook/secret',
  ]);
});

test('who cannot take a list is told the first fault and how many there are besides', async () => {
  const path = join(folder, 'wrong.yaml');
  writeFileSync(path, WRONG);
  await expect(loadConfig(path, { env: {} })).rejects.toThrow(
    /\/listen\/allowedOrigins\/0: .* \(and 19 more\)$/u,
  );
});
