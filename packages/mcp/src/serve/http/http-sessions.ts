import {
  isInitializeRequest,
  Server,
  type WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '@toolgate/core';
import { McpError } from '../../mcp-error.ts';
import { Connection } from '../connection.ts';
import type { Identity } from '../identity.ts';
import { mcpServer } from '../mcp-server.ts';
import { carryIdentity } from '../request-identity.ts';
import type { ServiceCore } from '../service-core.ts';
import { boundedBody } from './bounded-body.ts';
import { IdleList } from './idle-list.ts';
import { CODES, refusal } from './refusal.ts';
import { type SessionTransport, sessionTransport } from './session-transport.ts';
import { takeMessage } from './take-message.ts';

/** A session of a revision that has sessions (up to 2025-11-25): one client, one transport, one principal. */
interface HttpSession<Context> extends SessionTransport {
  readonly connection: Connection<Context>;
  streams: number;
}

const NOT_FOUND = (): Response => refusal(404, CODES.session, 'Session not found');

const NO_HANDSHAKE =
  'Invalid params: initialize needs protocolVersion, capabilities, and clientInfo with a name and a version';

/** The sessions of one server. A session id is worth nothing to anybody but the principal that opened it. */
export class HttpSessions<Context> {
  readonly #core: ServiceCore<Context>;
  readonly #sessions: IdleList<HttpSession<Context>>;

  constructor(core: ServiceCore<Context>) {
    this.#core = core;
    const { clock, limits } = core.settings;
    this.#sessions = new IdleList({
      clock,
      idleMs: limits.sessionIdleMs,
      isBusy: ({ ids, streams }) => ids.size > 0 || streams > 0,
      onExpire: (session) => void this.#end(session),
    });
  }

  /** How many sessions there are. */
  get size(): number {
    return this.#sessions.size;
  }

  /** @param message - What was posted; `undefined` for a GET or DELETE. */
  async handle(
    request: Request,
    message: JsonObject | undefined,
    identity: Identity<Context>,
  ): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request, message, identity);
    const session = this.#sessions.get(id);
    if (session === undefined || session.connection.identity.principal !== identity.principal) {
      // Clients whose session is gone begin a new one, and some of them still send the id of the old one along.
      return message?.['method'] === 'initialize' ? this.#begin(request, message, identity) : NOT_FOUND();
    }
    this.#sessions.touch(id);
    return this.#pass(session, request, message, identity);
  }

  /** Ends every session. */
  async close(): Promise<void> {
    await Promise.all(this.#sessions.clear().map((session) => this.#end(session)));
  }

  async #begin(
    request: Request,
    message: JsonObject | undefined,
    identity: Identity<Context>,
  ): Promise<Response> {
    if (message === undefined || !isInitializeRequest(message)) {
      if (message?.['method'] === 'initialize') return refusal(400, CODES.params, NO_HANDSHAKE);
      return refusal(400, CODES.server, 'Bad Request: Mcp-Session-Id header is required');
    }
    if (!this.#makeRoom(identity.principal)) {
      return refusal(503, CODES.server, 'Too many sessions', { 'retry-after': '60' });
    }
    const connection = new Connection(this.#core, identity);
    const { serverInfo, limits } = this.#core.settings;
    const { server } = mcpServer(connection, (options) => ({ server: new Server(serverInfo, options) }));
    const { keepAliveMs } = limits;
    const made = sessionTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      keepAliveMs,
      onsessioninitialized: (id) => this.#sessions.add(id, session),
    });
    const { transport } = made;
    const session: HttpSession<Context> = { ...made, connection, streams: 0 };
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#sessions.remove(transport.sessionId);
      void connection.close();
    };
    connection.onListChange = () => void server.sendToolListChanged().catch(this.#core.settings.report);
    await server.connect(transport);
    const response = await this.#pass(session, request, message, identity);
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  async #pass(
    session: HttpSession<Context>,
    request: Request,
    message: JsonObject | undefined,
    identity: Identity<Context>,
  ): Promise<Response> {
    const { ids, transport } = session;
    const { report, limits } = this.#core.settings;
    const { taken, own, cancelled } = takeMessage(message, ids);
    if (cancelled === 'several') {
      report(
        new McpError('mcp/cancel-ambiguous', 'Several requests in flight have the id that is cancelled.'),
      );
    }
    // The client reads the new stream; whether the old one still leads to it, nobody knows who sits behind a proxy.
    if (request.method === 'GET') transport.closeStandaloneSSEStream();
    session.streams += 1;
    const response = await transport.handleRequest(
      request,
      taken === undefined ? {} : { parsedBody: taken, authInfo: carryIdentity(identity) },
    );
    // Who cancels waits no more, and no answer comes that would end the stream.
    if (typeof cancelled === 'number' && response.ok) transport.closeSSEStream(cancelled);
    return boundedBody(response, {
      maxWaitingBytes: limits.maxWaitingBytes,
      onEnd: (complete) => {
        session.streams -= 1;
        if (own !== undefined) {
          // Nobody is left to take the answer: the call is no longer wanted.
          if (!complete) cancelRequest(transport, own);
          session.end(own);
        }
        if (transport.sessionId !== undefined) this.#sessions.touch(transport.sessionId);
      },
    });
  }

  #makeRoom(principal: string): boolean {
    const { maxSessions, maxSessionsPerPrincipal } = this.#core.settings.limits;
    const own = this.#sessions.filter(({ connection }) => connection.identity.principal === principal);
    if (own.length >= maxSessionsPerPrincipal) {
      const idle = own.find(({ value }) => value.ids.size === 0 && value.streams === 0);
      if (idle === undefined) return false;
      this.#sessions.remove(idle.id);
      void this.#end(idle.value);
    }
    return this.#sessions.size < maxSessions;
  }

  async #end({ transport, connection }: HttpSession<Context>): Promise<void> {
    await transport.close();
    await connection.close();
  }
}

/** Tells the protocol end of a session what the client would have said, had it not just gone. */
function cancelRequest(transport: WebStandardStreamableHTTPServerTransport, requestId: number): void {
  transport.onmessage?.({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'The client is gone.' },
  });
}
