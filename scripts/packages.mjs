// The packages that are published, in build order.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './ensure.mjs';

const ORDER = ['core', 'model', 'control', 'agent', 'mcp', 'adapters', 'testing', 'gateway', 'toolgate'];

/**
 * @typedef {{ folder: string, path: string, name: string }} PublishedPackage
 * @returns {PublishedPackage[]}
 */
export function publishedPackages() {
  return ORDER.filter((folder) => existsSync(join(root, 'packages', folder, 'package.json'))).map(
    (folder) => {
      const path = join(root, 'packages', folder);
      const { name } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
      return { folder, path, name };
    },
  );
}
