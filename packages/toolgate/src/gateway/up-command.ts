import { resolve } from 'node:path';
import {
  createGateway,
  type Gateway,
  type GatewayConfig,
  GatewayError,
  globalTracer,
  loadConfig,
  type OpenStores,
  openStores,
  readConfig,
  readConfigValue,
  tuneProcess,
} from '@toolgate/gateway';
import { CliError } from '../cli-error.ts';
import { importModule } from '../definitions/import-module.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { safeText } from '../terminal/safe-text.ts';
import { startBuiltinModel } from './builtin-model.ts';
import { defaultConfig, upstreamsOf } from './default-config.ts';
import { openGatewayHome } from './gateway-home.ts';
import { formatGreeting } from './up-greeting.ts';
import { createUpJournal, type UpJournal } from './up-journal.ts';
import { whyIdle } from './why-idle.ts';

/** Options of `toolgate up`. */
export interface UpOptions {
  readonly json: boolean;
  readonly debug: boolean;
  /** Instead of the port of the configuration; 0 for any free one. */
  readonly port?: number;
  /** How long requests in flight may take after a signal, in milliseconds. */
  readonly grace: number;
}

/** Everything that was opened, the last one first. */
type Closers = (() => Promise<void>)[];

/**
 * Runs a gateway until a signal comes, then lets the requests in flight end.
 *
 * @param file - A configuration; without one the gateway makes do with the environment and the folder `.toolgate`.
 * @returns The exit code.
 */
export async function upGateway(file: string | undefined, options: UpOptions, io: CliIo): Promise<number> {
  const journal = createUpJournal(options, io);
  const closers: Closers = [];
  try {
    const started =
      file === undefined
        ? await upAlone(options, io, journal, closers)
        : await upFile(file, options, io, journal, closers);
    const forget = io.onHangup?.(started.onHangup);
    if (forget !== undefined) closers.push(async () => forget());
    await untilAborted(io.signal);
    journal.event('draining', {}, 'draining; a second signal ends at once');
  } finally {
    for (const close of closers.reverse()) await close().catch(journal.defect);
    journal.event('closed', {}, '');
    await journal.flush();
  }
  return 0;
}

interface Started {
  readonly onHangup: () => void;
}

async function upAlone(
  options: UpOptions,
  io: CliIo,
  journal: UpJournal,
  closers: Closers,
): Promise<Started> {
  const home = await openGatewayHome(io.cwd);
  let upstreams = upstreamsOf(io.env);
  const builtin = upstreams.length === 0;
  if (builtin) {
    const model = await startBuiltinModel();
    closers.push(() => model.close());
    upstreams = [
      { name: 'builtin', provider: { protocol: 'openai-chat', baseUrl: model.baseUrl }, models: [] },
    ];
  }
  const { adminKey, databasePath } = home;
  const input = defaultConfig({ upstreams, adminKey, databasePath, port: options.port });
  const config = readConfig(readConfigValue(input), io.env);
  const { stores, url } = await listen(config, undefined, options, journal, closers);
  await home.publish(url);
  closers.push(() => home.withdraw(url));
  const first = stores.keys.all().length === 0;
  const created = first ? await createFirstKey(stores) : undefined;
  const keys = created === undefined ? {} : { clientKey: created, adminKey };
  if (options.json) journal.event('listening', { url, builtin, databasePath, ...keys }, '');
  else await io.stdout.write(formatGreeting({ url, config, builtin, home: { databasePath, ...keys } }, io));
  return {
    onHangup: () => journal.event('reload-ignored', {}, 'there is no configuration to read again'),
  };
}

/** Whoever starts it without a configuration wants to try it out: tools of clients pass unless they are at fault. */
async function createFirstKey({ keys }: OpenStores): Promise<string> {
  const grants = { toolsDefault: 'allow', servers: 'all' } as const;
  return (await keys.create({ principal: 'local', grants, by: 'operator' })).key;
}

async function upFile(
  file: string,
  options: UpOptions,
  io: CliIo,
  journal: UpJournal,
  closers: Closers,
): Promise<Started> {
  const path = resolve(io.cwd, file);
  let edition = 0;
  const load = async (): Promise<GatewayConfig> => {
    edition += 1;
    const number = edition;
    const read = await loadConfig(path, {
      env: io.env,
      importModule: (module) => importModule(module, number),
    });
    return options.port === undefined ? read : { ...read, listen: { ...read.listen, port: options.port } };
  };
  const config = await load();
  const reread = (): Promise<GatewayConfig> => load().catch(unreadable);
  const { gateway, url } = await listen(config, reread, options, journal, closers);
  if (options.json) journal.event('listening', { url, digest: config.digest }, '');
  else await io.stdout.write(formatGreeting({ url, config, builtin: false }, io));
  const idle = whyIdle(config);
  if (idle !== undefined) journal.event('config-idle', { message: idle }, `${safeText(file)}: ${idle}`);

  const reload = async (): Promise<void> => {
    const result = await gateway.reload();
    // For a person the gateway's own log has said so.
    if (result.kind === 'published') {
      journal.event('reloaded', { generation: result.number }, '');
      return;
    }
    const { error } = result;
    if (!GatewayError.is(error)) journal.defect(error);
    const why = GatewayError.is(error) ? error.message : 'It could not be built.';
    const place = GatewayError.is(error) ? error.place : undefined;
    journal.event('reload-refused', { message: why, ...place }, '');
  };
  return { onHangup: () => void reload().catch(journal.defect) };
}

/** A module that fails may say anything, which must not be in a log. */
function unreadable(cause: unknown): never {
  if (!CliError.is(cause)) throw cause;
  const words = 'The module of the configuration cannot be loaded; "toolgate check" says why.';
  throw new GatewayError('gateway/config-unreadable', words, { cause });
}

async function listen(
  config: GatewayConfig,
  source: (() => Promise<GatewayConfig>) | undefined,
  options: UpOptions,
  journal: UpJournal,
  closers: Closers,
): Promise<{ readonly gateway: Gateway; readonly stores: OpenStores; readonly url: string }> {
  tuneProcess();
  const onError = journal.defect;
  const stores = await openStores({ storage: config.storage, onError: journal.storageFault });
  closers.push(() => stores.close());
  const tracer = globalTracer();
  const gateway = await createGateway({
    config,
    stores,
    onError,
    onTraffic: journal.request,
    log: journal.log,
    ...(source === undefined ? {} : { source }),
    ...(tracer === undefined ? {} : { tracer }),
  });
  closers.push(() => gateway.close(options.grace));
  const unsubscribe = stores.approvals.subscribe(journal.approval);
  closers.push(async () => unsubscribe());
  try {
    return { gateway, stores, url: await gateway.listen() };
  } catch (cause) {
    throw toListenFailure(cause, config);
  }
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['EADDRINUSE', 'another program listens there; --port 0 takes any free port'],
  ['EACCES', 'this user may not listen there'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'the name is not known'],
  ['EAI_AGAIN', 'the name cannot be looked up now'],
]);

function toListenFailure(cause: unknown, { listen: { host, port } }: GatewayConfig): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const words = WORDS.get(code);
  if (words === undefined) return cause;
  return new CliError(
    'cli/server-failed',
    `The gateway cannot listen on ${host}:${port}: ${words} (${code}).`,
    {
      cause,
    },
  );
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}
