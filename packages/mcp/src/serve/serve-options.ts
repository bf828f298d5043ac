import { type ApprovalRequest, type Clock, ignoreThrown, systemClock } from '@toolgate/core';
import { McpError } from '../mcp-error.ts';
import { type ApprovalDesk, createApprovalDesk } from './approval-desk.ts';
import type { Authenticate } from './identity.ts';
import type { ServeExtension } from './serve-extension.ts';

/** What a server says about itself (MCP, Implementation). */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** How a client is asked about a call that waits for a decision. */
export interface ApprovalPrompt {
  /**
   * `form`: the person at the client decides. Only for clients whose person may: a client that is itself the agent
   * would approve its own calls. `url`: the person is sent to a page of the application, which decides at the desk.
   */
  readonly kind: 'form' | 'url';
  /** For `url`: the page about one call. */
  readonly url?: (request: ApprovalRequest) => string;
}

/** Bounds of a server. Each has a default, and holds for every client. */
export interface ServeLimits {
  /** Bytes of one message. Default 4,194,304. */
  readonly maxMessageBytes?: number;
  /** Open brackets in one message. Default 72: what a contract takes, and the message around it. */
  readonly maxMessageDepth?: number;
  /** How long a body may take to arrive, in milliseconds. Default 30,000. */
  readonly bodyTimeoutMs?: number;
  /** Tools on one page of a list. Default 100. */
  readonly pageSize?: number;
  /** Calls of one principal that have no answer yet. Default 64. */
  readonly maxCalls?: number;
  /** Sessions (revisions before 2026-07-28) at the same time. Default 1,000. */
  readonly maxSessions?: number;
  /** Of one principal; the one that was idle longest makes room. Default 32. */
  readonly maxSessionsPerPrincipal?: number;
  /** Streams of notices over HTTP (revision 2026-07-28) at the same time. Default 1,000. */
  readonly maxSubscriptions?: number;
  /** Of one principal. Default 32. */
  readonly maxSubscriptionsPerPrincipal?: number;
  /** How long a session may be idle, in milliseconds. Default 1,800,000. */
  readonly sessionIdleMs?: number;
  /** Bytes that may wait for a slow client on one stream; beyond them the stream ends. Default 1,048,576. */
  readonly maxWaitingBytes?: number;
  /** Interval of the comments that keep a silent stream open, in milliseconds. Default 15,000; 0 sends none. */
  readonly keepAliveMs?: number;
  /**
   * How long calls of a pipe may still be answered when its input has ended, in milliseconds. Default 2,000, as long as
   * clients wait for a server that they close; 0 answers none.
   */
  readonly drainMs?: number;
}

/** Settings of a server. Read once and copied. */
export interface ServeOptions<Context = unknown> {
  /** Establishes who sends an HTTP request. Without it there is no HTTP: absence of a rule is no permission. */
  readonly authenticate?: Authenticate<Context>;
  /** Default: `toolgate`, and the version of this package. */
  readonly serverInfo?: ServerInfo;
  /** How to use the tools, for the model of the client. */
  readonly instructions?: string;
  /** Host names under which the server is reached over HTTP, without ports. Default: `localhost` and the loopback addresses. */
  readonly allowedHosts?: readonly string[];
  /**
   * Host names of pages that may talk to it from a browser. Those that are written here may also read the answers from
   * another origin (CORS). Default: the same as the default of the hosts, and no page of another origin reads anything.
   */
  readonly allowedOrigins?: readonly string[];
  /** Where suspended calls wait. Default: in memory. */
  readonly desk?: ApprovalDesk;
  /** Default: the client is told the id of the approval, in a text. */
  readonly approvalPrompt?: ApprovalPrompt;
  /** What is served beside the tools. */
  readonly extensions?: readonly ServeExtension<Context>[];
  readonly limits?: ServeLimits;
  /** Told about what went wrong; nothing of it goes to a client. What it throws is dropped. */
  readonly onError?: (error: unknown) => void;
  /** Default: the platform's. */
  readonly clock?: Clock;
}

/** Options after the door. */
export interface ServeSettings<Context> {
  readonly authenticate: Authenticate<Context> | undefined;
  readonly serverInfo: ServerInfo;
  readonly instructions: string | undefined;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Of them, those that may read answers from another origin. */
  readonly pages: readonly string[];
  /** Whether nothing but loopback names is allowed. */
  readonly loopbackOnly: boolean;
  readonly desk: ApprovalDesk;
  readonly approvalPrompt: ApprovalPrompt | undefined;
  readonly extensions: readonly ServeExtension<Context>[];
  readonly limits: Required<ServeLimits>;
  readonly report: (error: unknown) => void;
  readonly clock: Clock;
}

