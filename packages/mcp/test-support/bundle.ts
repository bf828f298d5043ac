import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 * Bundles a program of this folder so that it runs as a process of its own: Node 20 does not read TypeScript.
 *
 * @returns The path of the program.
 */
export async function bundle(entry: string): Promise<string> {
  const name = entry.replaceAll('/', '-').replace(/\.ts$/, '');
  const outDir = fileURLToPath(new URL(`../../../.cache/mcp/${name}-${process.pid}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@toolgate/source', 'module', 'node', 'import', 'default'] },
    ssr: { noExternal: [/^@toolgate\//], external: ['re2js', 'diff'] },
    build: {
      ssr: fileURLToPath(new URL(entry, import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'program.mjs' } },
    },
  });
  return join(outDir, 'program.mjs');
}
