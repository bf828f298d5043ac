import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The revisions whose requirements the suite lists. */
export const SUITE_REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type SuiteRevision = (typeof SUITE_REVISIONS)[number];

/** What the suite says about one scenario. */
export interface SuiteVerdict {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: number;
}

const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const HOOKS = new URL('suite-hooks.mjs', import.meta.url).href;
const LINE = /^[✓✗] ([\w/-]+): (\d+) passed, (\d+) failed/;

/** Runs the scenarios that a revision requires, and the others that the suite reports on, in a process of its own. */
export async function runSuite(
  side: 'server' | 'client',
  revision: SuiteRevision,
  target: readonly string[],
): Promise<readonly SuiteVerdict[]> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  try {
    const output = await run([
      side,
      ...target,
      '--requirements',
      revision,
      '-o',
      folder,
      '--timeout',
      '120000',
    ]);
    return output.split('\n').flatMap((line) => {
      const [, scenario, passed, failed] = LINE.exec(line) ?? [];
      return scenario === undefined ? [] : [{ scenario, passed: Number(passed), failed: Number(failed) }];
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', HOOKS, SUITE, ...args], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
      timeout: 150_000,
    });
    let output = '';
    let errors = '';
    child.stdout.on('data', (piece) => {
      output += String(piece);
    });
    child.stderr.on('data', (piece) => {
      errors += String(piece);
    });
    child.on('error', reject);
    child.on('close', () => {
      if (/^[✓✗] /m.test(output)) resolve(output);
      else reject(new Error(`The suite did not come to its end: ${errors.slice(-2_000)}`));
    });
  });
}
