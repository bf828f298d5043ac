import { PassThrough } from 'node:stream';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGate, defineTool, type Gate, type GateConfig, type Tool, ToolError } from '@toolgate/core';
import { onTestFinished } from 'vitest';
import type { HttpListening } from '../src/serve/http/listen-http.ts';
import type { Authenticate } from '../src/serve/identity.ts';
import { type McpService, serveMcp } from '../src/serve/serve-mcp.ts';
import type { ServeOptions } from '../src/serve/serve-options.ts';

/** What the tools of the fixture get. */
export interface Caller {
  readonly admin: boolean;
}

/** The two generations of the protocol, as a client asks for them. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** Lets a client in that names itself: `Bearer alice`. */
export const byBearer: Authenticate<Caller> = ({ headers }) => {
  const [, principal] = /^Bearer (\w+)$/.exec(headers.get('authorization') ?? '') ?? [];
  return principal === undefined
    ? { kind: 'refused' }
    : { kind: 'accepted', principal, context: { admin: principal === 'admin' } };
};

/** Adds two numbers; says its result in a structure, too. */
export const add: Tool<Caller> = defineTool({
  name: 'add',
  title: 'Addition',
  description: 'Adds two numbers.',
  profile: { class: 'read' },
  input: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] },
  execute: ({ a, b }: { a: number; b: number }) => ({ sum: a + b }),
});

/** Says who calls. */
export const whoami: Tool<Caller> = defineTool({
  name: 'whoami',
  description: 'Says who calls.',
  profile: { class: 'read' },
  input: { type: 'object' },
  execute: (_input, { context }) => (context.admin ? 'an admin' : 'somebody'),
});

/** For admins only. */
export const restart: Tool<Caller> = {
  ...defineTool({
    name: 'restart',
    description: 'Restarts a service.',
    profile: { class: 'write' },
    input: { type: 'object' },
    execute: () => 'restarted',
  }),
  available: (caller) => caller.admin,
};

/** Fails in the way that it is told. */
export const fail: Tool<Caller> = defineTool({
  name: 'fail',
  description: 'Fails.',
  profile: { class: 'read' },
  input: { type: 'object', properties: { how: { type: 'string' } } },
  execute: ({ how }: { how?: string }) => {
    throw how === 'public'
      ? new ToolError('No such city.')
      : new Error('connect ECONNREFUSED db.internal:5432');
  },
});

/** What most tests serve. */
export const FIXTURE_TOOLS: readonly Tool<Caller>[] = [add, whoami, restart, fail];

/** A gate over these tools, which closes soon. */
export function gateOf(
  tools: readonly Tool<Caller>[] = FIXTURE_TOOLS,
  config: Partial<GateConfig<Caller>> = {},
): Gate<Caller> {
  return createGate<Caller>({ tools, graceMs: 50, ...config });
}

/** A served gate, with whatever a test opens on it. */
export interface Served {
  readonly service: McpService<Caller>;
  /** Connects the official client over HTTP. */
  readonly connect: (principal: string, revision: Revision, options?: ClientOptions) => Promise<Client>;
  /** Connects the official client's protocol end over a pipe; see `pipe`. */
  readonly listening: HttpListening;
  /** Sends one request as it is. */
  readonly post: (body: string, headers?: Record<string, string>) => Promise<Response>;
}

/** Serves a gate on a free port of this machine until the test is over. */
export async function serveFixture(
  gate: Gate<Caller> = gateOf(),
  options: ServeOptions<Caller> = {},
): Promise<Served> {
  const service = serveMcp(gate, { authenticate: byBearer, ...options });
  const listening = await service.listen();
  const clients: Client[] = [];
  // Clients first, then the service.
  onTestFinished(async () => {
    await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
    await service.close();
  });
  return {
    service,
    listening,
    connect: async (principal, revision, clientOptions = {}) => {
      const client = new Client(
        { name: 'test', version: '1' },
        {
          ...clientOptions,
          versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } },
        },
      );
      clients.push(client);
      const requestInit = { headers: { authorization: `Bearer ${principal}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(listening.url), { requestInit }));
      return client;
    },
    post: (body, headers = {}) =>
      fetch(listening.url, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: 'Bearer alice',
          ...headers,
        },
      }),
  };
}

/** One client on a pipe, line by line. */
export interface Pipe {
  /** Writes as it is. */
  readonly write: (text: string) => void;
  /** The next message that comes out. */
  readonly next: () => Promise<Record<string, unknown>>;
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Serves a gate on a pipe inside this process. */
export function servePipeFixture(service: McpService<Caller>, principal = 'alice'): Pipe {
  const input = new PassThrough();
  const output = new PassThrough();
  const { closed, close } = service.stdio({ principal, context: { admin: false } }, { input, output });
  const lines = linesOf(output);
  return {
    write: (text) => void input.write(text),
    next: async () => {
      const { value } = await lines.next();
      if (value === undefined) throw new Error('The pipe has ended.');
      return JSON.parse(value) as Record<string, unknown>;
    },
    input,
    output,
    closed,
    close,
  };
}

async function* linesOf(stream: PassThrough): AsyncGenerator<string, undefined, void> {
  let rest = '';
  for await (const piece of stream) {
    rest += String(piece);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield rest.slice(0, end);
      rest = rest.slice(end + 1);
    }
  }
  return undefined;
}

/** The opening of a session on the wire, for raw clients. */
export const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});
