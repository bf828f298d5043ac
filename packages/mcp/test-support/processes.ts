import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect } from 'vitest';
import type { StdioServer } from '../src/client/server-transport.ts';

/** The server that behaves as it is told; see `hostile-server.mjs`. */
export function hostileServer(...flags: readonly string[]): StdioServer {
  const script = fileURLToPath(new URL('hostile-server.mjs', import.meta.url));
  return { kind: 'stdio', command: process.execPath, args: [script, ...flags] };
}

/** A server of the registry, by its package. */
export function registryServer(name: string, ...args: readonly string[]): StdioServer {
  const path = `../../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;
  return {
    kind: 'stdio',
    command: process.execPath,
    args: [fileURLToPath(new URL(path, import.meta.url)), ...args],
  };
}

/** Whether a process runs; one that has ended and that nobody has asked about does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('Z');
  } catch {
    return false;
  }
}

/** Waits until none of these processes runs. */
export async function expectGone(...pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning), { timeout: 10_000, interval: 20 }).toEqual([]);
}

/** Bundles the process that mounts a stubborn server, because Node.js 20 does not read TypeScript. */
export async function bundleDoomedParent(): Promise<string> {
  const outDir = fileURLToPath(new URL(`../../../.cache/mcp/doomed-parent-${process.pid}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@toolgate/source', 'module', 'node', 'import', 'default'] },
    ssr: { noExternal: [/^@toolgate\//], external: ['@modelcontextprotocol/client', 're2js', 'diff'] },
    build: {
      ssr: fileURLToPath(new URL('doomed-parent.ts', import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'parent.mjs' } },
    },
  });
  return join(outDir, 'parent.mjs');
}
