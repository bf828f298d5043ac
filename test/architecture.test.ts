import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  entryPaths,
  fileFaults,
  type Manifest,
  manifestFaults,
  moduleFacts,
  PACKAGES,
  packageName,
  type SourceFile,
  type Workspace,
} from './architecture-rules.ts';
import { importCycles } from './import-cycles.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(`${root}${path}`, 'utf8')) as Manifest;
}

const folders = readdirSync(`${root}packages`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

const manifests: ReadonlyMap<string, Manifest> = new Map(
  folders.map((folder) => [folder, readManifest(`packages/${folder}/package.json`)]),
);

const workspace: Workspace = {
  manifests,
  testTools: new Set(Object.keys(readManifest('package.json').devDependencies ?? {})),
};

const sources: readonly SourceFile[] = folders.flatMap((folder) =>
  readdirSync(`${root}packages/${folder}/src`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(?:ts|tsx|mts|js|mjs|jsx)$/.test(path))
    .map((path) => ({ folder, path, text: readFileSync(`${root}packages/${folder}/src/${path}`, 'utf8') })),
);

describe('the repository keeps its architecture', () => {
  test('every package is in the table, is named after its folder, and depends only downward', () => {
    const { version = '' } = readManifest('package.json');
    expect([...manifests].flatMap(([folder, manifest]) => manifestFaults(folder, manifest, version))).toEqual(
      [],
    );
  });

  test.each(folders)('the files of packages/%s break no rule', (folder) => {
    const own = sources.filter((file) => file.folder === folder);
    expect(own.length).toBeGreaterThan(0);
    expect(own.flatMap((file) => fileFaults(file, workspace))).toEqual([]);
  });

  test.each(folders)('no file of packages/%s leads back to itself, by types either', (folder) => {
    expect(importCycles(sources.filter((file) => file.folder === folder))).toEqual([]);
  });

  test('every package has one entry file that exists', () => {
    const paths = new Set(sources.map((file) => `${file.folder}/${file.path}`));
    for (const [folder, manifest] of manifests) {
      const missing = [...entryPaths(manifest)].filter((path) => !paths.has(`${folder}/${path}`));
      expect({ folder, missing }).toEqual({ folder, missing: [] });
    }
  });

  test('the table points downward only: no package reaches itself', () => {
    const reach = (folder: string): readonly string[] =>
      (PACKAGES.get(folder)?.imports ?? []).flatMap((target) => [target, ...reach(target)]);
    for (const folder of PACKAGES.keys()) expect(reach(folder)).not.toContain(folder);
  });
});

describe('the rules find what they forbid', () => {
  const known: ReadonlyMap<string, Manifest> = new Map([
    [
      'core',
      {
        name: '@toolgate/core',
        dependencies: { '@noble/hashes': '1' },
        exports: { '.': { '@toolgate/source': './src/index.ts' } },
      },
    ],
    [
      'model',
      {
        name: '@toolgate/model',
        dependencies: { '@toolgate/core': '1', '@toolgate/agent': '1' },
        devDependencies: { '@toolgate/testing': '1' },
      },
    ],
    ['agent', { name: '@toolgate/agent', exports: { '.': './src/index.ts' } }],
    [
      'testing',
      {
        name: '@toolgate/testing',
        dependencies: { '@toolgate/core': '1' },
        exports: { '.': './src/index.ts' },
      },
    ],
    ['mcp', { name: '@toolgate/mcp', exports: { './linear-patterns': './src/linear-patterns.ts' } }],
    ['toolgate', { name: 'toolgate', dependencies: { '@toolgate/mcp': '1' } }],
  ]);
  const faults = (folder: string, path: string, text: string): readonly string[] =>
    fileFaults({ folder, path, text }, { manifests: known, testTools: new Set(['vitest']) }).map((fault) =>
      fault.slice(fault.indexOf(': ') + 2),
    );

  test.each([
    [
      'core',
      'json/a.ts',
      "import { b } from '../gate/b.ts';",
      'json/ imports gate/b.ts against the folder order',
    ],
    [
      'core',
      'schema/a.ts',
      "export { b } from '../tool/b.ts';\nexport const c = 1;",
      'schema/ imports tool/b.ts against the folder order',
    ],
    [
      'core',
      'tool/a.ts',
      "import type { B } from '../policy/b.ts';",
      'tool/ imports policy/b.ts against the folder order',
    ],
    [
      'core',
      'tool/a.ts',
      "type B = import('../gate/b.ts').B;",
      'tool/ imports gate/b.ts against the folder order',
    ],
    [
      'core',
      'policy/a.ts',
      "const b = await import('../gate/b.ts');",
      'policy/ imports gate/b.ts against the folder order',
    ],
    ['core', 'internal/a.ts', "import { b } from '../json/b.ts';", 'internal/ imports json/b.ts'],
    [
      'core',
      'gate/a.ts',
      "import { b } from '../index.ts';",
      'imports index.ts: only other packages use the entry',
    ],
    ['core', 'extra/a.ts', "import { b } from '../json/b.ts';", 'extra/a.ts lies in no folder of the core'],
    [
      'core',
      'json/a.ts',
      "import { readFileSync } from 'node:fs';",
      'imports node:fs in a runtime-neutral package',
    ],
    ['core', 'json/a.ts', "import { readFileSync } from 'fs';", 'imports fs in a runtime-neutral package'],
    [
      'core',
      'json/a.ts',
      "import type { Agent } from 'node:http';",
      'imports node:http in a runtime-neutral package',
    ],
    ['core', 'json/a.ts', "import { z } from 'zod';", 'imports zod, which its package.json does not declare'],
    ['core', 'json/a.ts', "export const a = Buffer.from('x');", 'uses Buffer'],
    ['core', 'json/a.ts', "export const a = new Function('return 1');", 'uses Function'],
    ['core', 'json/a.ts', "export const a = eval('1');", 'uses eval'],
    ['core', 'json/a.ts', 'const a = process.env;', 'uses process'],
    [
      'core',
      'json/a.ts',
      "import { x } from '../../../agent/src/x.ts';",
      'imports ../../../agent/src/x.ts outside its src/',
    ],
    [
      'core',
      'json/a.ts',
      "export const a = await import(['./a', '.ts'].join(''));",
      'imports a computed path',
    ],
    [
      'model',
      'a.ts',
      "import { x } from '@toolgate/agent';",
      'imports @toolgate/agent against the package table',
    ],
    [
      'model',
      'a.ts',
      "import { x } from '@toolgate/core/src/json/read-json.ts';",
      'imports @toolgate/core/src/json/read-json.ts past its entry',
    ],
    [
      'model',
      'a.ts',
      "import { x } from '@toolgate/unheard';",
      'imports @toolgate/unheard, which is not in the table',
    ],
    [
      'model',
      'a.ts',
      "import { x } from '@toolgate/testing';",
      'imports @toolgate/testing against the package table',
    ],
    ['toolgate', 'a.ts', "import { x } from '@toolgate/mcp';", 'imports @toolgate/mcp past its entry'],
    ['toolgate', 'a.ts', "import { x } from 'fs';", 'imports fs without the node: prefix'],
    ['core', 'json/a.ts', 'export default 1;', 'has a default export'],
    ['core', 'json/a.ts', 'const a = 1;\nexport { a as default };', 'has a default export'],
    [
      'core',
      'json/a.ts',
      "export { b } from './b.ts';\nexport type { C } from './c.ts';",
      'is a barrel inside a package',
    ],
    ['core', 'json/a.ts', "import { b } from './b.ts';\nexport { b };", 'is a barrel inside a package'],
    ['core', 'json/index.ts', 'export const a = 1;', 'is a barrel inside a package'],
  ])('packages/%s/src/%s: %j', (folder, path, text, fault) => {
    expect(faults(folder, path, text)).toContain(fault);
  });

  test.each([
    [
      'core',
      'gate/a.ts',
      "import { b } from '../json/b.ts';\nimport { c } from '../internal/c.ts';\nexport const a = b + c;",
    ],
    ['core', 'json/a.ts', "import { sha256 } from '@noble/hashes/sha2.js';\nexport const a = sha256;"],
    ['core', 'index.ts', "export { readJson } from './json/read-json.ts';"],
    [
      'core',
      'json/a.test.ts',
      "import { readFileSync } from 'node:fs';\nimport { x } from '../gate/x.ts';\nimport { test } from 'vitest';",
    ],
    ['core', 'json/a.ts', 'export const a = { process: 1, Buffer: 2 }.process;'],
    ['model', 'a.ts', "import { x } from '@toolgate/core';\nexport const y = x;"],
    ['model', 'a.test.ts', "import { createFakeClock } from '@toolgate/testing';"],
    [
      'toolgate',
      'a.ts',
      "import { x } from '@toolgate/mcp/linear-patterns';\nimport { y } from 'node:fs';\nexport const z = [x, y];",
    ],
  ])('packages/%s/src/%s may say %j', (folder, path, text) => {
    expect(faults(folder, path, text)).toEqual([]);
  });

  test('a manifest outside the table, misnamed, of another version or pointing upward is found', () => {
    expect(manifestFaults('extras', { name: '@toolgate/extras' }, '1')).toEqual([
      'packages/extras: is not in the package table',
    ]);
    expect(
      manifestFaults(
        'core',
        { name: 'core', version: '2', dependencies: { '@toolgate/model': '2', toolgate: '2' } },
        '1',
      ),
    ).toEqual([
      'packages/core/package.json: is named core, not @toolgate/core',
      'packages/core/package.json: has version 2, not the common 1',
      'packages/core/package.json: depends on @toolgate/model against the package table',
      'packages/core/package.json: depends on toolgate against the package table',
    ]);
    expect(
      manifestFaults(
        'agent',
        { name: packageName('agent'), version: '1', dependencies: { '@toolgate/model': '1' } },
        '1',
      ),
    ).toEqual([]);
  });

  test('a file of more than 300 lines is found, unless it is generated or a test', () => {
    const long = 'void 0;\n'.repeat(301);
    expect(faults('core', 'json/a.ts', long)).toEqual(['has 301 lines; 300 is the limit']);
    expect(faults('core', 'json/a.ts', 'void 0;\n'.repeat(300))).toEqual([]);
    expect(faults('core', 'json/a.test.ts', long)).toEqual([]);
    expect(faults('core', 'json/a.generated.ts', long)).toEqual([]);
    expect(faults('core', 'json/a.ts', `// Generated from a table.\n${long}`)).toEqual([]);
  });

  test('files that lead back to themselves are found, by types and over others', () => {
    const file = (path: string, text: string): SourceFile => ({ folder: 'core', path, text });
    expect(
      importCycles([
        file('gate/a.ts', "import type { B } from './b.ts';"),
        file('gate/b.ts', "export { c } from '../tool/c.ts';"),
        file('tool/c.ts', "type A = import('../gate/a.ts').A;"),
        file('tool/d.ts', "import { a } from '../gate/a.ts';"),
        file('tool/d.test.ts', "import { d } from './d.ts';"),
      ]),
    ).toEqual(['gate/a.ts ↔ gate/b.ts ↔ tool/c.ts']);
  });

  test('a file that does not parse is an error, not a file without imports', () => {
    expect(() => moduleFacts({ folder: 'core', path: 'json/a.ts', text: 'import { from' })).toThrow(
      SyntaxError,
    );
  });
});
