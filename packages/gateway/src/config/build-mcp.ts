import { appendPointer } from '@toolgate/core';
import type { BuildContext } from './build-context.ts';
import { buildHeaders, buildUrl } from './build-providers.ts';
import { buildClasses } from './build-routes.ts';
import type { GatewayConfigInput, McpServerInput } from './config-input.ts';
import type { McpConfig, McpServerConfig, McpTransportConfig } from './mcp-config.ts';

const LOCK_FILE = 'toolgate.lock.json';

/** Mounted servers and their lock. */
export function buildMcp(context: BuildContext, { mcp = {} }: GatewayConfigInput): McpConfig {
  const { servers = {}, lock = {} } = mcp;
  return Object.freeze({
    servers: new Map(
      Object.entries(servers).flatMap(([name, input]) => {
        const built = context.part(() => buildServer(context, name, input));
        return built === undefined ? [] : [[name, built]];
      }),
    ),
    lock: Object.freeze({
      mode: lock.mode ?? 'require',
      path: context.part(() => context.path('/mcp/lock/path', lock.path ?? LOCK_FILE)) ?? LOCK_FILE,
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
      command: context.part(() => context.fill(`${pointer}/command`, command)) ?? '',
      args: Object.freeze(
        args.flatMap((arg, index) => context.part(() => context.fill(`${pointer}/args/${index}`, arg)) ?? []),
      ),
      env: new Map(
        Object.entries(env).flatMap(([name, value]) => {
          const secret = context.part(() => context.secret(appendPointer(`${pointer}/env`, name), value));
          return secret === undefined ? [] : [[name, secret]];
        }),
      ),
      cwd: cwd === undefined ? context.folder : context.part(() => context.path(`${pointer}/cwd`, cwd)),
    };
  }
  const local = [command, input.args, input.env, cwd].some((member) => member !== undefined);
  if (url === undefined || local)
    return context.fail(pointer, 'a server has either command, args, env and cwd, or url and headers');
  const built = buildHeaders(context, `${pointer}/headers`, headers);
  return { kind: 'http', url: buildUrl(context, `${pointer}/url`, url), headers: built };
}
