// Runs the benchmarks: builds the packages, installs the lock of bench/ once, then every bench/*/run.mjs, or those that
// are named on the command line. Other arguments (such as --assert) are passed on.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, ensureInstalled, root, run } from './ensure.mjs';

const folder = join(root, 'bench');
const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const options = process.argv.slice(2).filter((argument) => argument.startsWith('-'));

const all = readdirSync(folder)
  .filter((name) => existsSync(join(folder, name, 'run.mjs')))
  .sort();
const unknown = names.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are: ${all.join(', ')}.\n`);
  process.exit(2);
}

ensureInstalled();
ensureBuilt();
ensurePeers();

let code = 0;
for (const name of names.length > 0 ? names : all) {
  process.stdout.write(`\n# ${name}\n`);
  code = run(process.execPath, [join(folder, name, 'run.mjs'), ...options]) || code;
}
process.exitCode = code;

/** Installs what the benchmarks compare with, unless it is there and newer than the lock. */
function ensurePeers() {
  const lock = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  process.stderr.write('Installing the benchmarks (once) …\n');
  // No peer needs an install script to run.
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error', '--ignore-scripts'];
  const failed = run('npm', ['ci', '--prefix', folder, ...quiet]);
  if (failed !== 0) process.exit(failed);
}
