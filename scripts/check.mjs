// Build; then lint, type-aware lint, unused code, API reports, package lint and documents, two at a time; then tests.
// Every step runs even after a failure, so that one run shows everything that is wrong.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool } from './ensure.mjs';

const node = process.execPath;
const results = join(root, '.cache', 'vitest.json');

/** @type {readonly { name: string, args: readonly string[] }[]} */
const steps = [
  { name: 'build', args: [tool('typescript/bin/tsc'), '-b'] },
  { name: 'lint', args: [tool('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'] },
  { name: 'type-aware lint', args: [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'unused code', args: [tool('knip/bin/knip.js'), '--treat-config-hints-as-errors'] },
  { name: 'API reports', args: [join(root, 'scripts/api.mjs')] },
  { name: 'package lint', args: [join(root, 'scripts/pack.mjs')] },
  { name: 'documents', args: [join(root, 'scripts/docs.mjs')] },
  {
    name: 'tests',
    args: [
      tool('vitest/vitest.mjs'),
      'run',
      '--coverage',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${results}`,
    ],
  },
];

mkdirSync(join(root, '.cache'), { recursive: true });
rmSync(results, { force: true });

let passed = 0;
let failed = 0;

/** @param {{ name: string, args: readonly string[] }} step */
async function run(step) {
  const started = process.hrtime.bigint();
  const quiet = step.name !== 'tests';
  const child = spawn(node, step.args, {
    cwd: root,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  const good = await new Promise((resolve) => {
    child.on('error', (error) => {
      output += String(error);
      resolve(false);
    });
    child.on('close', (code) => resolve(code === 0));
  });
  const seconds = (Number(process.hrtime.bigint() - started) / 1e9).toFixed(1);
  process.stdout.write(`${good ? 'ok  ' : 'FAIL'} ${step.name} (${seconds} s)\n`);
  if (!good && quiet) process.stdout.write(`${output}\n`);
  // The tests count one by one below; the step itself counts only when it failed (a test, the coverage, a crash).
  if (!good) failed++;
  else if (quiet) passed++;
}

/** Runs steps in their order, a few at the same time. */
async function runAll(/** @type {readonly typeof steps[number][]} */ some, /** @type {number} */ lanes) {
  const waiting = [...some];
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step);
  };
  await Promise.all(Array.from({ length: lanes }, work));
}

await runAll(steps.slice(0, 1), 1);
await runAll(steps.slice(1, -1), 2);
await runAll(steps.slice(-1), 1);

if (existsSync(results)) {
  const report = JSON.parse(readFileSync(results, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
