import { appendPointer } from '@toolgate/core';
import type { BuildContext } from './build-context.ts';
import { buildHeaders, buildUrl } from './build-providers.ts';
import { buildClasses } from './build-routes.ts';
import type { GatewayConfigInput, McpServerInput } from './config-input.ts';
import type { McpConfig, McpServerConfig, McpTransportConfig } from './mcp-config.ts';

/** Mounted servers and their lock. */
export function buildMcp(context: BuildContext, { mcp = {} }: GatewayConfigInput): McpConfig {
  const { servers = {}, lock = {} } = mcp;
  return Object.freeze({
    servers: new Map(
      Object.entries(servers).map(([name, input]) => [name, buildServer(context, name, input)]),
    ),
    lock: Object.freeze({
      mode: lock.mode ?? 'require',
      path: context.path('/mcp/lock/path', lock.path ?? 'toolgate.lock.json'),
    }),
  });
}

function buildServer(context: BuildContext, name: string, input: McpServerInput): McpServerConfig {
  const pointer = appendPointer('/mcp/servers', name);
  const { approve = 'none', timeoutMs = 60_000 } = input;
  return Object.freeze({
    name,
    transport: Object.freeze(buildTransport(context, pointer, input)),
    classes: buildClasses(input.classes),
    timeoutMs,
    approvalThreshold: approve === 'none' ? undefined : approve,
  });
}

function buildTransport(context: BuildContext, pointer: string, input: McpServerInput): McpTransportConfig {
  const { command, args = [], env = {}, cwd, url, headers } = input;
  if (command !== undefined && url === undefined && headers === undefined) {
    return {
      kind: 'stdio',
      command: context.fill(`${pointer}/command`, command),
      args: Object.freeze(args.map((arg, index) => context.fill(`${pointer}/args/${index}`, arg))),
      env: new Map(
        Object.entries(env).map(([name, value]) => [
          name,
          context.secret(appendPointer(`${pointer}/env`, name), value),
        ]),
      ),
      cwd: cwd === undefined ? context.folder : context.path(`${pointer}/cwd`, cwd),
    };
  }
  const local = [command, input.args, input.env, cwd].some((member) => member !== undefined);
  if (url === undefined || local)
    return context.fail(pointer, 'a server has either command, args, env and cwd, or url and headers');
  return {
    kind: 'http',
    url: buildUrl(context, `${pointer}/url`, url),
    headers: buildHeaders(context, `${pointer}/headers`, headers),
  };
}
