// Makes a fresh clone usable: installs and builds what is missing, once. Everything here is idempotent.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a command in the repository and returns its exit code; output goes to the terminal.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {number}
 */
export function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: false,
  });
  if (result.error !== undefined) throw result.error;
  return result.status ?? 1;
}

/** Path of a tool installed in the root, as a module that Node can run. @param {string} path */
export function tool(path) {
  return join(root, 'node_modules', path);
}

/** Installs the locked dependencies unless they are there and newer than the lock. */
export function ensureInstalled() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write(`Toolgate needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
    process.exit(1);
  }
  const installed = join(root, 'node_modules', '.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  process.stderr.write('Installing dependencies (once; takes a minute or two) …\n');
  const code = run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error']);
  if (code !== 0) process.exit(code);
}

/**
 * What compiles all packages and checks all tests; fast when nothing changed. One checker a project: each further one works
 * out most types of the project for itself, so that projects side by side take half the processor time that checkers side by
 * side do.
 */
export const BUILD = [tool('typescript/bin/tsc'), '-b', '--checkers', '1'];

/** The package that is built last: its references are all the others. */
const LAST = 'packages/toolgate';

/**
 * Compiles all packages, and looks at nothing else: who only wants to use them waits for no check of the tests, and is kept
 * from nothing by what one of them says.
 */
export function ensureBuilt() {
  if (!existsSync(join(root, LAST, 'dist')))
    process.stderr.write('Building (once; takes about a minute) …\n');
  const code = run(process.execPath, [...BUILD, LAST]);
  if (code !== 0) process.exit(code);
}
