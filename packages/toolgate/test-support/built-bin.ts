import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

/** The command as it is installed, built from the present source first; fast when nothing changed. */
export function builtBin(): string {
  const compiler = path('../../../node_modules/typescript/bin/tsc');
  const build = spawnSync(process.execPath, [compiler, '-b', path('..')], { encoding: 'utf8' });
  const bin = path('../bin/toolgate.js');
  if (!existsSync(path('../dist/bin.js'))) throw new Error(`The command was not built:\n${build.stdout}`);
  return bin;
}
