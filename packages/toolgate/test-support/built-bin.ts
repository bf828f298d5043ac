import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** Where whoever runs the tests has just built everything, as `npm test` does, this says so. */
let built = process.env['TOOLGATE_BUILT'] === 'yes';

/** The command as it is installed, built from the present source first, once. */
export function builtBin(): string {
  const output = built ? '' : build();
  built = true;
  if (!existsSync(path('../dist/bin.js'))) throw new Error(`The command was not built:\n${output}`);
  return path('../bin/toolgate.js');
}

function build(): string {
  const compiler = path('../../../node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler, '-b', path('..')], { encoding: 'utf8' }).stdout;
}
