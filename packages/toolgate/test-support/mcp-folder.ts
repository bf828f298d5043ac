import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

/** A folder with a configuration of servers whose tools a test can change. */
export interface McpFolder extends TemporaryFolder {
  /** Writes `mcp.json` with these members besides the servers, and gives its path. */
  readonly configure: (servers: Readonly<Record<string, object>>, more?: object) => string;
  /** An entry for a server whose tools are in `<name>.json`. */
  readonly server: (name: string, more?: object) => object;
  /** The tools that a server lists from now on. */
  readonly tools: (name: string, tools: readonly unknown[]) => void;
  /** The text of the lock file; `undefined` when there is none. */
  readonly lock: () => string | undefined;
  /** Servers that were started and still run. */
  readonly running: () => readonly number[];
  /** How many servers were started. */
  readonly started: () => number;
}

const SCRIPT = fileURLToPath(new URL('./mcp-server.mjs', import.meta.url));

/** Makes an empty folder. */
export function createMcpFolder(): McpFolder {
  const folder = createTemporaryFolder();
  const pids = folder.write('pids', '');
  const started = (): readonly number[] =>
    readFileSync(pids, 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [Number(line)]));
  return {
    ...folder,
    configure: (servers, more = {}) => folder.write('mcp.json', { mcpServers: servers, ...more }),
    server: (name, more = {}) => ({
      command: process.execPath,
      args: [SCRIPT, join(folder.path, `${name}.json`), pids],
      ...more,
    }),
    tools: (name, tools) => writeFileSync(join(folder.path, `${name}.json`), JSON.stringify(tools)),
    lock: () => {
      const path = join(folder.path, 'toolgate.lock.json');
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    },
    running: () => started().filter(isAlive),
    started: () => started().length,
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
