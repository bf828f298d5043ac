import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url);

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

test('every dependency of every package has its line in docs/dependencies.md', () => {
  const page = readFileSync(new URL('docs/dependencies.md', root), 'utf8');
  const folders = readdirSync(new URL('packages/', root)).map((folder) => `packages/${folder}/`);
  const missing = ['', ...folders].flatMap((folder) => {
    const manifest: Manifest = JSON.parse(readFileSync(new URL(`${folder}package.json`, root), 'utf8'));
    const names = [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies].flatMap(
      (each) => Object.keys(each ?? {}),
    );
    return names.filter((name) => !name.startsWith('@toolgate/') && !page.includes(`\`${name}\``));
  });
  expect(missing).toEqual([]);
});