const LOOPBACK: readonly string[] = Object.freeze(['localhost', '127.0.0.1', '[::1]']);

const DEFAULT_LIMITS: Required<ServeLimits> = Object.freeze({
  maxMessageBytes: 4_194_304,
  maxMessageDepth: 72,
  bodyTimeoutMs: 30_000,
  pageSize: 100,
  maxCalls: 64,
  maxSessions: 1_000,
  maxSessionsPerPrincipal: 32,
  maxSubscriptions: 1_000,
  maxSubscriptionsPerPrincipal: 32,
  sessionIdleMs: 1_800_000,
  maxWaitingBytes: 1_048_576,
  keepAliveMs: 15_000,
  drainMs: 2_000,
});

const FIELDS: ReadonlySet<string> = new Set([
  'authenticate',
  'serverInfo',
  'instructions',
  'allowedHosts',
  'allowedOrigins',
  'desk',
  'approvalPrompt',
  'extensions',
  'limits',
  'onError',
  'clock',
]);

/** @throws {@link McpError} `mcp/serve-options-invalid`. */
export function readServeOptions<Context>(options: ServeOptions<Context>): ServeSettings<Context> {
  if (typeof options !== 'object' || options === null) refuse('The options of a server are an object.');
  const unknown = Object.keys(options).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) refuse(`A server has no such option; it takes ${[...FIELDS].join(', ')}.`);
  const { authenticate, instructions, approvalPrompt, onError, clock = systemClock } = options;
  if (authenticate !== undefined && typeof authenticate !== 'function') refuse('authenticate is a function.');
  if (instructions !== undefined && typeof instructions !== 'string') refuse('instructions is a text.');
  if (onError !== undefined && typeof onError !== 'function') refuse('onError is a function.');
  const allowedHosts = readNames('allowedHosts', options.allowedHosts);
  return Object.freeze({
    authenticate,
    serverInfo: readServerInfo(options.serverInfo),
    instructions,
    allowedHosts,
    allowedOrigins: readNames('allowedOrigins', options.allowedOrigins),
    pages: options.allowedOrigins === undefined ? [] : readNames('allowedOrigins', options.allowedOrigins),
    loopbackOnly: allowedHosts.every((name) => LOOPBACK.includes(name)),
    desk: options.desk ?? createApprovalDesk({ clock }),
    approvalPrompt: approvalPrompt === undefined ? undefined : readPrompt(approvalPrompt),
    extensions: readExtensions(options.extensions),
    limits: readLimits(options.limits),
    report: (error: unknown) => {
      ignoreThrown(error);
      try {
        // Its answer is a promise where the listener is an async function.
        ignoreThrown(onError?.(error));
      } catch (thrown) {
        ignoreThrown(thrown);
        // The listener's own affair: a client must not notice it.
      }
    },
    clock,
  });
}

function readServerInfo(info: ServerInfo = { name: 'toolgate', version: '0.1.0' }): ServerInfo {
  const { name, version, title } = info;
  if (typeof name !== 'string' || name === '' || typeof version !== 'string' || version === '') {
    refuse('serverInfo has a name and a version.');
  }
  return Object.freeze({ name, version, ...(title === undefined ? {} : { title }) });
}

function readNames(field: string, names: readonly string[] = LOOPBACK): readonly string[] {
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string' || name === '')) {
    refuse(`${field} is a list of host names.`);
  }
  return Object.freeze([...names]);
}

function readPrompt({ kind, url }: ApprovalPrompt): ApprovalPrompt {
  if (kind === 'form' && url === undefined) return Object.freeze({ kind });
  if (kind === 'url' && typeof url === 'function') return Object.freeze({ kind, url });
  return refuse("approvalPrompt is { kind: 'form' } or { kind: 'url', url }.");
}

function readExtensions<Context>(
  extensions: readonly ServeExtension<Context>[] = [],
): readonly ServeExtension<Context>[] {
  if (!Array.isArray(extensions) || extensions.some(({ register }) => typeof register !== 'function')) {
    refuse('extensions is a list of { capabilities, register }.');
  }
  return Object.freeze([...extensions]);
}

function readLimits(limits: ServeLimits = {}): Required<ServeLimits> {
  const read = { ...DEFAULT_LIMITS };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) refuse('limits has no such field.');
    const least = name === 'keepAliveMs' || name === 'drainMs' ? 0 : 1;
    if (!Number.isSafeInteger(value) || value < least)
      refuse(`limits.${name} is a whole number from ${least} on.`);
    Object.assign(read, { [name]: value });
  }
  return Object.freeze(read);
}

function refuse(message: string): never {
  throw new McpError('mcp/serve-options-invalid', message);
}
