import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createGate } from '@toolgate/core';
import { type McpMount, mountMcp, type ServerTransport } from '@toolgate/mcp';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { builtBin } from '../../test-support/built-bin.ts';
import { createRunFolder, type RunFolder } from '../../test-support/run-folder.ts';
import { runMain } from '../../test-support/run-main.ts';

let bin = '';
let folder: RunFolder;
beforeAll(() => {
  bin = builtBin();
  folder = createRunFolder();
  return () => folder.remove();
}, 240_000);

const children: ChildProcess[] = [];
const mounts: McpMount[] = [];
afterEach(async () => {
  await Promise.all(mounts.splice(0).map((mount) => mount.close()));
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

const module = (): string => `${folder.path}/tools.mjs`;

async function mount(transport: ServerTransport, more: object = {}): Promise<McpMount> {
  const mounted = await mountMcp({ name: 'served', transport, lock: 'off', ...more });
  mounts.push(mounted);
  return mounted;
}

const pipe = (...options: readonly string[]): ServerTransport => ({
  kind: 'stdio',
  command: process.execPath,
  args: [bin, 'serve', '--mcp', module(), ...options],
});

async function call(mounted: McpMount, name: string, text: string): Promise<readonly [string, string]> {
  const session = await createGate({ tools: mounted.tools }).open({ context: {} });
  try {
    const outcome = await session.execute({ id: 'call-1', name, arguments: JSON.stringify({ text }) });
    return [outcome.kind, outcome.kind === 'suspended' ? '' : outcome.output.text()];
  } finally {
    await session.close();
  }
}

/** A server on a free port, and what it said on the stream of errors. */
async function listen(env: object, ...options: readonly string[]) {
  const child = spawn(
    process.execPath,
    [bin, 'serve', '--mcp', module(), '--http', '127.0.0.1:0', ...options],
    {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], ...env },
    },
  );
  children.push(child);
  let said = '';
  child.stderr.setEncoding('utf8');
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    said += text;
    const [, url] = /Serving \d+ tools? at (\S+)\n/u.exec(said) ?? [];
    if (url !== undefined) return { child, url, said };
  }
  throw new Error(`It does not listen: ${said}`);
}

describe('toolgate serve on a pipe', () => {
  test('lists the tools of the module and calls them, and ends with its client', async () => {
    const mounted = await mount(pipe());
    expect(mounted.report.tools.map(({ tool }) => tool)).toEqual(['look', 'save', 'plain', 'boom']);
    expect(await call(mounted, 'look', 'x')).toEqual(['completed', 'seen x']);
    expect(await call(mounted, 'boom', 'x')).toEqual(['failed', 'The tool failed.']);
    expect(mounted.report.problems).toEqual([]);
  });

  test('does not run what needs a yes that nobody can give, and runs it where none is needed', async () => {
    const [kind, text] = await call(await mount(pipe()), 'save', 'one');
    expect([kind, text]).toEqual(['failed', expect.stringContaining('Nobody is there to approve the call.')]);
    expect(await call(await mount(pipe('--approve', 'none')), 'save', 'two')).toEqual([
      'completed',
      'saved two',
    ]);
    expect(folder.effects()).toEqual(['save two']);
  });

  test('puts the question to the person at the client where that is asked for', async () => {
    const questions: string[] = [];
    const hooks = {
      elicit: async ({ message }: { readonly message: string }) => {
        questions.push(message);
        return { action: 'accept', content: { approve: true } };
      },
    };
    const mounted = await mount(pipe('--ask-client'), { hooks });
    expect(await call(mounted, 'save', 'three')).toEqual(['completed', 'saved three']);
    expect(questions).toEqual([expect.stringContaining('save')]);
  });

  test('keeps what modules print away from the client', async () => {
    const noisy = folder.write(
      'noisy.mjs',
      `console.log('loading');
      export const tools = [{
        definition: () => ({ name: 'noisy', description: '', inputSchema: { type: 'object' } }),
        profile: { class: 'read' },
        call: async () => { console.log('a line'); process.stdout.write('and more'); return 'done'; },
      }];`,
    );
    const child = spawn(process.execPath, [bin, 'serve', '--mcp', noisy]);
    children.push(child);
    const clientInfo = { name: 'raw', version: '1' };
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    for (const message of [
      { id: 1, method: 'initialize', params: initialize },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'noisy', arguments: {} } },
    ])
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    let output = '';
    for await (const piece of child.stdout) {
      output += String(piece);
      if (output.split('\n').length > 2) child.stdin.end();
    }
    const messages = output.trimEnd().split('\n');
    expect(messages.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([1, 2]);
  });

  test('--allow and --deny say what there is', async () => {
    const mounted = await mount(pipe('--allow', 'chief', '--allow', 'look', '--deny', 'look'));
    expect(mounted.report.tools.map(({ tool }) => tool)).toEqual(['chief']);
  });
});

