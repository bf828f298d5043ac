import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpServer } from '../src/client/server-transport.ts';

/** One request as it came in. */
export interface HttpRequest {
  readonly method: string;
  /** The method of the message, where there is one. */
  readonly rpc: string;
  readonly id: unknown;
  readonly session: string | undefined;
  /** The revision that a handshake offers. */
  readonly offered: unknown;
  readonly headers: IncomingMessage['headers'];
}

/** Answers a request itself and returns `true`, or leaves it to the fixture. */
export type Intercept = (request: HttpRequest, response: ServerResponse) => boolean | Promise<boolean>;

/** A server over streamable HTTP (revision 2025-11-25) with sessions, which a test can make misbehave. */
export interface ScriptedHttp {
  readonly url: string;
  readonly transport: HttpServer;
  /** All requests, in order. */
  readonly requests: readonly HttpRequest[];
  intercept: Intercept | undefined;
  tools: readonly unknown[];
  /** Forgets all sessions, as a restart does. */
  readonly forget: () => void;
  readonly of: (rpc: string) => readonly HttpRequest[];
  readonly close: () => Promise<void>;
}

/** Answers with a JSON body. */
export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
  return true;
}

/** Starts a server on a free port of this machine until the test is over. */
export async function scriptedHttp(tools: readonly unknown[]): Promise<ScriptedHttp> {
  const requests: HttpRequest[] = [];
  const sessions = new Set<string>();
  let made = 0;

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const message = await readMessage(incoming);
    const session = incoming.headers['mcp-session-id'];
    const request: HttpRequest = {
      method: incoming.method ?? '',
      rpc: typeof message?.['method'] === 'string' ? message['method'] : '',
      id: message?.['id'],
      offered: Reflect.get(Object(message?.['params']), 'protocolVersion'),
      session: typeof session === 'string' ? session : undefined,
      headers: incoming.headers,
    };
    requests.push(request);
    if ((await fixture.intercept?.(request, response)) === true) return;
    reply(request, response);
  };

  const reply = (request: HttpRequest, response: ServerResponse): void => {
    const { method, rpc, id, session, offered } = request;
    if (method === 'GET') return void response.writeHead(405).end();
    if (method === 'DELETE') return void response.writeHead(200).end();
    if (rpc === 'initialize') {
      made += 1;
      sessions.add(`s${made}`);
      const serverInfo = { name: 'http', version: '1' };
      const capabilities = { tools: { listChanged: true } };
      const result = { protocolVersion: offered, capabilities, serverInfo };
      json(response, 200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': `s${made}` });
      return;
    }
    if (session === undefined || !sessions.has(session)) {
      json(response, session === undefined ? 400 : 404, {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32001, message: 'x' },
      });
      return;
    }
    if (id === undefined) return void response.writeHead(202).end();
    const result =
      rpc === 'tools/list' ? { tools: fixture.tools } : { content: [{ type: 'text', text: 'done' }] };
    json(response, 200, { jsonrpc: '2.0', id, result });
  };

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const fixture: ScriptedHttp = {
    url,
    transport: { kind: 'http', url },
    requests,
    intercept: undefined,
    tools,
    forget: () => sessions.clear(),
    of: (rpc) => requests.filter((request) => request.rpc === rpc),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  onTestFinished(() => fixture.close());
  return fixture;
}

async function readMessage(incoming: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  let text = '';
  for await (const piece of incoming) text += String(piece);
  return text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>);
}
