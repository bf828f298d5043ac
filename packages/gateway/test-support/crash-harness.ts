import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { CrashStage } from './crash-stages.ts';

let bundle: Promise<string> | undefined;

/** Bundles the worker, once, because Node.js 20 does not read TypeScript; gives the path of the script. */
export function bundleCrashWorker(): Promise<string> {
  bundle ??= bundleAnew();
  return bundle;
}

async function bundleAnew(): Promise<string> {
  const outDir = fileURLToPath(
    new URL(`../../../.cache/crash/gateway-worker-${process.pid}`, import.meta.url),
  );
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@toolgate/source', 'module', 'node'] },
    // Whole, but for the drivers: reading a file for each module of a library takes longer than a worker lives.
    ssr: { noExternal: true, external: ['libsql', 'pg'] },
    build: {
      ssr: fileURLToPath(new URL('crash-worker.ts', import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  });
  return join(outDir, 'worker.mjs');
}

/** How a worker came to its end. */
export interface WorkerEnd {
  readonly killed: boolean;
  /** Stages that it had reached. */
  readonly reached: readonly string[];
}

/** When a worker is killed: as soon as it has reached a stage that often. */
export interface KillPoint {
  readonly stage: CrashStage;
  readonly times: number;
}

/**
 * Runs a worker to its end, or kills it with SIGKILL at a point.
 *
 * @throws Error when it ends in any other way.
 */
export function runCrashWorker(script: string, args: readonly string[], at?: KillPoint): Promise<WorkerEnd> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const reached: string[] = [];
    let errors = '';
    let rest = '';
    child.stderr?.on('data', (chunk: unknown) => {
      errors = `${errors}${String(chunk)}`.slice(0, 4_000);
    });
    child.stdout?.on('data', (chunk: unknown) => {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        reached.push(line);
        if (at !== undefined && reached.filter((each) => each === at.stage).length >= at.times)
          child.kill('SIGKILL');
      }
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (signal === 'SIGKILL' || code === 0) resolve({ killed: signal === 'SIGKILL', reached });
      else reject(new Error(`the worker ended with ${code}: ${errors}`));
    });
  });
}
