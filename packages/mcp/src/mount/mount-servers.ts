import type { Binding } from '@toolgate/core';
import { type LookAlike, lookAlikes } from '../intake/look-alike.ts';
import { quoteName } from '../intake/quote-name.ts';
import { McpError } from '../mcp-error.ts';
import type { MountConfig } from './mount-config.ts';
import { type McpMount, mountMcp } from './mount-mcp.ts';

/** A server that could not be mounted. */
export interface FailedMount {
  readonly name: string;
  readonly error: McpError;
}

/** Several mounted servers. */
export interface McpMounts<Context = unknown> {
  /** Those that could be mounted, in the order of the configuration. */
  readonly mounts: readonly McpMount<Context>[];
  readonly failed: readonly FailedMount[];
  /** The offered tools of all servers, of the latest generation of each. */
  readonly tools: readonly Binding<Context>[];
  /** Tools that somebody may take for each other, whether they are offered or not. */
  readonly lookAlikes: readonly LookAlike[];
  readonly close: () => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Mounts several servers at the same time. One that cannot be mounted costs the others nothing. Where there are
 * several, tools are offered as `name__tool` unless a configuration says otherwise.
 *
 * @throws {@link McpError} `mcp/options-invalid`, also for two servers with one name; `mcp/name-collision` for two tools
 * that would have one name; the reason of a signal. Nothing is left running then.
 */
export async function mountServers<Context = unknown>(
  configs: readonly MountConfig<Context>[],
): Promise<McpMounts<Context>> {
  const names = new Set<string>();
  for (const { name } of configs) {
    if (names.has(name))
      throw new McpError('mcp/options-invalid', 'Two servers of a mount have the same name.');
    names.add(name);
  }
  const prefix = configs.length > 1;
  const settled = await Promise.allSettled(configs.map((config) => mountMcp({ prefix, ...config })));
  const mounts = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const close = async (): Promise<void> => {
    await Promise.all(mounts.map((mount) => mount.close()));
  };
  try {
    const failed = settled.flatMap((each, index) =>
      each.status === 'fulfilled' ? [] : [toFailed(configs[index]?.name ?? '', each.reason)],
    );
    checkNames(mounts);
    return Object.freeze({
      mounts: Object.freeze(mounts),
      failed: Object.freeze(failed),
      get tools() {
        return Object.freeze(mounts.flatMap(({ tools }) => tools));
      },
      get lookAlikes() {
        return lookAlikes(
          mounts.flatMap(({ name, report }) => report.tools.map(({ tool }) => ({ server: name, tool }))),
        );
      },
      close,
      [Symbol.asyncDispose]: close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Misuse and the end of patience concern all; the rest concerns one server. */
function toFailed(name: string, error: unknown): FailedMount {
  if (!McpError.is(error) || error.code === 'mcp/options-invalid') throw error;
  return Object.freeze({ name, error });
}

function checkNames<Context>(mounts: readonly McpMount<Context>[]): void {
  const owners = new Map<string, string>();
  for (const { name: server, report } of mounts) {
    for (const tool of report.tools) {
      if (tool.kind === 'disabled') continue;
      const label = `${quoteName(tool.tool)} of ${server}`;
      const owner = owners.get(tool.name);
      if (owner !== undefined) {
        throw new McpError(
          'mcp/name-collision',
          `${owner} and ${label} would both be offered as ${tool.name}.`,
        );
      }
      owners.set(tool.name, label);
    }
  }
}
