import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtBin } from '../../test-support/built-bin.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../test-support/temporary-folder.ts';

let bin = '';
let folder: TemporaryFolder;
beforeAll(() => {
  bin = builtBin();
  folder = createTemporaryFolder();
}, 240_000);
afterAll(() => folder.remove());

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that nobody has waited for yet is gone all the same.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** A command that waits for a server which never answers, and the processes of that server. */
async function startWaiting(): Promise<{ readonly child: ChildProcess; readonly pids: readonly number[] }> {
  const pids = folder.write('pids', '');
  // It tells its processes once it has been spoken to: from then on the command has it guarded.
  const script = `read -r line; echo $$ >> ${pids}; sleep 600 & echo $! >> ${pids}; wait`;
  const config = folder.write('mcp.json', { mcpServers: { slow: { command: 'sh', args: ['-c', script] } } });
  const child = spawn(process.execPath, [bin, 'diff', config], { stdio: ['ignore', 'pipe', 'pipe'] });
  for (;;) {
    const started = readFileSync(pids, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
    if (started.length === 2) return { child, pids: started };
    await later(20);
  }
}

async function allGone(pids: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 500; tries += 1) {
    if (!pids.some(isAlive)) return true;
    await later(20);
  }
  return false;
}

describe.runIf(process.platform === 'linux')('a command that waits for a server', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'ends on %s with exit code %i, and nothing that it started is left',
    async (signal, expected) => {
      const { child, pids } = await startWaiting();
      child.kill(signal);
      const [code] = await once(child, 'exit');
      expect(code).toBe(expected);
      expect(await allGone(pids)).toBe(true);
    },
    60_000,
  );

  test('leaves nothing behind even when it is killed', async () => {
    const { child, pids } = await startWaiting();
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await allGone(pids)).toBe(true);
  }, 60_000);
});
