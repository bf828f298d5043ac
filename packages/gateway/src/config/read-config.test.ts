import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { canonicalJson, type JsonValue } from '@toolgate/core';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../ports/gateway-error.ts';
import type { GatewayConfigInput } from './config-input.ts';
import { CONFIG_SCHEMA } from './config-schema.ts';
import { readConfigValue, readJsonText, readYamlText } from './config-text.ts';
import type { GatewayConfig } from './gateway-config.ts';
import { readConfig } from './read-config.ts';

const KEY = 'a-virtual-key-of-the-tests';
const SECRET = 'planted-secret-that-nobody-may-print';
const env = { KEY, PROVIDER_KEY: SECRET, HOOK: `${SECRET}-hook`, EMPTY: '' };

const WHOLE = `
listen: { port: 0, allowedHosts: [Gateway.Example], allowedOrigins: ['https://console.example'] }
keys:
  - id: ci
    principal: ci-bot
    key: \${env:KEY}
    tools: { allow: [read_file], deny: [write_file] }
    routes: [chat]
    servers: [files]
    limits: { requestsPerMinute: 60 }
  - { id: root, digest: 'sha256:${'0'.repeat(64)}', admin: true, tools: { default: allow } }
providers:
  main:
    protocol: openai-chat
    baseUrl: http://127.0.0.1:9/v1
    apiKey: \${env:PROVIDER_KEY}
    headers: { X-Team: 'team \${env:PROVIDER_KEY}' }
    timeouts: { idleMs: 5 }
  spare: { protocol: anthropic }
routes:
  - name: chat
    model: gpt-*
    candidates: [{ provider: main }, { provider: spare, model: claude }]
    control: { tool: attempt_completion }
    firewall:
      scope: { deny: [rm] }
      classes: [{ tool: 'get_*', class: read }]
      approve: { threshold: write, tools: ['pay*'] }
      onRefusal: feedback
mcp:
  servers:
    files: { command: server, args: ['\${env:MISSING:-.}'], env: { TOKEN: '\${env:PROVIDER_KEY}' }, approve: write }
    remote: { url: 'https://mcp.example/', headers: { authorization: 'Bearer \${env:PROVIDER_KEY}' } }
storage: { url: 'postgres://u:\${env:PROVIDER_KEY}@db/gateway' }
approvals: { webhook: { url: 'https://hooks.example/x', secret: '\${env:HOOK}' } }
`;

const yaml = (text: string): GatewayConfig => readConfig(readYamlText(text), env);
const value = (input: GatewayConfigInput): GatewayConfig => readConfig(readConfigValue(input), env);

