// The packages that are published, in build order.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure.mjs';

const ORDER = ['core', 'model', 'control', 'agent', 'mcp', 'adapters', 'testing', 'gateway', 'toolgate'];

/**
 * @typedef {{ name: string, types: string }} Entry An entry point, and its declarations relative to the package.
 * @typedef {{ folder: string, path: string, name: string, entries: Entry[] }} PublishedPackage
 * @returns {PublishedPackage[]}
 */
export function publishedPackages() {
  return ORDER.filter((folder) => existsSync(join(root, 'packages', folder, 'package.json'))).map(
    (folder) => {
      const path = join(root, 'packages', folder);
      /** @type {{ name: string, exports: Record<string, string | { types: string }> }} */
      const { name, exports } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      const entries = Object.entries(exports).flatMap(([subpath, target]) =>
        typeof target === 'string' ? [] : [{ name: subpath.slice(2), types: target.types }],
      );
      return { folder, path, name, entries };
    },
  );
}
