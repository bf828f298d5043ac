import { isJsonObject, JsonError, type JsonValue, readJson } from '@toolgate/core';
import { loadMcpServers, type McpServerConfig } from '@toolgate/gateway';
import type { ConfiguredServer, McpConfig } from '@toolgate/mcp';
import { importModule } from '../definitions/import-module.ts';
import type { CliIo } from '../terminal/cli-io.ts';

/** Members by which the configuration of a gateway is told from the settings of an editor, which may have servers in `mcp` too. */
const OWN_MEMBERS = [
  'keys',
  'providers',
  'routes',
  'listen',
  'auth',
  'storage',
  'approvals',
  'limits',
  'audit',
];

/** Whether a text in JSON is the configuration of a gateway. */
export function isGatewayConfig(text: string): boolean {
  try {
    const value = readJson(text, { maxBytes: 'none' });
    return (
      isJsonObject(value) &&
      (OWN_MEMBERS.some((name) => Object.hasOwn(value, name)) ||
        hasOwnServers(value['mcp']) ||
        isOwnSchema(value['$schema'])) &&
      !Object.hasOwn(value, 'mcpServers')
    );
  } catch (error) {
    // With comments, as editors take them: that is none.
    if (JsonError.is(error)) return false;
    throw error;
  }
}

/** No editor pins what its servers list, or has classes and approvals of tools. */
function hasOwnServers(mcp: JsonValue | undefined): boolean {
  if (!isJsonObject(mcp)) return false;
  const { servers } = mcp;
  const has = (value: JsonValue, name: string): boolean => isJsonObject(value) && Object.hasOwn(value, name);
  return (
    has(mcp, 'lock') ||
    (isJsonObject(servers) &&
      Object.values(servers).some((server) => has(server, 'classes') || has(server, 'approve')))
  );
}

/** Whether it is where a package manager puts the schema that we publish, or a copy with its path. */
function isOwnSchema(schema: JsonValue | undefined): boolean {
  return typeof schema === 'string' && /\bgateway\/(?:schema\/)?config\.schema\.json$/u.test(schema);
}

/**
 * The MCP servers of a gateway, as its configuration names them. The path of the lock is absolute.
 *
 * @throws GatewayError `gateway/config-unreadable`, `gateway/config-invalid`, `gateway/secret-missing`.
 */
export async function readGatewayServers(path: string, { env }: CliIo): Promise<McpConfig> {
  const { lock, servers } = await loadMcpServers(path, { env, importModule });
  return {
    servers: [...servers.values()].map(toConfigured),
    lock: { file: lock.path, mode: lock.mode },
    notes: [],
  };
}

function toConfigured({ classes, name, timeoutMs, transport }: McpServerConfig): ConfiguredServer {
  const bounds = { timeoutMs, maxTimeoutMs: timeoutMs };
  const values = transport.kind === 'stdio' ? transport.env : transport.headers;
  const revealed = Object.fromEntries([...values].map(([key, secret]) => [key, secret.reveal()]));
  return {
    name,
    mountName: name,
    disabled: false,
    transport:
      transport.kind === 'http'
        ? { kind: 'http', url: transport.url, headers: revealed }
        : {
            kind: 'stdio',
            command: transport.command,
            args: transport.args,
            env: revealed,
            ...(transport.cwd === undefined ? {} : { cwd: transport.cwd }),
          },
    rules: [...classes.map((rule) => ({ ...rule, ...bounds })), { tool: '*', ...bounds }],
    secrets: Object.values(revealed),
    unknown: {},
  };
}
