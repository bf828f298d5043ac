import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runMain } from '../../test-support/run-main.ts';
import { createTemporaryFolder } from '../../test-support/temporary-folder.ts';

const KEY = 'planted-admin-key';
const HOSTILE = '\u001b[2J\u202Eab\u0007';
const RAW = /[\p{Cc}\p{Cf}]/u;

const servers: Server[] = [];
const folders: { remove(): void }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  for (const folder of folders.splice(0)) folder.remove();
});

/** Something that answers where a gateway is expected. */
async function serve(
  answer: string | Uint8Array,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(status, headers).end(answer);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const ask = (url: string, ...argv: readonly string[]) =>
  runMain([...argv, '--url', url], { env: { TOOLGATE_ADMIN_KEY: KEY } });

describe('what answers in place of a gateway', () => {
  test.each([
    ['a page', '<html>', 200],
    ['nothing', '', 200],
    ['a list', '[]', 200],
    ['a member twice', '{"items":[],"items":[]}', 200],
    ['half an answer', '{"items":[', 200],
    ['an error of another kind', '{"error":"no"}', 500],
    ['a page of an error', '<html>', 404],
  ])('is told to be none when it is %s', async (_what, answer, status) => {
    const { url } = await serve(answer, status);
    const { code, stderr, stdout } = await ask(url, 'keys', 'list');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('(cli/gateway-invalid)');
  });

  test.each([
    ['audit export', 'application/json', '{"items":[]}'],
    ['audit export', 'text/html', '<html>'],
    ['approvals watch', 'text/html', '<html>'],
  ])('is told to be none when %s is answered with %s', async (command, type, answer) => {
    const { url } = await serve(answer, 200, { 'content-type': type });
    const { code, stderr, stdout } = await ask(url, ...command.split(' '));
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('(cli/gateway-invalid)')]);
  });

  test('moves no terminal with an audit, and changes nothing of it for a file', async () => {
    const line = `{"actor":"\u009b2J\u202e"}\n`;
    const { url } = await serve(line, 200, { 'content-type': 'application/jsonl' });
    expect((await ask(url, 'audit', 'export')).stdout).toBe(line);
    const env = { TOOLGATE_ADMIN_KEY: KEY };
    const { stdout } = await runMain(['audit', 'export', '--url', url], { env, columns: 80 });
    expect(stdout).toBe('{"actor":"\\u{9b}2J\\u{202e}"}\n');
  });

  test('gets the key in one header only, and sends it nowhere else', async () => {
    const other = await serve('{"items":[]}');
    const { requests, url } = await serve('', 302, { location: other.url });
    const { stderr } = await ask(url, 'keys', 'list');
    expect(stderr).toContain('(cli/gateway-unreachable)');
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(requests[0]?.url).toBe('/api/keys');
    expect(other.requests).toEqual([]);
    expect(stderr).not.toContain(KEY);
  });

  test.each([
    ['keys list', { items: [{ id: HOSTILE, principal: HOSTILE, grants: { routes: [HOSTILE] } }] }],
    [
      'keys show k',
      {
        items: [{ id: 'k', principal: HOSTILE, grants: { allow: [HOSTILE] }, keyId: 'k', surface: HOSTILE }],
      },
    ],
    ['reload', { published: true, generation: HOSTILE, needsRestart: [HOSTILE] }],
    [
      'approvals list',
      {
        items: [{ id: HOSTILE, tool: HOSTILE, keyId: HOSTILE, requestedAt: 1e300, argumentsDigest: HOSTILE }],
      },
    ],
    [
      'approvals show a',
      {
        id: HOSTILE,
        status: HOSTILE,
        request: { arguments: { [HOSTILE]: HOSTILE } },
        definition: { name: 'a', description: HOSTILE, inputSchema: {} },
        settlement: { by: HOSTILE, at: 1e300, reason: HOSTILE },
      },
    ],
    ['approvals approve a', { tool: HOSTILE, id: HOSTILE }],
    ['calls list', { items: [{ id: HOSTILE, tool: HOSTILE, verdict: HOSTILE, at: null }] }],
    ['traffic list', { items: [{ id: HOSTILE, model: HOSTILE, status: HOSTILE, at: HOSTILE }] }],
    [
      'traffic show a',
      { losses: [{ path: HOSTILE }], failures: [{ error: HOSTILE }], usage: { reasoning: HOSTILE } },
    ],
    ['calls show a', { id: HOSTILE, arguments: HOSTILE, result: { [HOSTILE]: HOSTILE } }],
    [
      'calls show b',
      { approval: { status: HOSTILE, settlement: { by: HOSTILE, argumentsDigest: HOSTILE } } },
    ],
  ])('moves no cursor in %s', async (command, answer) => {
    const { url } = await serve(JSON.stringify(answer));
    for (const more of [[], ['--json']]) {
      const { code, stderr, stdout } = await ask(url, ...command.split(' '), ...more);
      expect(code).toBe(0);
      expect(stdout).toContain(more.length > 0 ? '\\u001b' : '\\u{1b}');
      expect(stdout.replaceAll('\n', '') + stderr.replaceAll('\n', '')).not.toMatch(RAW);
    }
  });

  test('moves no cursor in an error', async () => {
    const { url } = await serve(JSON.stringify({ error: { code: HOSTILE, message: HOSTILE } }), 403);
    const { code, stderr } = await ask(url, 'keys', 'list');
    expect(code).toBe(1);
    expect(stderr).toContain('\\u{1b}');
    expect(stderr.trimEnd()).not.toMatch(RAW);
  });

  test('moves no cursor with the reason for which it refused a reload', async () => {
    const place = { pointer: HOSTILE };
    const { url } = await serve(
      JSON.stringify({ published: false, message: HOSTILE, code: HOSTILE, place }),
      409,
    );
    const { code, stdout } = await ask(url, 'reload');
    expect(code).toBe(1);
    expect(stdout).toContain('\\u{1b}');
    expect(stdout.replaceAll('\n', '')).not.toMatch(RAW);
  });

  test('cannot keep a list going that gives nothing', async () => {
    const { requests, url } = await serve('{"items":[],"cursor":"more"}');
    expect((await ask(url, 'calls', 'list')).stdout).toBe('There are none.\n');
    expect(requests).toHaveLength(1);
  });
});

