// Lints every package as it would be published: packs them all once, then publint and attw read the packed files.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from './ensure.mjs';
import { publishedPackages } from './packages.mjs';

const packages = publishedPackages();
const folder = mkdtempSync(join(tmpdir(), 'toolgate-pack-'));
try {
  const packed = pack();
  for (const { name } of packages) {
    const tarball = readFileSync(join(folder, String(packed.get(name))));
    const faults = [...(await lintContents(tarball)), ...(await lintTypes(tarball))];
    for (const fault of faults) process.stdout.write(`${name}: ${fault}\n`);
    if (faults.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Packs all packages into the folder; the names of the files by the names of the packages. */
function pack() {
  const workspaces = packages.map(({ path }) => `--workspace=${path}`);
  const args = ['pack', '--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`];
  const result = spawnSync('npm', [...args, ...workspaces], { cwd: root, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(`npm pack failed:\n${result.stdout}${result.stderr}`);
  /** @type {readonly { name: string, filename: string }[]} */
  const files = JSON.parse(result.stdout);
  return new Map(files.map(({ name, filename }) => [name, filename]));
}

/** What publint says of a package. @param {Buffer} tarball @returns {Promise<string[]>} */
async function lintContents(tarball) {
  const bytes = Uint8Array.from(tarball).buffer;
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes } });
  return messages
    .filter(({ type }) => type === 'error')
    .map((message) => formatMessage(message, pkg) ?? message.code);
}

/** What attw says of a package for users of modules; CommonJS can load these, so its kinds do not count. @param {Buffer} tarball */
async function lintTypes(tarball) {
  const result = await checkPackage(createPackageFromTarballData(tarball));
  if (result.types === false) return ['no types are packed'];
  const ignored = ['node10', 'node16-cjs'];
  return result.problems
    .filter((problem) => !('resolutionKind' in problem && ignored.includes(problem.resolutionKind)))
    .map((problem) => JSON.stringify(problem));
}
