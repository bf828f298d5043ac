import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleWorker } from '../../test-support/crash-harness.ts';
import { openLibsql } from '../durable/sqlite/sqlite-engine.ts';
import { createSqliteStore } from '../durable/sqlite/sqlite-store.ts';

const RUNS = 5;

/** Resolves when a worker has said a word. */
function said(child: ChildProcess, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      if (String(chunk).includes(word)) resolve();
    });
    child.on('exit', (code, signal) =>
      reject(new Error(`the worker ended (${code ?? signal}) before ${word}`)),
    );
  });
}

test.each([1, 6, 13])(
  'a worker that is stopped after its effect %i and wakes up when others went on repeats nothing and changes nothing',
  async (freezeAt) => {
    const script = await bundleWorker('crash-agent-worker');
    const folder = mkdtempSync(join(tmpdir(), 'toolgate-frozen-'));
    const database = join(folder, 'journal.db');
    const effects = join(folder, 'effects');
    const start = (...more: readonly string[]): ChildProcess =>
      spawn(process.execPath, [script, database, effects, String(RUNS), ...more], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    const frozen = start(String(freezeAt));
    try {
      await said(frozen, 'frozen');
      const next = start();
      const [code] = await once(next, 'exit');
      expect(code).toBe(0);
      const read = () => {
        const store = createSqliteStore(openLibsql(database));
        const runs = Array.from({ length: RUNS }, (_, index) => store.readRun(`run-${index}`));
        store.close();
        return runs.map((run) => [run?.phase, run?.ending] as const);
      };
      const before = read();
      expect(before.map(([phase]) => phase)).toEqual(Array.from({ length: RUNS }, () => 'done'));
      // The call that nobody recorded is said to be unknown, and its effect is there once.
      expect(before.filter(([, ending]) => ending?.includes('"interrupted"')).length).toBeGreaterThan(0);
      frozen.kill('SIGCONT');
      const [woken] = await once(frozen, 'exit');
      expect(woken).toBe(0);
      expect(read()).toEqual(before);
      const lines = readFileSync(effects, 'utf8').trim().split('\n');
      expect(new Set(lines).size).toBe(lines.length);
    } finally {
      frozen.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
