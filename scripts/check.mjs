// Build and lint; then everything else, two steps at a time: what waits (most tests) beside what computes (the other checks).
// Every step runs even after a failure, so that one run shows everything that is wrong.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD, root, tool } from './ensure.mjs';

const node = process.execPath;

/** The packages whose coverage has a bar. Counting makes code slow, so that nothing else is run with it. */
const COVERED = ['packages/core/src', 'packages/control/src'];

/** Tests of these that repeat themselves most and that the bar does without: counting would take them twice as long. */
const UNCOUNTED = ['*.cost', '*.property', '*-property', '*differential', 'hostile', 'screen', 'part-loops'];

/**
 * One check. Its `report`, where it has one, says how its tests went. What it prints is shown as it comes, at its end, or
 * else when it failed.
 * @typedef {{ name: string, args: readonly string[], report?: string, shown?: 'live' | 'at end', env?: object | undefined }} Step
 */

/** What needs nothing built is done beside the build. @type {readonly Step[]} */
const first = [
  { name: 'build', args: BUILD },
  { name: 'lint', args: [tool('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.'] },
];

/** @type {readonly Step[]} */
const steps = [
  tests(
    'tests',
    'live',
    4,
    COVERED.map((path) => `--exclude=${path}/**/!(${UNCOUNTED.join('|')}).test.ts`),
    // What a test starts, and the other packages that it imports, are built by now.
    { TOOLGATE_BUILT: 'yes' },
  ),
  { name: 'API reports', args: [join(root, 'scripts/api.mjs')] },
  { name: 'package lint', args: [join(root, 'scripts/pack.mjs')] },
  { name: 'type-aware lint', args: [tool('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'unused code', args: [tool('knip/bin/knip.js'), '--treat-config-hints-as-errors'] },
  { name: 'documents', args: [join(root, 'scripts/docs.mjs')] },
  tests('tests with coverage', 'at end', 2, [
    '--coverage',
    ...COVERED,
    ...UNCOUNTED.map((name) => `--exclude=packages/**/${name}.test.ts`),
  ]),
];

/** @param {string} name @param {'live' | 'at end'} shown @param {number} workers @param {readonly string[]} args @param {object} [env] @returns {Step} */
function tests(name, shown, workers, args, env) {
  const report = join(root, '.cache', `${name.replaceAll(' ', '-')}.json`);
  return {
    name,
    args: [
      tool('vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      `--maxWorkers=${workers}`,
      ...args,
    ],
    report,
    shown,
    env,
  };
}

let passed = 0;
let failed = 0;

/** @param {Step} step */
async function run({ name, args, report, shown, env }) {
  const started = process.hrtime.bigint();
  if (report !== undefined) rmSync(report, { force: true });
  const child = spawn(node, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      if (shown === 'live') process.stdout.write(text);
      else output += text;
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
  process.stdout.write(`${good ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
  if (!good || shown === 'at end') process.stdout.write(`${output}\n`);
  if (report !== undefined && existsSync(report)) {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    passed += numPassedTests;
    failed += numFailedTests;
  }
  // Tests count one by one; the step itself counts only when it failed (a test, the coverage, a crash).
  if (!good) failed++;
  else if (report === undefined) passed++;
}

/** Runs steps in their order, a few at the same time. */
async function runAll(/** @type {readonly Step[]} */ some, /** @type {number} */ lanes) {
  const waiting = [...some];
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await run(step);
  };
  await Promise.all(Array.from({ length: lanes }, work));
}

mkdirSync(join(root, '.cache'), { recursive: true });
await runAll(first, 2);
await runAll(steps, 2);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
