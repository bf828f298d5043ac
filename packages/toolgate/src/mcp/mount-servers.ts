import {
  type ConfiguredServer,
  McpError,
  type McpErrorCode,
  type McpMount,
  type MountConfig,
  type MountProblem,
  type MountRule,
  mountMcp,
  type ToolRuleConfig,
} from '@toolgate/mcp';

/** One server of a configuration, mounted or not. */
export type ServerMount =
  | { readonly kind: 'mounted'; readonly server: ConfiguredServer; readonly mount: McpMount }
  | {
      readonly kind: 'failed';
      readonly server: ConfiguredServer;
      readonly code: McpErrorCode;
      /** One sentence, safe to log. */
      readonly message: string;
      /** The last that the server wrote to its error output; foreign text. */
      readonly detail?: string;
    }
  | { readonly kind: 'disabled'; readonly server: ConfiguredServer };

/** Mounted servers, which have to be closed. */
export interface ServerMounts {
  /** In the order of the configuration. */
  readonly servers: readonly ServerMount[];
  /** Ends every connection and child process, and waits for them. */
  readonly close: () => Promise<void>;
}

/** How servers are mounted. */
export interface MountServersOptions extends Pick<MountConfig, 'lock' | 'hidden' | 'prefix'> {
  /** Ends the mounting; what was mounted is closed then. */
  readonly signal: AbortSignal;
}

/** Servers that start at the same time. */
const AT_ONCE = 8;

/**
 * Mounts the servers of a configuration. One that cannot be reached is told about and costs no other one.
 *
 * @throws The reason of the signal, or a defect; nothing is left running then.
 */
export async function mountServers(
  servers: readonly ConfiguredServer[],
  options: MountServersOptions,
): Promise<ServerMounts> {
  const mounts: ServerMount[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(mounts.map(async (each) => (each.kind === 'mounted' ? each.mount.close() : undefined)));
  };
  const waiting = [...servers.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, server] = next;
      mounts[index] = await mountServer(server, options);
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: AT_ONCE }, work));
  const fault = settled.find((each) => each.status === 'rejected');
  if (fault !== undefined || options.signal.aborted) {
    await close();
    options.signal.throwIfAborted();
    throw fault?.reason;
  }
  return { servers: mounts, close };
}

async function mountServer(server: ConfiguredServer, options: MountServersOptions): Promise<ServerMount> {
  const { transport, mountName, rules, disabled } = server;
  if (disabled) return { kind: 'disabled', server };
  if (transport.kind === 'unsupported') {
    return { kind: 'failed', server, code: 'mcp/config-invalid', message: transport.reason };
  }
  let problem: MountProblem | undefined;
  try {
    const mount = await mountMcp({
      ...options,
      name: mountName,
      transport,
      rules: rules.map(toMountRule),
      observe: (event) => {
        if (event.kind === 'problem') problem = event.problem;
      },
    });
    return { kind: 'mounted', server, mount };
  } catch (error) {
    if (!McpError.is(error)) throw error;
    const { code, message } = error;
    const detail = problem?.detail;
    return { kind: 'failed', server, code, message, ...(detail === undefined ? {} : { detail }) };
  }
}

/** A rule of a file says yes or no where one of a program has a function. */
function toMountRule({ available, ...rule }: ToolRuleConfig): MountRule {
  return available === undefined ? rule : { ...rule, available: () => available };
}
