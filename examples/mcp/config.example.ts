// #region config
import { type LockFile, type McpMount, mountMcp, readMcpConfig } from '@toolgate/mcp';

/** Mounts the servers of the configuration that an editor uses, with the rules of its `toolgate` section. */
export async function mountConfig(
  text: string,
  folder: string,
  lock: LockFile,
): Promise<readonly McpMount[]> {
  const config = readMcpConfig(text, { env: process.env, folder });
  const mounts: McpMount[] = [];
  for (const { mountName, transport, rules, disabled } of config.servers) {
    if (disabled || transport.kind === 'unsupported') continue;
    mounts.push(
      await mountMcp({
        name: mountName,
        transport,
        rules: rules.map(({ available = true, ...rule }) => ({ ...rule, available: () => available })),
        lock: { mode: 'require', file: lock },
        prefix: true,
      }),
    );
  }
  return mounts;
}
// #endregion