function faultOf(read: () => unknown): GatewayError {
  try {
    read();
  } catch (error) {
    if (GatewayError.is(error)) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

describe('a configuration', () => {
  test('has a value for everything, and the safe one where nothing is written', () => {
    const config = yaml('');
    expect(config).toMatchObject({
      listen: { host: '127.0.0.1', port: 8_787, allowedHosts: [], allowedOrigins: [] },
      auth: { required: true, anonymous: { toolsDefault: 'deny', servers: [], admin: false } },
      keys: [],
      routes: [],
      mcp: { lock: { mode: 'require', path: 'toolgate.lock.json' } },
      storage: { contents: false, retentionDays: 30 },
      audit: { allowedCalls: true },
      approvals: { lifetimeMs: 3_600_000, fourEyes: false },
      limits: { bodyBytes: 33_554_432 },
    });
    expect(config.storage.url.reveal()).toBe('sqlite:.toolgate/gateway.db');
    expect(value({ keys: [{ id: 'a', key: KEY }] }).keys[0]?.grants).toMatchObject({
      toolsDefault: 'deny',
      allow: [],
      routes: 'all',
      servers: [],
      admin: false,
    });
  });

  test('is read whole', () => {
    const config = yaml(WHOLE);
    expect(config.listen.allowedHosts).toEqual(['gateway.example']);
    expect(config.keys[0]).toMatchObject({
      id: 'ci',
      principal: 'ci-bot',
      digest: expect.stringMatching(/^sha256:/),
    });
    expect(config.keys[0]?.grants).toMatchObject({
      allow: ['read_file'],
      deny: ['write_file'],
      routes: ['chat'],
    });
    expect(config.keys[1]?.grants).toMatchObject({ admin: true, toolsDefault: 'allow' });
    const main = config.providers.get('main');
    expect(main?.apiKey?.reveal()).toBe(SECRET);
    expect(main?.headers.get('x-team')?.reveal()).toBe(`team ${SECRET}`);
    expect(main?.timeouts).toMatchObject({ idleMs: 5, totalMs: 900_000 });
    expect(config.providers.get('spare')?.baseUrl.href).toBe('https://api.anthropic.com/v1');
    expect(config.routes[0]).toMatchObject({
      name: 'chat',
      candidates: [{ provider: 'main' }, { provider: 'spare', model: 'claude' }],
      control: { tool: 'attempt_completion' },
      strict: false,
      passthrough: false,
      firewall: {
        mode: 'enforce',
        scope: { allow: [], deny: ['rm'] },
        classes: [{ tool: 'get_*', class: 'read' }],
        approve: { threshold: 'write', tools: ['pay*'] },
        onRefusal: 'feedback',
        maxRounds: 2,
      },
    });
    expect(config.mcp.servers.get('files')).toMatchObject({
      transport: { kind: 'stdio', command: 'server', args: ['.'] },
      approvalThreshold: 'write',
      timeoutMs: 60_000,
    });
    expect(config.mcp.servers.get('remote')?.transport.kind).toBe('http');
  });

  test('means the same as JSON, and has the digest of what is written', () => {
    const json = readJsonText('{"routes":[],"limits":{"concurrency":3}}');
    expect(readConfig(json, env).digest).toBe(yaml('limits: { concurrency: 3 }\nroutes: []').digest);
    expect(yaml('limits: { concurrency: 4 }').digest).not.toBe(yaml('limits: { concurrency: 3 }').digest);
    expect(readConfig(readYamlText(WHOLE), { ...env, PROVIDER_KEY: 'another one' }).digest).toBe(
      yaml(WHOLE).digest,
    );
  });

  test('prints none of its secrets, however it is printed', () => {
    const config = yaml(WHOLE);
    const printed = [
      JSON.stringify(config),
      JSON.stringify([...config.providers.values()]),
      inspect(config, { depth: 20, showHidden: true, getters: true }),
      String(config.storage.url),
      `${String(config.approvals.webhook?.secret)}`,
      inspect(config.providers, { depth: 20, showHidden: true }),
    ];
    for (const text of printed) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(KEY);
    }
    expect(printed[3]).toBe('[secret]');
  });

  test.each<[what: string, text: string, place: { line: number; column?: number; pointer?: string }]>([
    ['a misspelt member', 'listen:\n  hosst: 127.0.0.1\n', { line: 2, column: 3, pointer: '/listen/hosst' }],
    ['a misspelt member at the root', 'keys: []\nroute: []\n', { line: 2, column: 1, pointer: '/route' }],
    ['a word that is none', 'mcp:\n  lock:\n    mode: maybe\n', { line: 3 }],
    ['a port that is a text', 'listen: { port: "80" }', { line: 1, pointer: '/listen/port' }],
    ['a key twice', 'keys: []\nkeys: []\n', { line: 2 }],
    ['what is no YAML', 'keys: [\n', { line: 2 }],
    ['a tag', 'storage:\n  url: !secret abc\n', { line: 2 }],
    [
      'a provider that is not there',
      'routes:\n  - model: a\n    candidates:\n      - provider: b\n',
      { line: 4 },
    ],
    [
      'a name for a limit that the protocol has one name for',
      'providers:\n  a:\n    protocol: anthropic\n    maxTokensField: max_tokens\n',
      { line: 4, pointer: '/providers/a/maxTokensField' },
    ],
    [
      'a name for a limit that is none',
      'providers:\n  a:\n    protocol: openai-chat\n    maxTokensField: maxTokens\n',
      { line: 4, pointer: '/providers/a/maxTokensField' },
    ],
    ['an empty list of candidates', 'routes:\n  - model: a\n    candidates: []\n', { line: 3 }],
    [
      'a variable that is not set',
      `storage:\n  url: sqlite:$\{env:NOT_SET}\n`,
      { line: 2, pointer: '/storage/url' },
    ],
    ['a variable that is empty', `storage:\n  url: sqlite:$\{env:EMPTY}\n`, { line: 2 }],
    ['another placeholder', `storage:\n  url: sqlite:$\{file:/etc/passwd}\n`, { line: 2 }],
    [
      'no key where none is needed, on every address',
      'listen: { host: 0.0.0.0 }\nauth: { required: false }',
      { line: 2 },
    ],
    [
      'no key where none is needed, on a name that looks like this machine',
      'listen: { host: 127.999.1.1 }\nauth: { required: false }',
      { line: 2 },
    ],
    [
      'an address in brackets, which nothing can listen on',
      'listen:\n  host: "[::1]"\n',
      { line: 2, pointer: '/listen/host' },
    ],
    ['a short key', 'keys:\n  - id: a\n    key: short\n', { line: 3 }],
    [
      'both key and digest',
      `keys:\n  - { id: a, key: ${KEY}, digest: 'sha256:${'0'.repeat(64)}' }\n`,
      { line: 2 },
    ],
    ['an id twice', `keys:\n  - { id: a, key: ${KEY} }\n  - { id: a, key: ${KEY}x }\n`, { line: 3 }],
    ['one key under two ids', `keys:\n  - { id: a, key: ${KEY} }\n  - { id: b, key: ${KEY} }\n`, { line: 3 }],
    [
      'a tool pattern in a key',
      `keys:\n  - id: a\n    key: ${KEY}\n    tools: { deny: ['rm*'] }\n`,
      { line: 4 },
    ],
    [
      'an allow list where all are allowed',
      `keys:\n  - { id: a, key: ${KEY}, tools: { default: allow, allow: [b] } }\n`,
      { line: 2 },
    ],
    [
      'an unknown route',
      `keys:\n  - { id: a, key: ${KEY}, routes: [b] }\n`,
      { line: 2, pointer: '/keys/0/routes/0' },
    ],
    ['an unknown server', `keys:\n  - { id: a, key: ${KEY}, servers: [b] }\n`, { line: 2 }],
    [
      'an address with a password',
      'providers:\n  a: { protocol: gemini, baseUrl: "https://u:p@h/" }\n',
      { line: 2 },
    ],
    [
      'an address with a key',
      'providers:\n  a: { protocol: gemini, baseUrl: "https://h/?key=abc" }\n',
      { line: 2 },
    ],
    ['an address of a file', 'providers:\n  a: { protocol: gemini, baseUrl: "file:///etc" }\n', { line: 2 }],
    [
      'a header with a line break',
      'providers:\n  a: { protocol: gemini, headers: { x: "a\\r\\ny: b" } }\n',
      { line: 2 },
    ],
    [
      'a header of the connection',
      'providers:\n  a: { protocol: gemini, headers: { Host: a } }\n',
      { line: 2 },
    ],
    ['a header twice', 'providers:\n  a: { protocol: gemini, headers: { X: a, x: b } }\n', { line: 2 }],
    ['a server with both ways', 'mcp: { servers: { a: { command: b, url: "https://c" } } }', { line: 1 }],
    ['a server with none', 'mcp: { servers: { a: {} } }', { line: 1 }],
    [
      'passthrough past a firewall',
      'providers: { p: { protocol: gemini } }\nroutes:\n  - { model: a, candidates: [{ provider: p }], firewall: {}, passthrough: true }\n',
      { line: 3 },
    ],
    ['another database', 'storage: { url: "mysql://h/d" }', { line: 1 }],
    ['a short webhook secret', 'approvals: { webhook: { url: "https://h/", secret: abc } }', { line: 1 }],
    [
      'a webhook secret of few bytes behind a prefix',
      'approvals: { webhook: { url: "https://h/", secret: "whsec_c2hvcnQ=" } }',
      { line: 1 },
    ],
    [
      'a webhook secret that is no base64, and would be a key of no bytes',
      'approvals: { webhook: { url: "https://h/", secret: "whsec_!!!!!!!!!!!!!!!!!!!!!!!!" } }',
      { line: 1 },
    ],
    ['a principal of two lines', 'keys: [{ id: a, key: 0123456789abcdef, principal: "a\\nb" }]', { line: 1 }],
    [
      'the principal of the gateway itself',
      'keys:\n  - id: a\n    key: 0123456789abcdef\n    principal: system\n',
      { line: 4, pointer: '/keys/0/principal' },
    ],
    [
      'an id that would be that principal',
      'keys:\n  - key: 0123456789abcdef\n    id: system\n',
      { line: 3, pointer: '/keys/0/id' },
    ],
    ['an origin with a path', 'listen: { allowedOrigins: ["https://a.example/x"] }', { line: 1 }],
    [
      'endless aliases',
      `a: &a [x, x]\n${Array.from({ length: 20 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *${i === 0 ? 'a' : `b${i - 1}`}]`).join('\n')}`,
      { line: 0 },
    ],
  ])('with %s is refused, with its place', (_what, text, { line, column, pointer }) => {
    const fault = faultOf(() => yaml(text));
    expect(fault.code).toMatch(/^gateway\/(?:config-invalid|secret-missing)$/);
    if (line > 0) expect({ line: fault.place?.line, message: fault.message }).toMatchObject({ line });
    if (column !== undefined) expect(fault.place?.column).toBe(column);
    if (pointer !== undefined) expect(fault.place?.pointer).toBe(pointer);
  });

  test.each([
    ['{"keys":[],"keys":[]}', 1],
    ['{\n  "listen": { "port": 1e999 }\n}', 2],
    ['{\n"listen": {\n"prt": 1 } }', 3],
    ['keys: []', 1],
  ])('in JSON that is not right is refused at its line: %j', (text, line) => {
    expect(faultOf(() => readConfig(readJsonText(text), env)).place?.line).toBe(line);
  });

  test.each<[string, JsonValue]>([
    ['instead of an object', { providers: { main: { protocol: 'openai-chat', apiKey: [SECRET] } } }],
    ['under a misspelt name', { providers: { main: { protocol: 'openai-chat', apiKeys: SECRET } } }],
    ['as a word of a list', { mcp: { lock: { mode: SECRET } } }],
    ['as an address', { providers: { main: { protocol: 'openai-chat', baseUrl: SECRET } } }],
    ['as a database', { storage: { url: SECRET } }],
    ['as the name of a provider', { routes: [{ model: 'a', candidates: [{ provider: SECRET }] }] }],
    ['as a header with a line break', { providers: { a: { protocol: 'gemini', apiKey: `${SECRET}\n` } } }],
    ['as a key with a blank', { keys: [{ id: 'a', key: `${SECRET} x` }] }],
  ])('that has a secret %s is refused without the secret', (_where, input) => {
    const fault = faultOf(() => readConfig(readConfigValue(input), env));
    for (const text of [
      fault.message,
      JSON.stringify(fault),
      String(fault.place?.pointer),
      String(fault.cause),
    ])
      expect(text).not.toContain(SECRET);
  });

  test.each<[what: string, pointer: string, written: (secret: string) => GatewayConfigInput]>([
    ['a key', '/keys/0/key', (key) => ({ keys: [{ id: 'a', key }] })],
    [
      'the key of a provider',
      '/providers/a/apiKey',
      (apiKey) => ({ providers: { a: { protocol: 'gemini', apiKey } } }),
    ],
    [
      'a header of a provider',
      '/providers/a/headers/X-Key',
      (secret) => ({ providers: { a: { protocol: 'gemini', headers: { 'X-Key': secret } } } }),
    ],
    [
      'a variable of an MCP server',
      '/mcp/servers/a/env/TOKEN',
      (TOKEN) => ({ mcp: { servers: { a: { command: 'b', env: { TOKEN } } } } }),
    ],
    [
      'a header of an MCP server',
      '/mcp/servers/a/headers/authorization',
      (secret) => ({
        mcp: {
          servers: { a: { url: 'https://b.example/', headers: { authorization: `Bearer ${secret}` } } },
        },
      }),
    ],
    ['the database', '/storage/url', (url) => ({ storage: { url } })],
    [
      'the secret of a webhook',
      '/approvals/webhook/secret',
      (secret) => ({ approvals: { webhook: { url: 'https://b.example/', secret } } }),
    ],
  ])(
    'that has the name of a variable for %s is refused with the form that is filled in',
    (_what, pointer, written) => {
      for (const form of ['$SECRET_OF_THE_TEAM', `$\{SECRET_OF_THE_TEAM}`, 'os.environ/SECRET_OF_THE_TEAM']) {
        const fault = faultOf(() => value(written(form)));
        expect(fault).toMatchObject({ code: 'gateway/config-invalid', place: { pointer } });
        expect(fault.message).toContain(`$\{env:NAME}`);
        expect(fault.message).not.toContain('TEAM');
      }
    },
  );

  test('may hold a secret that looks like the name of a variable where nobody can read it in the file', () => {
    const input = readConfigValue({
      keys: [
        { id: 'a', key: `$\{env:ODD_KEY}` },
        { id: 'b', key: '$secret-of-the-team' },
      ],
    });
    expect(readConfig(input, { ODD_KEY: '$SECRET_OF_THE_TEAM' }).keys).toHaveLength(2);
  });

  test('may have a key whose id alone is the name of the gateway itself', () => {
    const keys = [{ id: 'system', key: KEY, principal: 'ana' }];
    expect(value({ keys }).keys[0]).toMatchObject({ id: 'system', principal: 'ana' });
  });

  test('in a module is plain data', () => {
    expect(faultOf(() => readConfigValue({ routes: () => [] })).code).toBe('gateway/config-invalid');
    expect(faultOf(() => readConfig(readConfigValue([]), env)).code).toBe('gateway/config-invalid');
    expect(faultOf(() => readConfigValue(undefined)).code).toBe('gateway/config-invalid');
  });

  test('may hold a literal placeholder', () => {
    const config = value({ storage: { url: `sqlite:$$\{env:KEY}` } });
    expect(config.storage.url.reveal()).toBe(`sqlite:$\{env:KEY}`);
  });

  test('has the schema that is published', () => {
    const published = readFileSync(new URL('../../schema/config.schema.json', import.meta.url), 'utf8');
    expect(canonicalJson(JSON.parse(published) as JsonValue)).toBe(canonicalJson(CONFIG_SCHEMA));
  });
});
