import { describe, expect, test } from 'vitest';
import { mcpFault } from '../../test-support/mcp-fault.ts';
import { describeServer } from './describe-server.ts';
import type { ConfiguredServer, McpConfig } from './mcp-config.ts';
import { readMcpConfig } from './read-mcp-config.ts';

const env = { TOKEN: 's3cret-token', HOME: '/home/me' };
const read = (file: unknown, folder = '/home/me/app'): McpConfig =>
  readMcpConfig(typeof file === 'string' ? file : JSON.stringify(file), { env, folder });
const one = (entry: unknown): ConfiguredServer => {
  const [server] = read({ mcpServers: { a: entry } }).servers;
  if (server === undefined) throw new Error('There is no server.');
  return server;
};

describe('the configuration of editors', () => {
  test('a file that people have is read as it is', () => {
    const config = read(`{
      // what is used at home
      "mcpServers": {
        "filesystem": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "\${userHome}/notes"] },
        "github": {
          "type": "http",
          "url": "https://api.example.test/mcp/",
          "headers": { "Authorization": "Bearer \${TOKEN}" }, /* a trailing comma */
        },
      },
    }`);
    expect(config.servers.map(({ name, transport }) => [name, transport])).toEqual([
      [
        'filesystem',
        {
          kind: 'stdio',
          command: 'npx',
          args: ['-y', '@modelcontextprotocol/server-filesystem', '/home/me/notes'],
          env: {},
        },
      ],
      [
        'github',
        {
          kind: 'http',
          url: 'https://api.example.test/mcp/',
          headers: { Authorization: 'Bearer s3cret-token' },
        },
      ],
    ]);
    expect(config.lock).toEqual({ file: 'toolgate.lock.json', mode: 'require' });
    expect(config.notes).toEqual([]);
  });

  test.each([
    ['VS Code', { servers: { a: { type: 'stdio', command: 'x' } }, inputs: [] }],
    ['the settings of VS Code', { mcp: { inputs: [], servers: { a: { command: 'x' } } } }],
    ['a byte order mark', `\ufeff{"mcpServers":{"a":{"command":"x"}}}`],
  ])('%s is read too', (_what, file) => {
    expect(read(file).servers).toMatchObject([{ name: 'a', transport: { kind: 'stdio', command: 'x' } }]);
  });

  test.each([
    ['no type', { url: 'http://localhost:1/mcp' }],
    ['http', { type: 'http', url: 'http://localhost:1/mcp' }],
    ['streamable-http', { type: 'streamable-http', url: 'http://localhost:1/mcp' }],
    ['streamableHttp', { transportType: 'streamableHttp', url: 'http://localhost:1/mcp' }],
    ['transport', { transport: 'http', url: 'http://localhost:1/mcp' }],
    ['serverUrl', { serverUrl: 'http://localhost:1/mcp' }],
    ['httpUrl', { httpUrl: 'http://localhost:1/mcp' }],
  ])('an address is found with %s', (_what, entry) => {
    expect(one(entry).transport).toEqual({ kind: 'http', url: 'http://localhost:1/mcp', headers: {} });
  });

  test('a folder starts at that of the workspace, an empty or numeric variable is as an editor takes it', () => {
    const { transport } = one({ command: 'x', cwd: 'data', env: { PORT: 3000, NONE: null, EMPTY: '' } });
    expect(transport).toMatchObject({ cwd: '/home/me/app/data', env: { PORT: '3000', EMPTY: '' } });
    expect(one({ command: 'x', cwd: '${workspaceFolder}' }).transport).toMatchObject({ cwd: '/home/me/app' });
    expect(one({ command: 'x', args: null, env: null, cwd: null }).transport).toMatchObject({
      args: [],
      env: {},
    });
  });

  test('a name that no mount can have gets one that depends on it alone', () => {
    const names = ['files', 'My Server', 'my server', '@scope/pkg', '天気', 'n'.repeat(80), '-x'];
    const { servers } = read({
      mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])),
    });
    expect(servers.map(({ name }) => name)).toEqual(names);
    expect(servers[0]?.mountName).toBe('files');
    for (const { mountName } of servers) expect(mountName).toMatch(/^[A-Za-z0-9][\w.-]{0,63}$/u);
    expect(new Set(servers.map(({ mountName }) => mountName)).size).toBe(names.length);
  });

  test('a server that is switched off needs no variables', () => {
    for (const off of [{ disabled: true }, { enabled: false }]) {
      const server = one({ command: 'x', env: { A: '${NO_SUCH}' }, ...off });
      expect(server).toMatchObject({ disabled: true, transport: { kind: 'unsupported' } });
    }
    expect(one({ command: 'x', disabled: false, enabled: true }).disabled).toBe(false);
  });

  test.each([
    ['sse', { type: 'sse', url: 'http://localhost:1/sse' }],
    ['a kind that nobody knows', { type: 'pigeon', url: 'http://localhost:1' }],
  ])('%s is told, and the others are read', (_what, entry) => {
    const { servers } = read({ mcpServers: { a: entry, b: { command: 'x' } } });
    expect(servers).toMatchObject([
      { transport: { kind: 'unsupported', reason: expect.stringContaining('transport') } },
      { transport: { kind: 'stdio' } },
    ]);
  });

  test('a member that means nothing is kept and noted, and one that skips the question gives nothing', () => {
    const config = read({
      mcpServers: { a: { command: 'x', icon: 'i', autoApprove: ['*'], trust: true } },
      theme: 1,
    });
    expect(config.servers[0]?.unknown).toEqual({ icon: 'i', autoApprove: ['*'], trust: true });
    expect(config.servers[0]?.rules).toEqual([]);
    expect(config.notes.map(({ pointer, text }) => `${pointer} ${text.slice(0, 22)}`)).toEqual([
      '/theme This member means noth',
      '/mcpServers/a/icon This member means noth',
      '/mcpServers/a/autoApprove This gives no permissi',
      '/mcpServers/a/trust This gives no permissi',
    ]);
  });
});

