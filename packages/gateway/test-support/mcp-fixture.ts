import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createGate, defineTool, type Gate, type Tool } from '@toolgate/core';
import { serveMcp } from '@toolgate/mcp';
import { onTestFinished } from 'vitest';
import type { StorageConfig } from '../src/config/gateway-config.ts';
import type { McpConfig, McpServerConfig } from '../src/config/mcp-config.ts';
import type { Grants } from '../src/ports/principal.ts';
import { CLIENT_KEY, type GatewaySetup, startGateway, type TestGateway } from './gateway-fixture.ts';

/** The two generations of the protocol, as a client asks for them. */
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

/** A real MCP server over HTTP, somewhere behind the gateway. Close it. */
export interface BackServer {
  readonly url: string;
  /** What its tool `pay` was called with. */
  readonly paid: readonly unknown[];
  /** Serves other tools from now on. */
  offer(...tools: readonly Tool[]): void;
  close(): Promise<void>;
}

/** A tool that says something. */
export function sayTool(name: string, text = name): Tool {
  return defineTool({ name, description: `Says ${text}.`, input: { type: 'object' }, execute: () => text });
}

/**
 * Starts a server with the tools `read` and `pay`.
 *
 * @param port - Default: a free one.
 */
export async function startBackServer(port = 0): Promise<BackServer> {
  const paid: unknown[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: {
      type: 'object',
      properties: { amount: { type: 'integer' }, note: { type: 'string' } },
      required: ['amount'],
      additionalProperties: false,
    },
    execute: (input) => {
      paid.push(input);
      return 'paid';
    },
  });
  const gateOf = (...tools: readonly Tool[]): Gate => createGate({ tools });
  const service = serveMcp(gateOf(sayTool('read'), pay), {
    authenticate: () => ({ kind: 'accepted', principal: 'gateway', context: undefined }),
  });
  const { url } = await service.listen({ port });
  return {
    url,
    paid,
    offer: (...tools) => service.replaceGate(gateOf(...tools)),
    close: () => service.close(),
  };
}

/** A server of the configuration that is reached over HTTP. */
export function serverConfig(
  name: string,
  url: string,
  more: Partial<McpServerConfig> = {},
): readonly [string, McpServerConfig] {
  const server: McpServerConfig = {
    name,
    transport: { kind: 'http', url: new URL(url), headers: new Map() },
    classes: [{ tool: 'read*', class: 'read' }],
    timeoutMs: 10_000,
    approvalThreshold: undefined,
    ...more,
  };
  return [name, server];
}

/** Connects the official client to an address of the gateway. Close it. */
export async function connectMcp(
  url: string,
  revision: Revision = '2025-11-25',
  key: string = CLIENT_KEY,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** The text of a result. */
export function resultText({ content }: { readonly content: readonly unknown[] }): string {
  const [block] = content;
  return typeof block === 'object' && block !== null && 'text' in block ? String(block.text) : '';
}

const OFF: McpConfig['lock'] = { mode: 'off', path: '' };

/** The part of a configuration about MCP servers; without a lock unless the test says otherwise. */
export const mcpOf = (servers: McpConfig['servers'], lock: McpConfig['lock'] = OFF): McpConfig => ({
  servers,
  lock,
});

/** A server that lives as long as the test. */
export async function backServer(): Promise<BackServer> {
  const server = await startBackServer();
  onTestFinished(() => server.close());
  return server;
}

/** A gateway that lives as long as the test. */
export async function mcpGateway(setup: GatewaySetup): Promise<TestGateway> {
  const gateway = await startGateway(setup);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** What a test wants to be different. */
export interface BankSetup {
  readonly server?: Partial<McpServerConfig>;
  readonly grants?: Partial<Grants>;
  readonly options?: NonNullable<GatewaySetup['options']>;
  readonly storage?: StorageConfig;
}

/** A gateway with one mounted server, `bank`, and how it was set up. */
export async function withBank({ grants, options = {}, server, storage }: BankSetup = {}): Promise<{
  readonly bank: BackServer;
  readonly gateway: TestGateway;
  readonly setup: GatewaySetup;
}> {
  const bank = await backServer();
  const setup: GatewaySetup = {
    providers: {},
    grants: { servers: 'all', ...grants },
    config: {
      mcp: mcpOf(new Map([serverConfig('bank', bank.url, server)])),
      ...(storage === undefined ? {} : { storage }),
    },
    options,
  };
  return { bank, gateway: await mcpGateway(setup), setup };
}

/** The official client, connected to a gateway until the test is over. */
export async function connect(
  { url }: TestGateway,
  path = '/mcp',
  revision: Revision = '2025-11-25',
): Promise<Client> {
  const client = await connectMcp(`${url}${path}`, revision);
  onTestFinished(() => client.close().catch(() => undefined));
  return client;
}

/** Names of the tools that a client sees. */
export const toolNames = async (client: Client): Promise<readonly string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

/** The id of the approval that a result names; empty when it names none. */
export function approvalId(result: Parameters<typeof resultText>[0]): string {
  return /\(approval ([\w-]+)\)/.exec(resultText(result))?.[1] ?? '';
}
