import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMcpFolder, type McpFolder } from '../../test-support/mcp-folder.ts';
import { type RunMainOptions, runMain } from '../../test-support/run-main.ts';

const real = (name: string): string =>
  fileURLToPath(import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`));

let folder: McpFolder;
beforeEach(() => {
  folder = createMcpFolder();
});
afterEach(() => {
  expect(folder.running()).toEqual([]);
  folder.remove();
});

const inspect = (words: readonly string[], options: RunMainOptions = {}) =>
  runMain(['mcp', 'inspect', ...words], { cwd: folder.path, ...options });
const READ = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };

describe('toolgate mcp inspect of a command', () => {
  test('reports on the tools of a real server', async () => {
    const { code, stdout, stderr } = await inspect([process.execPath, real('filesystem'), folder.path]);
    expect([code, stderr]).toEqual([0, '']);
    const [server, header, ...rows] = stdout.split('\n');
    expect(server).toMatch(/^server {2}stdio node\S* {2}says secure-filesystem-server /u);
    expect(header?.split(/ {2,}/u).slice(0, 5)).toEqual(['TOOL', 'CLASS', 'CONTRACT', 'LOCK', 'FINDINGS']);
    expect(rows.find((row) => row.startsWith('read_text_file '))).toMatch(
      / external {2,}[0-9a-f]{12} {2,}- /u,
    );
    expect(stdout).toMatch(/\n1 server, 14 tools, no errors\n$/u);
  });

  test('options behind the command are its own, and behind -- all of them', async () => {
    folder.tools('mail', [READ]);
    const { command, args } = folder.server('mail') as {
      readonly command: string;
      readonly args: readonly string[];
    };
    const plain = await inspect([command, '--no-warnings', ...args]);
    expect([plain.code, plain.stdout.includes('1 server, 1 tool, no errors')]).toEqual([0, true]);
    const strict = await inspect(['--json', '--', command, '--no-warnings', ...args, '--details']);
    expect(JSON.parse(strict.stdout)).toMatchObject({ summary: { servers: 1, tools: 1, errors: 0 } });
  });

  test('a variable is handed over by its name only when it is asked for, and is never shown', async () => {
    folder.tools('mail', [READ]);
    const { command, args } = folder.server('mail') as {
      readonly command: string;
      readonly args: readonly string[];
    };
    const env = { COMPLAINT: 'planted-key is wrong' };
    expect((await inspect([command, ...args], { env })).code).toBe(0);
    const given = await inspect(['--env', 'COMPLAINT', '--env', 'API_KEY=planted-key', command, ...args], {
      env,
    });
    expect(given.code).toBe(1);
    expect(given.stdout).toContain('mcp/unavailable');
    expect(given.stdout + given.stderr).not.toContain('planted-key');
  });

  test('a command that is not there is an error of the server', async () => {
    const { code, stdout } = await inspect(['no-such-command', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      servers: [{ status: 'failed', error: { code: 'mcp/unavailable' }, tools: [] }],
      summary: { errors: 1 },
    });
  });
});

describe('toolgate mcp inspect of a configuration', () => {
  const rules = [{ tool: 'read', class: 'read', timeoutMs: 1_000 }];

  test('knows the rules, the lock and what drifted', async () => {
    folder.tools('mail', [READ, { ...READ, name: 'send' }]);
    folder.configure({ mail: folder.server('mail') }, { toolgate: { servers: { mail: { rules } } } });
    await runMain(['lock', 'mcp.json', '--yes'], { cwd: folder.path });
    folder.tools('mail', [
      READ,
      { ...READ, name: 'send', description: 'Sends.' },
      { ...READ, name: 'extra' },
    ]);
    const { code, stdout } = await inspect(['mcp.json']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^read {2,}read {2,}[0-9a-f]{12} {2,}reviewed /mu);
    expect(stdout).toMatch(/^send {2,}external {2,}[0-9a-f]{12} {2,}changed /mu);
    expect(stdout).toMatch(/^extra {2,}external {2,}[0-9a-f]{12} {2,}new /mu);
    expect(stdout).toContain('changed  send\n  /description\n      [-Reads-]{+Sends+}.\n');
    expect(stdout).toContain('1 server, 3 tools, 1 error\n');
  });

  test('says what of the configuration has no effect: members of other clients, and rules for no tool', async () => {
    folder.tools('mail', [READ]);
    const unused = [...rules, { tool: 'reed', class: 'read' }];
    folder.configure(
      { mail: folder.server('mail', { autoApprove: ['read'] }) },
      { toolgate: { servers: { mail: { rules: unused } } } },
    );
    const { code, stdout } = await inspect(['mcp.json']);
    expect(code).toBe(0);
    expect(stdout).toContain('note  rule 2  It matches no tool of this server.\n');
    expect(stdout).toContain('note  /mcpServers/mail/autoApprove  This gives no permission here');
    expect(JSON.parse((await inspect(['mcp.json', '--json'])).stdout)).toMatchObject({
      servers: [{ unusedRules: [1] }],
      notes: [{ pointer: '/mcpServers/mail/autoApprove' }],
    });
  });

  test('a tool that is new is no error, one that cannot be used or hides something is', async () => {
    folder.tools('mail', [
      READ,
      { ...READ, name: 'broken', inputSchema: { type: 'object', properties: { a: { $ref: '#/nowhere' } } } },
      { ...READ, name: 'sly', description: 'Adds\u200b numbers.' },
    ]);
    folder.configure({ mail: folder.server('mail') });
    const { code, stdout } = await inspect(['mcp.json']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^broken {2,}refused/mu);
    expect(stdout).toContain('1 server, 3 tools, 2 errors\n');
    const json = JSON.parse((await inspect(['mcp.json', '--json'])).stdout) as {
      readonly servers: readonly {
        readonly tools: readonly { readonly tool: string; readonly faults: object[] }[];
      }[];
    };
    expect(json.servers[0]?.tools.map(({ tool, faults }) => [tool, faults.length])).toEqual([
      ['read', 0],
      ['broken', 1],
      ['sly', 1],
    ]);
  });

  test('hidden content that was reviewed as it is counts no more, but is still shown', async () => {
    folder.tools('mail', [{ ...READ, description: 'Adds\u200b numbers.' }]);
    folder.configure({ mail: folder.server('mail') });
    await runMain(['lock', 'mcp.json'], { cwd: folder.path, answers: ['yes'] });
    const { code, stdout } = await inspect(['mcp.json']);
    expect([code, stdout.includes('hidden-characters')]).toEqual([0, true]);
  });

  test('a server cannot write to the terminal', async () => {
    folder.tools('mail', [
      { ...READ, name: 'a\u001b[2J\u202e', title: '\u009b31m' },
      { name: '\u001b]0;x\u0007' },
    ]);
    folder.configure({ 'mail\u001b[2J': folder.server('mail') });
    for (const more of [['--details'], ['--json']]) {
      const { stdout, stderr } = await inspect(['mcp.json', ...more]);
      expect(`${stdout}${stderr}`).toMatch(/^[\n\x20-\x7e…]+$/u);
    }
  });

  test('--details adds digests and what the server says about itself', async () => {
    folder.tools('mail', [{ ...READ, annotations: { readOnlyHint: true } }]);
    folder.configure({ mail: folder.server('mail') });
    const { stdout } = await inspect(['mcp.json', '--details']);
    expect(stdout).toMatch(/contract +sha256:[0-9a-f]{64}/u);
    expect(stdout).toContain('readOnlyHint true');
  });
});

describe('a command line of toolgate mcp inspect that makes no sense', () => {
  test.each([
    ['nothing', []],
    ['words behind an address', ['http://127.0.0.1:1/mcp', 'more']],
    ['words behind a configuration', ['mcp.json', '--detials']],
    ['a header without a name', ['--header', 'planted-key', 'http://127.0.0.1:1/mcp']],
    ['a header with a line break', ['--header', 'A: planted-key\r\nB: c', 'http://127.0.0.1:1/mcp']],
    ['a variable that is not set', ['--env', 'NO_SUCH', 'x']],
    ['a variable without a name', ['--env', '=planted-key', 'x']],
    ['a password in an address', ['http://me:planted-key@127.0.0.1:1/mcp']],
    ['an address that is none', ['http://']],
  ])('%s is one line and exit code 2', async (_what, words) => {
    folder.configure({});
    const { code, stdout, stderr } = await inspect(words);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^toolgate: [^\n]+\(cli\/usage\)\n$/u);
    expect(stderr).not.toContain('planted-key');
  });

  test('an address where nobody answers is an error of the server', async () => {
    const { code, stdout } = await inspect(['http://127.0.0.1:1/planted-key/mcp?k=planted-key']);
    expect(code).toBe(1);
    expect(stdout).toContain('server  http http://127.0.0.1:1\nerror  mcp/unavailable');
    expect(stdout).not.toContain('planted-key');
  });
});
