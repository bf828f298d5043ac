import { execFileSync } from 'node:child_process';
import { createGate, type ExecuteOptions, type Outcome } from '@toolgate/core';
import { createFakeClock } from '@toolgate/testing';
import { describe, expect, test } from 'vitest';
import { runChecks } from './process.example.ts';

/** Whether a process runs; one that has ended and that nobody has asked about does not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

/** Three generations, each of which writes its id; the younger two do not listen to SIGTERM. */
const GRANDCHILD = 'echo $$; while :; do sleep 1; done';
const CHILD = `trap "" TERM; echo $$; sh -c '${GRANDCHILD}' & while :; do sleep 1; done`;
const TREE = `echo $$; sh -c "$CHILD" & wait`;

/** Runs the tree until all three have written their ids. */
function startTree(options: { readonly clock?: ReturnType<typeof createFakeClock> } = {}) {
  const tool = runChecks('env', [`CHILD=${CHILD}`, 'sh', '-c', TREE]);
  const gate = createGate({ tools: [tool], graceMs: 20_000, ...options });
  let written = '';
  const run = async (more: ExecuteOptions, ready: () => unknown): Promise<Outcome> => {
    await using session = await gate.open({ context: undefined });
    const running = new Promise<void>((resolve) => {
      const progress: ExecuteOptions['progress'] = ({ message = '' }) => {
        written += message;
        if (pids().length === 3) resolve();
      };
      more = { ...more, progress };
    });
    const outcome = session.execute({ id: 'c1', name: 'run_checks', arguments: '{"suite":"all"}' }, more);
    await running;
    expect(pids().filter(isRunning)).toHaveLength(3);
    await ready();
    return await outcome;
  };
  const pids = (): number[] => written.split('\n').slice(0, -1).map(Number);
  return { run, pids };
}

async function expectGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning), { timeout: 10_000, interval: 20 }).toEqual([]);
}

describe('a tool that runs a program', () => {
  test('ends the whole tree of processes when its call is cancelled, and says that nobody knows the effects', async () => {
    const stop = new AbortController();
    const { run, pids } = startTree();
    const outcome = await run({ signal: stop.signal }, () => stop.abort());
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'cancelled_after_dispatch' });
    await expectGone(pids());
  });

  test('ends the whole tree of processes when its time is over', async () => {
    const clock = createFakeClock();
    const { run, pids } = startTree({ clock });
    const outcome = await run({}, () => clock.advance(300_000));
    expect(outcome).toMatchObject({ kind: 'unknown', reason: 'deadline_exceeded' });
    await expectGone(pids());
  });

  const once = async (script: string): Promise<Outcome> => {
    await using session = await createGate({ tools: [runChecks('sh', ['-c', script, 'checks'])] }).open({
      context: 0,
    });
    return await session.execute({ id: 'c1', name: 'run_checks', arguments: '{"suite":"unit"}' });
  };
  const textOf = (outcome: Outcome): string => (outcome.kind === 'suspended' ? '' : outcome.output.text());

  test('leaves nothing behind that the program started and did not wait for', async () => {
    const outcome = await once('sleep 600 & echo $!; exit 3');
    const { exitCode, output } = JSON.parse(textOf(outcome));
    expect(exitCode).toBe(3);
    await expectGone([Number(output)]);
  });

  test('gives the program what the model chose as one argument', async () => {
    expect(textOf(await once('echo "$@"'))).toBe('{"exitCode":0,"output":"unit\\n"}');
  });

  test('stops a program that does not stop writing', async () => {
    expect(textOf(await once('yes'))).toBe('The checks wrote too much and were stopped.');
  });
});