test('a watch comes back after a broken connection, and asks for what it did not see', async () => {
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id']);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const data = JSON.stringify({ id: `a${asked.length}`, status: 'pending', tool: 'pay' });
    response.write(`id: ${asked.length}\nevent: approval\ndata: ${data}\n\n`, () => response.destroy());
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const controller = new AbortController();
  const run = await runMain(['approvals', 'watch', '--url', `http://127.0.0.1:${port}`], {
    env: { TOOLGATE_ADMIN_KEY: KEY },
    signal: controller.signal,
    onWrite: (text) => {
      if (text.includes('a2')) controller.abort(new Error('enough'));
    },
  });
  expect(run.stdout).toContain('a1');
  expect(asked.slice(0, 2)).toEqual([undefined, '1']);
}, 20_000);

test('a watch begins with all that waits, however long that is, and says where it is too long', async () => {
  const controller = new AbortController();
  const pending = (from: number) =>
    Array.from({ length: 500 }, (_, index) => ({ id: `a${from - index}`, status: 'pending', tool: 'pay' }));
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://h').searchParams;
    if (query.get('status') === 'pending') {
      const from = Number(query.get('cursor') ?? 6_000);
      response.end(JSON.stringify({ items: pending(from), cursor: String(from - 500) }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const data = JSON.stringify({ items: pending(6_000), cursor: '5500' });
    response.write(`id: 1\nevent: snapshot\ndata: ${data}\n\n`);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const run = await runMain(['approvals', 'watch', '--url', `http://127.0.0.1:${port}`], {
    env: { TOOLGATE_ADMIN_KEY: KEY },
    signal: controller.signal,
    onWrite: (text) => {
      if (text.includes('a1001\n')) controller.abort(new Error('enough'));
    },
  });
  expect(run.stdout.split('\n').filter((line) => line.startsWith('pending'))).toHaveLength(5_000);
  expect(run.stderr).toContain('More than 5000 wait');
}, 20_000);

describe('the address of a gateway', () => {
  test.each([
    'http://gateway.example',
    'ftp://127.0.0.1',
    'nonsense',
    'http://user:secret@127.0.0.1',
    'http://127.0.0.1/?key=x',
    'http://127.0.0.1.attacker.example',
  ])('%s is not taken', async (url) => {
    const { code, stderr } = await ask(url, 'keys', 'list');
    expect([code, stderr]).toEqual([2, expect.stringContaining('(cli/usage)')]);
    expect(stderr).not.toContain('secret');
  });

  test('is needed together with a key', async () => {
    const run = await runMain(['keys', 'list']);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('(cli/admin-key-missing)')]);
  });

  const local = (content: unknown): string => {
    const folder = createTemporaryFolder();
    folders.push(folder);
    mkdirSync(join(folder.path, '.toolgate'));
    chmodSync(folder.write('.toolgate/local.json', content), 0o600);
    return folder.path;
  };
  const adminKey = `tg_admin_${'k'.repeat(43)}`;

  test('may be that of the present folder, with its own key', async () => {
    const { requests, url } = await serve('{"items":[]}');
    const run = await runMain(['keys', 'list'], { cwd: local({ url, adminKey }) });
    expect([run.code, run.stdout]).toEqual([0, 'There are no keys.\n']);
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${adminKey}`);
  });

  test('gets the key of the present folder at no other address', async () => {
    const { requests, url } = await serve('{"items":[]}');
    const cwd = local({ url: 'http://127.0.0.1:1', adminKey });
    const run = await runMain(['keys', 'list', '--url', url], { cwd });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('(cli/admin-key-missing)')]);
    expect(requests).toEqual([]);
  });

  test.each<[what: string, spoil: (file: string) => void]>([
    ['others may read, as in a clone', (file) => chmodSync(file, 0o644)],
    ['others may write', (file) => chmodSync(file, 0o620)],
    [
      'is a link',
      (file) => {
        renameSync(file, `${file}.there`);
        symlinkSync(`${file}.there`, file);
      },
    ],
    [
      'is a pipe that nobody writes to',
      (file) => {
        renameSync(file, `${file}.there`);
        execFileSync('mkfifo', ['-m', '600', file]);
      },
    ],
  ])('is not taken from a file that %s', async (_what, spoil) => {
    const { requests, url } = await serve('{"items":[]}');
    const cwd = local({ url, adminKey });
    spoil(join(cwd, '.toolgate/local.json'));
    for (const command of [
      ['keys', 'list'],
      ['up', '--port', '0'],
    ]) {
      const run = await runMain(command, { cwd, env: { TOOLGATE_ADMIN_KEY: KEY } });
      expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('(cli/home-unusable)')]);
    }
    expect(requests).toEqual([]);
  });

  test.each([
    ['of another machine', { url: 'https://attacker.example', adminKey }],
    ['that is none', { url: 7, adminKey }],
    ['with a key that is none', { adminKey: 'x' }],
    ['in a file that cannot be read', '{'],
  ])('is not taken from the present folder when it is one %s', async (_what, content) => {
    const run = await runMain(['keys', 'list'], { cwd: local(content), env: { TOOLGATE_ADMIN_KEY: KEY } });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('(cli/home-unusable)')]);
  });
});
