import {
  Client,
  type jsonSchemaValidator,
  type ListChangedHandlers,
  SdkError,
  SdkErrorCode,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { type Clock, ignoreThrown } from '@toolgate/core';
import type { McpError } from '../mcp-error.ts';
import { type ClientHooks, hookCapabilities, installHooks } from './client-hooks.ts';
import { closeTransport, guardTransport } from './guard-transport.ts';
import { olderRevisions } from './older-revisions.ts';
import type { OpenQuestions } from './open-questions.ts';
import type { OpenPage } from './page-visit.ts';
import {
  type OpenedTransport,
  openTransport,
  type ServerTransport,
  type TransportLimits,
} from './server-transport.ts';

/** How one server is connected to. */
export interface ConnectPlan {
  readonly server: ServerTransport;
  readonly hooks: ClientHooks;
  readonly protocol: VersionNegotiationMode;
  readonly limits: ConnectLimits;
  readonly clock: Clock;
}

/** Bounds of a connection. */
export interface ConnectLimits extends TransportLimits {
  /** From the start of a server to its answer to the handshake, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** Messages that answer nothing, in {@link FLOOD_WINDOW_MS}. */
  readonly maxUnasked: number;
}

/** What is told while a connection lives. */
export interface ConnectionEvents {
  /** The server says that its tools are others now. */
  readonly onToolsChanged: () => void;
  /** The connection is gone, for whatever reason. Once. */
  readonly onClosed: () => void;
  /** A message was too large or ambiguous, and the connection goes on without it. */
  readonly onRefused: (error: McpError) => void;
}

/** A client that is connected. */
export interface Connected {
  readonly client: Client;
  readonly opened: OpenedTransport;
  /** What the server asks the application, where there are hooks for that. */
  readonly questions: OpenQuestions | undefined;
  /** Sends a person to a page, where there is a hook for that. */
  readonly openPage: OpenPage | undefined;
  /** Why the connection was given up by this side, where it was. */
  readonly givenUp: () => McpError | undefined;
}

/** A connection that could not be made, with what is known of the server. */
export interface ConnectFailure {
  readonly error: unknown;
  readonly opened: Pick<OpenedTransport, 'epitaph'>;
  readonly givenUp: McpError | undefined;
}

/** The time over which unasked messages are counted. */
export const FLOOD_WINDOW_MS = 5_000;

const CLIENT = { name: 'toolgate', version: '0.1.0' } as const;
/** How long a server may be silent about the newest revision before an older one is spoken. */
const PROBE_MS = 5_000;

/**
 * Starts or reaches a server and shakes hands, within one deadline for each of the two eras of revisions that is tried,
 * and one more for older revisions.
 * Results are checked by contracts of our own, so that the SDK compiles no schema.
 *
 * @returns What is connected, or why nothing is. Nothing is left running then.
 */
export async function connectClient(
  plan: ConnectPlan,
  events: ConnectionEvents,
  signal: AbortSignal,
): Promise<
  | { readonly ok: true; readonly connected: Connected }
  | { readonly ok: false; readonly failure: ConnectFailure }
> {
  const first = await attempt(plan, plan.protocol, events, signal);
  if (first.ok || typeof plan.protocol === 'object' || signal.aborted) return first;
  // A server that dies of a question it does not know, or says nothing to it, is an old one.
  const isOld = plan.protocol === 'auto' && isNegotiation(first.failure.error, plan);
  const second = isOld ? await attempt(plan, 'legacy', events, signal) : first;
  if (second.ok || signal.aborted) return second;
  // One that refuses the offered revision, where it should have named its own, is offered what it knows.
  const revisions = olderRevisions(second.failure.error);
  return revisions === undefined ? second : attempt(plan, 'legacy', events, signal, revisions);
}

async function attempt(
  plan: ConnectPlan,
  mode: VersionNegotiationMode,
  events: ConnectionEvents,
  signal: AbortSignal,
  revisions?: string[],
): ReturnType<typeof connectClient> {
  const { server, hooks, limits, clock } = plan;
  const { connectTimeoutMs } = limits;
  let opened: OpenedTransport;
  const opening = openTransport(server, limits, clock, events.onRefused);
  try {
    opened = await within(connectTimeoutMs, clock, signal, () => opening);
  } catch (error) {
    ignoreThrown(error);
    // One that comes all the same is nobody's.
    opening.then(({ transport }) => closeTransport(transport), ignoreThrown);
    return { ok: false, failure: { error, opened: NEVER_OPENED, givenUp: undefined } };
  }
  let givenUp: McpError | undefined;
  let established = false;
  let parting: Promise<void> | undefined;
  const farewell = async (): Promise<void> => {
    parting ??= opened.farewell();
    await parting;
  };
  const transport = guardTransport(opened.transport, {
    maxUnasked: limits.maxUnasked,
    windowMs: FLOOD_WINDOW_MS,
    clock,
    onGiveUp: (error) => {
      givenUp = error;
    },
    // A server that refuses what comes behind its answer to the handshake has made a session all the same.
    beforeClose: async () => {
      if (!established) await farewell();
    },
  });
  const client = new Client(CLIENT, {
    capabilities: hookCapabilities(hooks),
    jsonSchemaValidator: NO_VALIDATION,
    versionNegotiation: { mode, probe: { timeoutMs: probeTimeout(limits) } },
    listChanged: CHANGES_BY_HAND,
    ...(revisions === undefined ? {} : { supportedProtocolVersions: revisions }),
  });
  const asked = installHooks(client, hooks);
  client.onclose = () => {
    if (established) events.onClosed();
  };
  try {
    await within(connectTimeoutMs, clock, signal, () =>
      client.connect(transport, { timeout: connectTimeoutMs }),
    );
    // Also for a server that does not announce what it sends.
    client.setNotificationHandler('notifications/tools/list_changed', () => events.onToolsChanged());
    established = true;
    return { ok: true, connected: { client, opened, ...asked, givenUp: () => givenUp } };
  } catch (error) {
    ignoreThrown(error);
    await farewell();
    await closeTransport(opened.transport);
    return { ok: false, failure: { error, opened, givenUp } };
  }
}

/** Of a transport that its application could not make. */
const NEVER_OPENED: Pick<OpenedTransport, 'epitaph'> = Object.freeze({
  epitaph: () => ({ end: undefined, fault: undefined, stderr: '' }),
});

/** The subscription is made by the SDK; what follows from a change is decided here. */
const CHANGES_BY_HAND: ListChangedHandlers = {
  tools: { autoRefresh: false, debounceMs: 0, onChanged: () => undefined },
};

const NO_VALIDATION: jsonSchemaValidator = {
  getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
};

function probeTimeout({ connectTimeoutMs }: ConnectLimits): number {
  return Math.min(PROBE_MS, Math.ceil(connectTimeoutMs / 2));
}

/** Whether the question for the newest revision failed, and nothing after it. */
function isNegotiation(error: unknown, { limits }: ConnectPlan): boolean {
  if (!(error instanceof SdkError)) return false;
  if (error.code === SdkErrorCode.EraNegotiationFailed) return true;
  const { code, data } = error;
  if (code !== SdkErrorCode.RequestTimeout || typeof data !== 'object' || data === null) return false;
  return Reflect.get(data, 'timeout') === probeTimeout(limits);
}

/** Waits for work, but no longer than a deadline, and not after a signal. The work itself is ended by its caller. */
async function within<Value>(
  ms: number,
  clock: Clock,
  signal: AbortSignal,
  work: () => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const over = new Promise<never>((_resolve, reject) => {
    const timer = clock.setTimer(
      () => reject(new SdkError(SdkErrorCode.RequestTimeout, `No handshake within ${ms} ms`)),
      ms,
    );
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      clock.clearTimer(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  const running = work();
  running.catch(ignoreThrown);
  try {
    return await Promise.race([running, over]);
  } finally {
    stop();
  }
}
