// Lints every package as it would be published: publint on the folder, attw on the packed file.
import { spawnSync } from 'node:child_process';
import { root, tool } from './ensure.mjs';
import { publishedPackages } from './packages.mjs';

let good = true;
for (const { path, name } of publishedPackages()) {
  for (const args of [
    [tool('publint/src/cli.js'), '--strict', path],
    [tool('@arethetypeswrong/cli/dist/index.js'), '--pack', path, '--profile', 'esm-only', '--quiet'],
  ]) {
    const result = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (result.status === 0) continue;
    good = false;
    process.stdout.write(`${name}:\n${result.stdout}${result.stderr}\n`);
  }
}
process.exitCode = good ? 0 : 1;