describe('toolgate serve over HTTP', () => {
  test('makes a token and lets in who sends it, and nobody else', async () => {
    const { child, url, said } = await listen({});
    const [, token = ''] = /Authorization: Bearer (\S+)\n/u.exec(said) ?? [];
    expect(token).toMatch(/^[\w-]{43}$/u);
    const refused = await fetch(url, {
      method: 'POST',
      body: '{}',
      headers: { authorization: 'Bearer wrong' },
    });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    const mounted = await mount({ kind: 'http', url, headers: { Authorization: `Bearer ${token}` } });
    expect(await call(mounted, 'look', 'x')).toEqual(['completed', 'seen x']);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code).toBe(130);
    await expect(fetch(url)).rejects.toThrow();
  });

  test('takes the token from its variable and does not say it', async () => {
    const token = 'planted-token-of-a-test';
    const { url, said } = await listen({ TOOLGATE_SERVE_TOKEN: token });
    expect(said).not.toContain(token);
    const mounted = await mount({ kind: 'http', url, headers: { Authorization: `Bearer ${token}` } });
    expect(mounted.tools).toHaveLength(4);
  });

  test('lets everybody on this machine in with --anonymous, and no page of another one', async () => {
    const { url } = await listen({}, '--anonymous');
    expect((await mount({ kind: 'http', url })).tools).toHaveLength(4);
    const foreign = await fetch(url, { method: 'POST', body: '{}', headers: { origin: 'http://evil.test' } });
    expect(foreign.status).toBe(403);
  });

  test('its inspection shows the tools without calling any', async () => {
    const { url } = await listen({}, '--anonymous');
    const { code, stdout } = await runMain(['mcp', 'inspect', url]);
    expect(code).toBe(0);
    expect(stdout).toContain('1 server, 4 tools, no errors');
  });
});

describe('a command line of toolgate serve that makes no sense', () => {
  test.each([
    ['no module', [], 2, 'cli/usage'],
    ['a module that is not there', ['--mcp', 'nowhere.mjs'], 1, 'cli/module-invalid'],
    ['a port that is none', ['--http', '127.0.0.1:99999'], 2, 'cli/usage'],
    ['a host that is elsewhere without its names', ['--http', '0.0.0.0:0'], 1, 'mcp/serve-options-invalid'],
    [
      'everybody from elsewhere',
      ['--http', '0.0.0.0:0', '--allowed-host', 'x.test', '--anonymous'],
      2,
      'cli/usage',
    ],
  ])('%s is one line', async (_what, options, code, word) => {
    const words =
      word === 'cli/module-invalid' || options.length === 0 ? options : ['--mcp', module(), ...options];
    const run = await runMain(['serve', ...words], {
      cwd: folder.path,
      env: { TOOLGATE_SERVE_TOKEN: 't'.repeat(20) },
    });
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toContain(`(${word})`);
  });

  test('a short token is refused', async () => {
    const run = await runMain(['serve', '--mcp', module(), '--http', ':0'], {
      env: { TOOLGATE_SERVE_TOKEN: 'short' },
    });
    expect([run.code, run.stderr.includes('at least 16')]).toEqual([2, true]);
  });
});
