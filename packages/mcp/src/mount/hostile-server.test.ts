import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callerOf, mountFixture, rejection, textOf } from '../../test-support/mount-fixture.ts';
import { bundleDoomedParent, expectGone, hostileServer, isRunning } from '../../test-support/processes.ts';
import { mountMcp } from './mount-mcp.ts';
import { mountServers } from './mount-servers.ts';

const limits = { connectTimeoutMs: 10_000, closeGraceMs: 300 };

const pidsOf = async (call: Awaited<ReturnType<typeof callerOf>>): Promise<readonly [number, number]> =>
  JSON.parse(textOf(await call('pids')));

describe('a server on a pipe that', () => {
  test.each([
    ['says one line of 100 MB', 'long', 'mcp/message-too-large'],
    ['floods with notices', 'flood', 'mcp/flood'],
    ['floods with lines that are no messages', 'noise', 'mcp/flood'],
    ['floods with requests of its own', 'requests', 'mcp/flood'],
    ['floods with answers to nothing', 'answers', 'mcp/flood'],
    ['dies', 'die', 'mcp/interrupted'],
    ['closes its output and goes on', 'mute', 'mcp/interrupted'],
  ])(
    '%s during a call makes that call unknown, is named, and the next call works',
    async (_what, tool, code) => {
      const mount = await mountFixture({ transport: hostileServer(), limits });
      const call = await callerOf(mount);
      const [pid] = await pidsOf(call);
      const before = process.memoryUsage().rss;
      const outcome = await call(tool);
      expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'interrupted']);
      expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
      expect(mount.report.problems).toMatchObject([{ code }]);
      expect(textOf(await call('echo'))).toBe('echo');
      await expectGone(pid);
    },
  );

  test('stalls is given up after its time, and its other tools work meanwhile', async () => {
    const mount = await mountFixture({
      transport: hostileServer(),
      limits,
      rules: [{ tool: 'stall', timeoutMs: 200 }],
    });
    const call = await callerOf(mount);
    const stalled = call('stall');
    expect(textOf(await call('echo'))).toBe('echo');
    const outcome = await stalled;
    expect([outcome.kind, outcome.reason]).toEqual(['unknown', 'call_error']);
    expect(textOf(await call('echo'))).toBe('echo');
  });

  test('sends what is no JSON-RPC between its messages is understood all the same', async () => {
    const mount = await mountFixture({ transport: hostileServer('banner'), limits });
    const call = await callerOf(mount);
    expect(textOf(await call('garbage'))).toBe('after garbage');
  });

  test('begins what it writes with a byte order mark is understood', async () => {
    const mount = await mountFixture({ transport: hostileServer('mark'), limits });
    expect(textOf(await (await callerOf(mount))('echo'))).toBe('echo');
  });

  test('writes null for what it does not have, and lists of messages, is understood', async () => {
    const mount = await mountFixture({ transport: hostileServer('odd'), limits });
    expect(textOf(await (await callerOf(mount))('echo'))).toBe('echo');
    expect(mount.report.problems).toEqual([]);
  });

  test('answers with a code that a later revision has for itself was called once, and goes on', async () => {
    const mount = await mountFixture({ transport: hostileServer(), limits });
    const call = await callerOf(mount);
    const pids = await pidsOf(call);
    const outcome = await call('version');
    expect([outcome.kind, textOf(outcome)]).toEqual(['failed', 'The server of this tool refused the call.']);
    expect(await pidsOf(call)).toEqual(pids);
  });

  test('reads nothing any more is not written to without end', async () => {
    const mount = await mountFixture({
      transport: hostileServer(),
      limits: { ...limits, maxMessageBytes: 100_000 },
      rules: [{ tool: '*', timeoutMs: 2_000 }],
    });
    const call = await callerOf(mount, { concurrency: 20 });
    const deaf = call('deaf');
    const text = 'x'.repeat(90_000);
    const outcomes: string[] = [];
    const calls = Array.from({ length: 12 }, () => call('echo', { text }));
    for (const outcome of await Promise.all(calls)) outcomes.push(outcome.kind);
    expect((await deaf).reason).not.toBe('interrupted');
    expect(outcomes).toContain('unknown');
    expect(outcomes.slice(-2)).toEqual(['failed', 'failed']);
  });

  test('says a member of a result twice gives no result, at once, and its place is reported', async () => {
    const mount = await mountFixture({ transport: hostileServer(), limits });
    const call = await callerOf(mount);
    const outcome = await call('twice');
    expect([outcome.reason, textOf(outcome)]).toEqual([
      'output_invalid',
      expect.not.stringMatching(/yes|no\b/),
    ]);
    expect(mount.report.problems).toMatchObject([
      { code: 'mcp/result-invalid', message: expect.stringContaining('/result/content/0/text') },
    ]);
    expect(textOf(await call('echo'))).toBe('echo');
  });

  test('writes a number into its answer that JSON does not have gives no result, at once, and its place is reported', async () => {
    const mount = await mountFixture({ transport: hostileServer(), limits });
    const call = await callerOf(mount);
    expect((await call('nan')).reason).toBe('output_invalid');
    expect(mount.report.problems).toMatchObject([
      { code: 'mcp/result-invalid', message: expect.stringContaining('line 1, column') },
    ]);
    expect(textOf(await call('echo'))).toBe('echo');
  });

  test('ends behind its answer, without the end of that line and with a mark before it, has answered', async () => {
    const mount = await mountFixture({ transport: hostileServer(), limits });
    expect(textOf(await (await callerOf(mount))('last'))).toBe('last');
  });

  test('dies of a question it does not know is spoken to in an older revision', async () => {
    const mount = await mountFixture({ transport: hostileServer('fragile'), limits });
    expect(textOf(await (await callerOf(mount))('echo'))).toBe('echo');
  });

  test('ends before it answers is reported with the end of its error output, escaped and without secrets', async () => {
    const transport = { ...hostileServer('exit'), env: { SERVER_TOKEN: 'xoxb-very-secret' } };
    const error = await rejection(mountMcp({ name: 'broken', lock: 'off', transport, limits }));
    expect(error).toMatchObject({
      code: 'mcp/unavailable',
      message: expect.stringContaining('ended with code 3'),
    });
    const said = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    expect(said).toMatch(/cannot open \[redacted\]\\u\{7\} token=hunter2hunter2/);
  });

  test('never answers is given up at the deadline, and not left running', async () => {
    const error = await rejection(
      mountMcp({
        name: 'mute',
        lock: 'off',
        transport: hostileServer('silent'),
        limits: { ...limits, connectTimeoutMs: 400 },
      }),
    );
    expect(error).toMatchObject({ code: 'mcp/unavailable' });
  });

  test('cannot be started is unavailable', async () => {
    const transport = { kind: 'stdio', command: '/no/such/server' } as const;
    expect(await rejection(mountMcp({ name: 'none', lock: 'off', transport, limits }))).toMatchObject({
      code: 'mcp/unavailable',
      message: 'The server none could not be started or reached: it could not be started (ENOENT).',
    });
  });

  test.each([
    ['is not there', '/no/such/folder', 'ENOENT'],
    ['is a file', process.execPath, 'ENOTDIR'],
    ['is within a file', `${process.execPath}/a`, 'ENOTDIR'],
    ['is none', 'a\0b', 'ERR_INVALID_ARG_VALUE'],
  ])('has a folder to run in that %s is told by that, not by its command', async (_what, cwd, code) => {
    const transport = { ...hostileServer(), cwd };
    expect(await rejection(mountMcp({ name: 'none', lock: 'off', transport, limits }))).toMatchObject({
      code: 'mcp/unavailable',
      message: `The server none could not be started or reached: it has no folder to run in (${code}).`,
    });
  });

  test('cannot be mounted costs the others nothing', async () => {
    const shared = { lock: 'off', limits } as const;
    const mounts = await mountServers([
      { name: 'broken', transport: hostileServer('exit'), ...shared },
      { name: 'good', transport: hostileServer(), ...shared },
    ]);
    onTestFinished(() => mounts.close());
    expect(mounts.failed).toMatchObject([{ name: 'broken', error: { code: 'mcp/unavailable' } }]);
    expect(textOf(await (await callerOf(mounts))('good__echo'))).toBe('echo');
  });
});

