import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { endWithoutKey } from '../http/end-without-key.ts';
import { sendRefusal } from '../http/http-server.ts';
import { addKeyGuard, guardedOf, type KeyGuardOptions, type KeyHolder } from '../http/key-guard.ts';
import { refuse } from '../http/refusal.ts';
import { refuseEncodings } from '../http/refuse-encodings.ts';
import { createCallRecord } from '../llm/call-record.ts';
import type { RequestWatch } from '../observe/request-watch.ts';
import { type Access, type Principal, permits } from '../ports/principal.ts';
import type { TrafficEntry } from '../ports/traffic-log.ts';
import type { McpExchange } from './mcp-exchange.ts';
import type { McpSurface } from './mcp-surface.ts';
import { sessionPrincipal } from './session-identity.ts';

/** The part of a generation that the MCP surface needs. */
export interface McpContent extends KeyHolder {
  readonly settings: { readonly contents: boolean; readonly auditAllowed: boolean };
}

/** What the addresses of the MCP surface need. */
export interface McpRoutesOptions extends KeyGuardOptions<McpContent> {
  readonly surface: McpSurface;
  readonly clock: Clock;
  readonly watch: RequestWatch;
  /** Takes each request when it is over. */
  readonly onTraffic: (entry: TrafficEntry) => void;
  /** Responses that do not end by themselves; they enter and leave it. */
  readonly endless: Set<ServerResponse>;
}

/** A status that is not sent: the client was gone. */
const CLIENT_GONE = 499;
/** Of the route label, for all servers of a key. */
const ALL_SERVERS = 'mcp';

/**
 * Adds `/mcp`, with all servers that the key may use, and `/mcp/{server}`. What is not there and what the key may not
 * use get the same answer.
 */
export async function registerMcpRoutes(app: FastifyInstance, options: McpRoutesOptions): Promise<void> {
  const { surface } = options;
  await app.register(async (scope) => {
    refuseEncodings(scope);
    addKeyGuard(scope, options);
    // The body is left to who serves it, with bounds and a strict reader of its own.
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    const config = { refusalShape: 'gateway', guardHost: true } as const;
    const all = (request: FastifyRequest, reply: FastifyReply): void => {
      const { servers } = guardedOf(request).principal;
      if (servers !== 'all' && servers.length === 0) sendRefusal(request, reply, refuse('not_found'));
      else serve(request, reply, servers, ALL_SERVERS, options);
    };
    const one = (request: FastifyRequest, reply: FastifyReply): void => {
      const { server } = request.params as { readonly server: string };
      const { principal } = guardedOf(request);
      if (!surface.has(server) || !permits(principal.servers, server))
        sendRefusal(request, reply, refuse('not_found'));
      else serve(request, reply, [server], server, options);
    };
    const method = ['GET', 'POST', 'DELETE'];
    // A GET waits for news.
    const exposeHeadRoute = false;
    // Some clients add a slash to whatever address they are given.
    for (const slash of ['', '/']) {
      scope.route({ method, url: `/mcp${slash}`, config, exposeHeadRoute, handler: all });
      scope.route({ method, url: `/mcp/:server${slash}`, config, exposeHeadRoute, handler: one });
    }
  });
}

function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  servers: Access,
  route: string,
  { clock, endless, lease, onTraffic, surface, watch }: McpRoutesOptions,
): void {
  const { generation, leave, principal } = guardedOf<McpContent>(request);
  const { auditAllowed, contents } = generation.content.settings;
  const { headers, id, method, raw } = request;
  const response = reply.raw;
  const written = raw.socket.bytesWritten;
  const record = createCallRecord({
    requestId: id,
    surface: 'mcp',
    principal,
    generation: generation.number,
    requestBytes: Number(headers['content-length'] ?? 0) || 0,
    at: clock.now(),
    elapsed: clock.elapsed ?? clock.now,
  });
  record.route = route;
  watch.started({
    surface: 'mcp',
    id,
    method,
    path: route === ALL_SERVERS ? '/mcp' : '/mcp/{server}',
    traceParent: typeof headers['traceparent'] === 'string' ? headers['traceparent'] : undefined,
  });
  response.once('close', () => {
    const status = response.headersSent && response.writableEnded ? response.statusCode : CLIENT_GONE;
    endless.delete(response);
    onTraffic(record.finish(status, Math.max(0, raw.socket.bytesWritten - written)));
  });
  // It waits for news of the server: neither a place among the requests in flight nor a configuration is kept for it.
  if (method === 'GET') {
    endless.add(response);
    leave();
    const session = sessionPrincipal(principal);
    endWithoutKey(headers, response, { clock, lease, may: (now) => sessionPrincipal(now) === session });
  }
  reply.hijack();
  response.setHeader('x-request-id', id);
  // Both were checked at the door, by rules that the served side does not know.
  raw.headers.host = 'localhost';
  delete raw.headers.origin;
  surface.handle(
    raw,
    response,
    servers,
    exchangeOf(principal, id, { auditAllowed, contents }, () => {
      record.calls += 1;
    }),
  );
}

function exchangeOf(
  principal: Principal,
  requestId: string,
  settings: McpContent['settings'],
  onCall: () => void,
): McpExchange {
  return { principal, requestId, ...settings, onCall, approval: undefined };
}
