import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { report } from '../../../../test/support/suites.ts';
import { CRASH_TURNS } from '../../test-support/crash-loop.ts';
import { openLibsql } from './sqlite/sqlite-engine.ts';
import { createSqliteStore } from './sqlite/sqlite-store.ts';

const RUNS = 40;
const POINTS = 200;
const SEED = 20_261_130;

/** Bundles the worker, because Node.js 20 does not read TypeScript. */
async function bundleWorker(): Promise<string> {
  const outDir = fileURLToPath(new URL('../../../../.cache/crash-worker', import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@toolgate/source', 'module', 'node', 'import', 'default'] },
    ssr: { noExternal: [/^@toolgate\//], external: ['libsql'] },
    build: {
      ssr: fileURLToPath(new URL('../../test-support/crash-worker.ts', import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  });
  return join(outDir, 'worker.mjs');
}

/** Runs a worker, and kills it `afterMs` after it is ready; `true` when it had finished before. */
function runWorker(script: string, args: readonly string[], afterMs: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let errors = '';
    let finished = false;
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.on('data', (chunk) => {
      if (String(chunk).includes('ready')) timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
      if (String(chunk).includes('finished')) finished = true;
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      if (signal === 'SIGKILL' || code === 0) resolve(finished);
      else reject(new Error(`the worker ended with ${code}: ${errors}`));
    });
  });
}

test('after kill -9 at any point, no effect happens twice, no settled step changes, and every run ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-crash-'));
  const database = join(folder, 'journal.db');
  const effects = join(folder, 'effects');
  const script = await bundleWorker();
  const ids = Array.from({ length: RUNS }, (_, index) => `run-${index}`);
  const settled = new Map<string, string>();
  const points = { model: 0, wait: 0, tool: 0 };
  let random = SEED;
  let kills = 0;
  try {
    for (let finished = false; !finished; ) {
      // Enough interruptions: the last worker may work to the end.
      const enough = points.model + points.wait + points.tool >= POINTS && points.wait >= POINTS / 10;
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      finished = await runWorker(
        script,
        [database, effects, String(RUNS)],
        enough ? 60_000 : 2 + (random % 220),
      );
      if (!finished) kills++;

      const store = createSqliteStore(openLibsql(database));
      for (const id of ids) {
        const entries = store.readEntries(id);
        for (const { position, name, op, outcome } of entries) {
          const key = `${id}/${position}`;
          if (outcome === null && !finished) points[op === 'tool' || op === 'wait' ? op : 'model']++;
          if (outcome === null) continue;
          expect(settled.get(key) ?? outcome, `${name} of ${id} changed after it was settled`).toBe(outcome);
          settled.set(key, outcome);
        }
      }
      store.close();
    }

    const lines = readFileSync(effects, 'utf8').trim().split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    const store = createSqliteStore(openLibsql(database));
    let doubtful = 0;
    for (const id of ids) {
      const run = store.readRun(id);
      expect(run?.phase).toBe('done');
      const kinds: unknown = JSON.parse(run?.ending ?? '[]');
      expect(kinds).toHaveLength(CRASH_TURNS);
      (kinds as readonly string[]).forEach((kind, index) => {
        const happened = lines.includes(`${id}/tool:${index + 1}`);
        if (kind === 'ok') expect(happened).toBe(true);
        else doubtful++;
        expect(['ok', 'in-doubt']).toContain(kind);
      });
    }
    store.close();
    for (const [kind, count] of Object.entries(points))
      expect(count, `no kill during a ${kind} step`).toBeGreaterThan(0);
    report(
      `kill -9: ${kills} kills, seed ${SEED}, interrupted steps: ${JSON.stringify(points)}, in doubt ${doubtful} of ${RUNS * CRASH_TURNS}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 180_000);