describe('a problem', () => {
  test('says how a server ended, and shows what it wrote before, escaped and without secrets', async () => {
    const transport = { ...hostileServer('chatty'), env: { SERVER_TOKEN: 'xoxb-very-secret' } };
    const mount = await mountFixture({ transport, limits, secrets: ['hunter2hunter2'] });
    const call = await callerOf(mount);
    const [pid] = await pidsOf(call);
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(() => mount.report.problems)
      .toMatchObject([
        {
          code: 'mcp/interrupted',
          message: expect.stringContaining('SIGKILL'),
          detail: 'cannot open [redacted]\\u{7} token=[redacted]\n',
        },
      ]);
    expect(textOf(await call('echo'))).toBe('echo');
  });
});

describe('no process is left', () => {
  test.each([
    ['that ends when its input ends', []],
    ['that ignores the end of its input and SIGTERM', ['stubborn']],
    ['that ignores both and has a child that does, too', ['stubborn', 'family']],
    ['that ends and leaves a child behind', ['family']],
  ])('of a server %s when the mount closes', async (_what, flags) => {
    const mount = await mountFixture({ transport: hostileServer(...flags), limits });
    const [pid, child] = await pidsOf(await callerOf(mount));
    expect(isRunning(pid)).toBe(true);
    await mount.close();
    await expectGone(pid, ...(child === 0 ? [] : [child]));
  });

  test('of a server that is killed and leaves a child behind', async () => {
    const mount = await mountFixture({ transport: hostileServer('stubborn', 'family'), limits });
    const call = await callerOf(mount);
    const [pid, child] = await pidsOf(call);
    const running = call('stall');
    process.kill(pid, 'SIGKILL');
    expect((await running).reason).toBe('interrupted');
    await expectGone(pid, child);
    const [next] = await pidsOf(call);
    expect(next).not.toBe(pid);
  });

  test('of a stubborn server when this process is killed', async () => {
    const [script = ''] = hostileServer().args ?? [];
    const parent = spawn(process.execPath, [await bundleDoomedParent(), script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(parent.stdout, 'data');
    const pids: number[] = JSON.parse(String(line));
    expect(pids.filter(isRunning)).toEqual(pids);
    parent.kill('SIGKILL');
    await expectGone(...pids);
  });
});
