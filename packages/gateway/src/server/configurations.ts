import { ignoreThrown, type JsonObject } from '@toolgate/core';
import type { ReloadOutcome } from '../admin/admin-services.ts';
import { type LastReload, type ReloadFault, reloadFault } from '../admin/last-reload.ts';
import { createGenerations } from '../config/create-generations.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Generations, ReloadResult } from '../config/generations.ts';
import { isLoopback } from '../internal/is-loopback.ts';
import type { McpSurface } from '../mcp/mcp-surface.ts';
import type { AuditKind } from '../ports/audit-log.ts';
import { GatewayError } from '../ports/gateway-error.ts';
import { secretsOfConfig } from './config-secrets.ts';
import { changedFixedSettings } from './fixed-settings.ts';
import {
  buildGatewayContent,
  type GatewayContent,
  type GatewayContentOptions,
  retireGatewayContent,
} from './gateway-content.ts';
import type { Operations } from './operations.ts';
import { tellStanding } from './tell-standing.ts';

/** What the configurations of a gateway are handled with. */
export interface ConfigurationsOptions {
  readonly config: GatewayConfig;
  /** Reads the configuration again from where it came. */
  readonly source: (() => Promise<GatewayConfig>) | undefined;
  /** Told before each build which texts must not be shown from then on: those that are served, and the new ones. */
  readonly onSecrets: (secrets: readonly string[]) => void;
  readonly operations: Operations;
  readonly surface: McpSurface;
  readonly content: Omit<GatewayContentOptions, 'mount'>;
}

/** The configurations of a gateway, one after the other. */
export interface Configurations {
  readonly generations: Generations<GatewayConfig, GatewayContent>;
  /** Swaps in what is given, or what the source reads. */
  readonly reload: (given: GatewayConfig | undefined, by: string) => Promise<ReloadOutcome>;
  readonly lastReload: () => LastReload | undefined;
  close(): Promise<void>;
}

const SYSTEM = 'system';

/**
 * Builds the first configuration, and writes into the audit which ones were served.
 *
 * @throws GatewayError `gateway/config-invalid`, `gateway/storage-unavailable`.
 */
export async function startConfigurations(options: ConfigurationsOptions): Promise<Configurations> {
  const { config, content, operations, source, surface } = options;
  const { onDefect, stores, write } = operations;
  const append = async (kind: AuditKind, actor: string, data: JsonObject): Promise<void> => {
    await stores.audit.append({ kind, actor, data });
  };
  const { host, port } = config.listen;
  await append('gateway-start', SYSTEM, { host, port });
  const generations = await createGenerations(config, {
    build: async (from: GatewayConfig) =>
      buildGatewayContent(from, { ...content, mount: (mcp) => surface.mount(mcp) }),
    retire: retireGatewayContent,
    onError: onDefect,
  });

  const use = async (by: string): Promise<void> => {
    const { number, content: current } = generations.current;
    const { approvals, digest } = current.config;
    surface.use(current.mcp, approvals.lifetimeMs);
    for (const standing of current.mcp.standings)
      if (standing.state !== 'mounted' || standing.heldBack !== undefined) tellStanding(write, standing);
    write('info', 'config-load', { generation: number, digest });
    await append('config-load', by, { generation: number, digest });
    await operations.useWebhook(approvals.webhook);
  };
  let last: LastReload | undefined;
  const tell = (result: LastReload['result'], by: string, fault?: ReloadFault): void => {
    operations.metrics.reload(result);
    last = Object.freeze({ result, at: content.clock.now(), by, ...(fault === undefined ? {} : { fault }) });
  };
  const refused = async (result: ReloadResult & { kind: 'refused' }, by: string): Promise<ReloadResult> => {
    const { error, number: generation } = result;
    ignoreThrown(error);
    const fault = reloadFault(error);
    tell('refused', by, fault);
    const { code, message, place } = fault;
    const pointer = place?.pointer ?? '';
    write('error', 'config-refuse', { generation, code, pointer, message, line: place?.line });
    await append('config-refuse', by, { generation, code, pointer }).catch(onDefect);
    return result;
  };
  try {
    await use(SYSTEM);
  } catch (error) {
    await generations.close();
    throw error;
  }

  const reloadNow = async (given: GatewayConfig | undefined, by: string): Promise<ReloadOutcome> => {
    let next = given;
    try {
      next ??= await source?.();
    } catch (error) {
      return refused({ kind: 'refused', number: generations.current.number, error }, by);
    }
    if (next === undefined) throw new TypeError('A source gave no configuration.');
    const fault = reachedByOthers(config, next) ?? servesNobody(generations.current.content.config, next);
    if (fault !== undefined)
      return refused({ kind: 'refused', number: generations.current.number, error: fault }, by);
    options.onSecrets([...new Set([...generations.current.content.secrets, ...secretsOfConfig(next)])]);
    const result = await generations.reload(next);
    if (result.kind === 'refused') return refused(result, by);
    tell('applied', by);
    // It serves already; what cannot be written down about it is told.
    await use(by).catch(onDefect);
    const needsRestart = changedFixedSettings(config, next);
    if (needsRestart.length === 0) return result;
    write('warn', 'config-needs-restart', { generation: result.number, settings: needsRestart });
    return { ...result, needsRestart };
  };
  let reloading: Promise<unknown> = Promise.resolve();

  return Object.freeze({
    generations,
    lastReload: () => last,
    async reload(given: GatewayConfig | undefined, by: string) {
      if (given === undefined && source === undefined)
        throw new GatewayError('gateway/config-unreadable', 'There is no source of the configuration.');
      // One after the other from the reading on: what was read first must not be what serves last.
      const result = reloading.then(async () => reloadNow(given, by));
      reloading = result.catch(() => undefined);
      return result;
    },
    async close() {
      await generations.close();
      await append('gateway-stop', SYSTEM, {}).catch(onDefect);
      write('info', 'gateway-stop');
    },
  });
}

/** A configuration without keys is checked against where it would listen, but the gateway goes on listening where it does. */
function reachedByOthers({ listen }: GatewayConfig, { auth }: GatewayConfig): GatewayError | undefined {
  if (auth.required || isLoopback(listen.host)) return undefined;
  return new GatewayError(
    'gateway/config-invalid',
    '/auth/required: keys can be left out on a loopback address only, and the gateway listens on another one until it is started again',
    { place: { pointer: '/auth/required' } },
  );
}

/** A file that is read while somebody writes it may be empty, which is a configuration, too. */
function servesNobody(current: GatewayConfig, next: GatewayConfig): GatewayError | undefined {
  if (!isEmpty(next) || isEmpty(current)) return undefined;
  return new GatewayError(
    'gateway/config-invalid',
    '(root): it has no key, no route and no MCP server, so that nobody would be served any more; stop the gateway instead',
    { place: { pointer: '' } },
  );
}

function isEmpty({ keys, mcp, routes }: GatewayConfig): boolean {
  return keys.length === 0 && routes.length === 0 && mcp.servers.size === 0;
}
