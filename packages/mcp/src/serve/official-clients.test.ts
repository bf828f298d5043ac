import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../test-support/bundle.ts';
import { REVISIONS, serveFixture } from '../../test-support/serve-fixture.ts';

let program = '';
beforeAll(async () => {
  program = await bundle('stdio-program.ts');
}, 60_000);

/** Runs a program to its end. */
function run(
  cwd: string,
  args: readonly string[],
): Promise<{ readonly output: string; readonly code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 25_000,
    });
    let output = '';
    child.stdout.on('data', (piece) => {
      output += String(piece);
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ output, code }));
  });
}

const INSPECTOR = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/inspector-cli/build/index.js',
);

/** What the inspector's command line prints about a method. */
async function inspect(target: readonly string[], ...method: readonly string[]): Promise<unknown> {
  // It looks for its own version beside the folder that it is started in.
  const { output, code } = await run(dirname(INSPECTOR), [INSPECTOR, ...target, ...method]);
  expect(code).toBe(0);
  return JSON.parse(output);
}

const ADD = ['--method', 'tools/call', '--tool-name', 'add', '--tool-arg', 'a=2', '--tool-arg', 'b=3'];

describe('the command line of the MCP inspector', () => {
  test('lists and calls tools over stdio', async () => {
    const target = [process.execPath, program];
    const [list, sum] = await Promise.all([
      inspect(target, '--method', 'tools/list'),
      inspect(target, ...ADD),
    ]);
    expect(list).toMatchObject({ tools: [{ name: 'add' }, { name: 'whoami' }, { name: 'fail' }] });
    expect(sum).toMatchObject({ structuredContent: { sum: 5 } });
  });

  test('lists and calls tools over HTTP', async () => {
    const served = await serveFixture();
    const target = [served.listening.url, '--transport', 'http', '--header', 'Authorization: Bearer admin'];
    const [list, sum] = await Promise.all([
      inspect(target, '--method', 'tools/list'),
      inspect(target, ...ADD),
    ]);
    expect(list).toMatchObject({
      tools: [{ name: 'add' }, { name: 'whoami' }, { name: 'restart' }, { name: 'fail' }],
    });
    expect(sum).toMatchObject({ structuredContent: { sum: 5 } });
  });
});

describe.each(REVISIONS)('the official client of revision %s on the pipe of a process', (revision) => {
  test('lists and calls tools, and the process ends with it', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program],
      stderr: 'pipe',
    });
    const errors: string[] = [];
    transport.stderr?.on('data', (piece) => errors.push(String(piece)));
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
    );
    await client.connect(transport);
    const { pid } = transport;
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['add', 'whoami', 'fail']);
    const results = await Promise.all(
      [1, 2, 3].map((a) => client.callTool({ name: 'add', arguments: { a, b: 10 } })),
    );
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual([
      { sum: 11 },
      { sum: 12 },
      { sum: 13 },
    ]);
    expect(await client.callTool({ name: 'fail' })).toMatchObject({ isError: true });
    await client.close();
    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
    expect(errors).toEqual([]);
  });
});

function isRunning(pid: number | null): boolean {
  try {
    return pid !== null && process.kill(pid, 0);
  } catch {
    return false;
  }
}
