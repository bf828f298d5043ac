import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect } from 'vitest';
import { openLibsql } from '../src/durable/sqlite/sqlite-engine.ts';
import { createSqliteStore } from '../src/durable/sqlite/sqlite-store.ts';

const SEED = 20_261_130;

/** What a worker writes when it begins a step. */
const STEP_BEGUN = '.';

/** What was left when every run had ended. */
export interface CrashReport {
  readonly kills: number;
  readonly seed: number;
  /** Steps that were started and not settled at a kill, by operation. */
  readonly points: Readonly<Record<'model' | 'wait' | 'tool', number>>;
  /** The lines that the workers wrote, one for each effect. */
  readonly effects: readonly string[];
  /** What each run's loop returned, as JSON text. */
  readonly endings: ReadonlyMap<string, string>;
}

const bundles = new Map<string, Promise<string>>();

/** Bundles the worker, once, because Node.js 20 does not read TypeScript; gives the path of the script. */
export function bundleWorker(entry: string): Promise<string> {
  const bundle = bundles.get(entry) ?? bundleAnew(entry);
  bundles.set(entry, bundle);
  return bundle;
}

/** Into a folder of this process, as others do the same. */
async function bundleAnew(entry: string): Promise<string> {
  const outDir = fileURLToPath(new URL(`../../../.cache/crash/${entry}-${process.pid}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@toolgate/source', 'module', 'node', 'import', 'default'] },
    ssr: { noExternal: [/^@toolgate\//], external: ['libsql'] },
    build: {
      ssr: fileURLToPath(new URL(`${entry}.ts`, import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  });
  return join(outDir, 'worker.mjs');
}

/** When a worker is killed: some time after it has begun so many steps, so that a slow machine comes as far as a fast one. */
interface KillPoint {
  readonly steps: number;
  readonly afterMs: number;
}

/** Runs a worker, and kills it at a point; `true` when it had finished before. */
function runWorker(script: string, args: readonly string[], at?: KillPoint): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let timer: ReturnType<typeof setTimeout> | undefined;
    let errors = '';
    let steps = 0;
    let finished = false;
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    child.stdout.on('data', (chunk) => {
      steps += String(chunk).split(STEP_BEGUN).length - 1;
      if (at !== undefined && steps >= at.steps)
        timer ??= setTimeout(() => child.kill('SIGKILL'), at.afterMs);
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

function idsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `run-${index}`);
}

/**
 * Kills workers at random points until at least `points` steps of model and tools were interrupted, and a tenth of that of
 * waits; lets the last one work to the end, and holds the journal against itself after every kill: what was settled stays as it is.
 *
 * @param entry - The worker's file in this folder, without its ending.
 */
export async function killWorkers(entry: string, runs: number, points: number): Promise<CrashReport> {
  const folder = mkdtempSync(join(tmpdir(), 'toolgate-crash-'));
  const database = join(folder, 'journal.db');
  const effects = join(folder, 'effects');
  let ids = idsOf(runs);
  const settled = new Map<string, string>();
  const seen = { model: 0, wait: 0, tool: 0 };
  let random = SEED;
  let kills = 0;
  try {
    const script = await bundleWorker(entry);
    for (let finished = false, enough = false; !finished || !enough; ) {
      // A machine that is faster than the kills gets more to do.
      if (finished) ids = idsOf(ids.length + runs);
      enough = seen.model + seen.tool >= points && seen.wait >= points / 10;
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      const args = [database, effects, String(ids.length)];
      const at = { steps: 1 + (random % 29), afterMs: random % 7 };
      finished = await runWorker(script, args, enough ? undefined : at);
      if (!finished) kills++;
      const store = createSqliteStore(openLibsql(database));
      for (const id of ids) {
        for (const { position, name, op, outcome } of store.readEntries(id)) {
          const key = `${id}/${position}`;
          if (outcome === null && !finished) seen[op === 'tool' || op === 'wait' ? op : 'model']++;
          if (outcome === null) continue;
          expect(settled.get(key) ?? outcome, `${name} of ${id} changed after it was settled`).toBe(outcome);
          settled.set(key, outcome);
        }
      }
      store.close();
    }
    for (const [kind, count] of Object.entries(seen))
      expect(count, `no kill during a ${kind} step`).toBeGreaterThan(0);
    const store = createSqliteStore(openLibsql(database));
    const endings = new Map(
      ids.map((id) => {
        const run = store.readRun(id);
        expect(run?.phase, id).toBe('done');
        return [id, run?.ending ?? ''];
      }),
    );
    store.close();
    return {
      kills,
      seed: SEED,
      points: seen,
      effects: readFileSync(effects, 'utf8').trim().split('\n'),
      endings,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
