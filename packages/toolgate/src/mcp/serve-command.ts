import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { resolve } from 'node:path';
import { createGate, createRedactor, createScope, type Gate } from '@toolgate/core';
import { type Authenticate, type McpService, serveMcp } from '@toolgate/mcp';
import { CliError } from '../cli-error.ts';
import { checkNames } from '../run/check-names.ts';
import { createReviewer } from '../run/create-reviewer.ts';
import { loadTools } from '../run/load-tools.ts';
import { printCauses } from '../run/print-causes.ts';
import type { ApproveRule } from '../run/run-plan.ts';
import type { CliIo } from '../terminal/cli-io.ts';
import { countOf } from '../terminal/format-count.ts';
import { safeText } from '../terminal/safe-text.ts';
import { parseAddress } from './parse-address.ts';

/** Options of `toolgate serve`. */
export interface ServeCommandOptions {
  readonly debug: boolean;
  /** Paths of modules with tools. */
  readonly mcp: readonly string[];
  /** Where to listen; absent: one client on standard input and output. */
  readonly http?: string;
  /** Names under which the server is reached, besides those of this machine. */
  readonly allowedHost: readonly string[];
  /** Let everybody in who reaches the port. */
  readonly anonymous: boolean;
  readonly approve: ApproveRule;
  /** Put the questions to the person at the client. */
  readonly askClient: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** The variable with the token that HTTP clients have to send. */
const TOKEN = 'TOOLGATE_SERVE_TOKEN';
const MIN_TOKEN = 16;

/**
 * Serves the tools of modules over MCP until the client goes away or a signal comes.
 *
 * @returns The exit code.
 */
export async function serveTools(options: ServeCommandOptions, io: CliIo): Promise<number> {
  if (options.mcp.length === 0)
    throw new CliError('cli/usage', 'There is nothing to serve: name a module with --mcp.');
  const tools = await loadTools(options.mcp.map((path) => resolve(io.cwd, path)));
  const gate = createServedGate(tools, options, io);
  await checkNames({ allow: options.allow, deny: options.deny }, tools, io);
  const authenticate = options.http === undefined ? undefined : await createAuthenticate(options, io);
  const service = serveMcp(gate, {
    ...(authenticate === undefined ? {} : { authenticate }),
    ...(options.allowedHost.length === 0 ? {} : { allowedHosts: options.allowedHost }),
    ...(options.askClient ? { approvalPrompt: { kind: 'form' } as const } : {}),
    onError: (error) => {
      if (!options.debug || !(error instanceof Error)) return;
      void io.stderr.write(`${safeText(error.stack ?? error.message, 4_000)}\n`);
    },
  });
  try {
    const done =
      options.http === undefined ? servePipe(service, io) : listen(service, options.http, tools.length, io);
    await Promise.race([done, untilAborted(io.signal)]);
  } finally {
    await service.close();
  }
  return 0;
}

function createServedGate(
  tools: Awaited<ReturnType<typeof loadTools>>,
  options: ServeCommandOptions,
  io: CliIo,
): Gate {
  const { ask: _, ...deaf } = io;
  // On a pipe standard input belongs to the client.
  const asks = options.http !== undefined && !options.askClient;
  const reviewer = createReviewer({
    rule: options.approve,
    io: asks ? io : deaf,
    canWait: options.askClient,
  });
  return createGate({
    tools,
    scope: createScope({
      allow: options.allow,
      deny: options.deny,
      ...(options.approve === 'none' ? {} : { approve: reviewer.approve }),
    }),
    redact: createRedactor(),
    ...(options.debug ? { observe: printCauses(io), content: 'full' as const } : {}),
  });
}

function servePipe(service: McpService, { output }: CliIo): Promise<void> {
  const identity = { principal: 'stdio', context: {} };
  return service.stdio(identity, output === undefined ? {} : { output }).closed;
}

async function listen(service: McpService, address: string, count: number, io: CliIo): Promise<void> {
  const { url } = await service.listen(parseAddress(address)).catch((cause: unknown) => {
    if (!(cause instanceof Error) || !('code' in cause) || !isSystemCode(cause.code)) throw cause;
    throw new CliError(
      'cli/server-failed',
      `The server cannot listen on ${safeText(address, 80)} (${cause.code}).`,
      {
        cause,
      },
    );
  });
  await io.stderr.write(`Serving ${countOf(count, 'tool')} at ${url}\n`);
  // Until a signal comes.
  await new Promise(() => undefined);
}

function isSystemCode(code: unknown): code is string {
  return typeof code === 'string' && /^E[A-Z]+$/u.test(code);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
}

/** Who knows the token is the one principal there is. */
async function createAuthenticate(options: ServeCommandOptions, io: CliIo): Promise<Authenticate> {
  const accepted = { kind: 'accepted', principal: 'http', context: {} } as const;
  if (options.anonymous) {
    if (options.allowedHost.length === 0) return () => accepted;
    throw new CliError('cli/usage', '--anonymous is for this machine alone, not for --allowed-host.');
  }
  const given = io.env[TOKEN] ?? '';
  if (given !== '' && given.length < MIN_TOKEN) {
    throw new CliError('cli/usage', `${TOKEN} has at least ${MIN_TOKEN} characters.`);
  }
  const token = given === '' ? randomBytes(32).toString('base64url') : given;
  if (given === '') await io.stderr.write(`Clients send: Authorization: Bearer ${token}\n`);
  const wanted = hash(`Bearer ${token}`);
  return (request) =>
    timingSafeEqual(hash(request.headers.get('authorization') ?? ''), wanted)
      ? accepted
      : { kind: 'refused' };
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