describe('restrictions of other clients', () => {
  test('tools that are switched off stay so, whatever a rule says', () => {
    const [server] = read({
      mcpServers: { a: { command: 'x', disabledTools: ['drop'], excludeTools: ['wipe_*'] } },
      toolgate: { servers: { a: { rules: [{ tool: '*', class: 'read' }] } } },
    }).servers;
    expect(server?.rules).toEqual([
      { tool: 'drop', available: false },
      { tool: 'wipe_*', available: false },
      { tool: '*', class: 'read' },
    ]);
    expect(server?.unknown).toEqual({});
  });

  test('what cannot be kept is told apart from what means nothing', () => {
    const { notes } = read({
      mcpServers: { a: { command: 'x', envFile: '.env', includeTools: ['a'], icon: 'i', trust: true } },
    });
    expect(notes.map(({ kind, pointer }) => `${kind} ${pointer}`)).toEqual([
      'unsupported /mcpServers/a/envFile',
      'unsupported /mcpServers/a/includeTools',
      'ignored /mcpServers/a/icon',
      'no-permission /mcpServers/a/trust',
    ]);
  });
});

describe('what Toolgate is told', () => {
  const servers = { fs: { command: 'x' }, web: { url: 'http://localhost:1/mcp' } };

  test('rules belong to one server, the lock to the file', () => {
    const rules = [
      { tool: 'read_*', class: 'read', timeoutMs: 5_000, resultBudget: { bytes: 1_000 } },
      {
        tool: '*',
        class: 'write',
        privileged: true,
        resourceKey: 'disk',
        available: false,
        timeoutMs: 'none',
        unknownMembers: 'refuse',
      },
    ];
    const config = read({
      mcpServers: servers,
      toolgate: { lock: { file: 'locks/mcp.json', mode: 'warn' }, servers: { fs: { rules } } },
    });
    expect(config.servers.map((server) => server.rules)).toEqual([
      [{ ...rules[0], resultBudget: { bytes: 1_000, overflow: 'truncate' } }, rules[1]],
      [],
    ]);
    expect(config.lock).toEqual({ file: 'locks/mcp.json', mode: 'warn' });
  });

  const rule = (value: unknown): unknown => ({ servers: { fs: { rules: [value] } } });
  const at = '/toolgate/servers/fs/rules/0';
  test.each([
    ['a member that is misspelt', { serverz: {} }, '/toolgate/serverz'],
    ['a server that is not there', { servers: { sf: {} } }, '/toolgate/servers/sf'],
    ['a server by a name of a prototype', { servers: { toString: {} } }, '/toolgate/servers/toString'],
    ['a member of a server', { servers: { fs: { allow: [] } } }, '/toolgate/servers/fs/allow'],
    ['rules that are no list', { servers: { fs: { rules: {} } } }, '/toolgate/servers/fs/rules'],
    ['a rule that is a text', rule('read_*'), at],
    ['a rule for no tools', rule({ class: 'read' }), `${at}/tool`],
    ['a rule for nothing', rule({ tool: '' }), `${at}/tool`],
    ['an output', rule({ tool: '*', output: 'none' }), `${at}/output`],
    ['what becomes of unknown members', rule({ tool: '*', unknownMembers: false }), `${at}/unknownMembers`],
    ['a member of a rule', rule({ tool: '*', klass: 'read' }), `${at}/klass`],
    ['a class', rule({ tool: '*', class: 'harmless' }), `${at}/class`],
    ['a class of a prototype', rule({ tool: '*', class: 'constructor' }), `${at}/class`],
    ['a timeout of nothing', rule({ tool: '*', timeoutMs: 0 }), `${at}/timeoutMs`],
    ['a timeout in words', rule({ tool: '*', timeoutMs: '5s' }), `${at}/timeoutMs`],
    ['a key that is no text', rule({ tool: '*', resourceKey: 1 }), `${at}/resourceKey`],
    ['privileged in words', rule({ tool: '*', privileged: 'no' }), `${at}/privileged`],
    ['a budget without bytes', rule({ tool: '*', resultBudget: {} }), `${at}/resultBudget/bytes`],
    [
      'a budget that is kept elsewhere',
      rule({ tool: '*', resultBudget: { bytes: 1, overflow: 'store' } }),
      `${at}/resultBudget`,
    ],
    [
      'a budget with another member',
      rule({ tool: '*', resultBudget: { bytes: 1, max: 2 } }),
      `${at}/resultBudget`,
    ],
    ['a mode', { lock: { mode: 'on' } }, '/toolgate/lock/mode'],
    ['a lock without a name', { lock: { file: '' } }, '/toolgate/lock/file'],
    ['a member of the lock', { lock: { path: 'x' } }, '/toolgate/lock/path'],
    ['a section that is a list', [], '/toolgate'],
  ])('%s that is wrong is an error with its place', (_what, toolgate, pointer) => {
    const fault = mcpFault(() => read({ mcpServers: servers, toolgate }));
    expect([fault.code, fault.pointer]).toEqual(['mcp/config-invalid', pointer]);
  });
});

describe('secrets', () => {
  test('are headers, what came from the environment, and variables that are named like one', () => {
    const web = one({ url: 'https://x.test/?k=${TOKEN}', headers: { Authorization: 'Bearer written-here' } });
    expect(web.secrets).toEqual(['s3cret-token', 'Bearer written-here', 'written-here']);
    const child = one({
      command: 'x',
      env: { API_KEY: 'written-here', DEBUG: '1' },
      args: ['--token', '${TOKEN}'],
    });
    expect([...child.secrets].sort()).toEqual(['s3cret-token', 'written-here']);
  });

  test('are in no description of a server', () => {
    const entries = [
      { command: '/usr/bin/node', args: ['--token', 's3cret'], env: { A: 's3cret' } },
      { command: 'C:\\bin\\s.exe' },
      { url: 'https://x.test/s3cret/mcp?key=s3cret', headers: { A: 's3cret' } },
      { type: 'sse', url: 'https://s3cret.test' },
    ];
    expect(entries.map((entry) => describeServer(one(entry).transport))).toEqual([
      'stdio node',
      'stdio s.exe',
      'http https://x.test',
      'unsupported',
    ]);
  });
});
