import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '@toolgate/core';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { decodableUrl } from './decodable-url.ts';
import { type DoorAnswer, noteRefusal, watchDoor } from './door.ts';
import { type HostRules, refuseOtherTarget, refuseRepeated } from './host-rules.ts';
import { createKnownPaths } from './known-paths.ts';
import { isPreflight, letPageRead, preflightHeaders } from './page-access.ts';
import { createQueueWatch } from './queued-responses.ts';
import { type Refusal, type RefusalCode, refuse } from './refusal.ts';
import { type RefusalShape, refusalBody } from './refusal-body.ts';
import { watchSilent } from './silent-connections.ts';
import { UNPACK_BROKEN, UNPACK_TOO_LARGE } from './unpack-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** In which shape refusals of this route are written. Default: that of its address. */
    readonly refusalShape?: RefusalShape;
    /** Whether `Host` and `Origin` are checked although the gateway is not on loopback. */
    readonly guardHost?: boolean;
  }
}

/** What an HTTP server of the gateway is made of. */
export interface HttpServerOptions {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** From the first byte of a request until it is complete. */
  readonly requestMs: number;
  readonly hostRules: HostRules;
  /** Learns of what must not happen: an error without a refusal. */
  readonly onDefect: (error: unknown) => void;
  /** Learns of answers that no route tells of by itself. */
  readonly onDoorAnswer: (answer: DoorAnswer) => void;
}

/** The HTTP server, with everything that all addresses have in common. */
export interface HttpServer {
  /** For routes and hooks, before it listens. */
  readonly app: FastifyInstance;
  /** @returns The port. */
  listen(host: string, port: number): Promise<number>;
  readonly draining: boolean;
  /**
   * Takes no more requests, lets those in flight end, and after `graceMs` calls `onForce` and breaks what is left.
   */
  close(graceMs: number, onForce: () => void): Promise<void>;
}

/** Makes a server that does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { clock, hostRules, onDefect, requestMs } = options;
  let draining = false;
  const app = Fastify({
    bodyLimit: options.bodyBytes,
    requestTimeout: requestMs,
    // Above the idle times of clients and load balancers, so that they close first.
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: options.newId,
    // Without these, compilers of schemas are loaded, a dozen megabytes that no route of ours uses.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    // Nothing comes close: what is longer would be answered by the router, past every check of ours.
    routerOptions: { maxParamLength: options.headerBytes },
    http: {
      headersTimeout: Math.min(requestMs, 60_000),
      maxHeaderSize: options.headerBytes,
      connectionsCheckingInterval: Math.max(50, Math.min(5_000, Math.ceil(requestMs / 4))),
    },
    clientErrorHandler: (error, socket) => refuseBroken(error, socket),
  });
  const closeSilent = watchSilent(app.server);
  // Their bytes are bounded. What is beyond a count would be left out without a word, and be read by whoever stands between.
  app.server.maxHeadersCount = 0;
  // A body is taken as bytes by those who say so, and by nobody else.
  app.removeAllContentTypeParsers();

  const watchQueued = createQueueWatch();
  app.addHook('onRequest', (request, reply, done) => {
    watchQueued(reply.raw, request.raw.socket);
    reply.header('x-request-id', request.id);
    const { origin } = request.headers;
    const isPage = origin !== undefined && hostRules.allowsPage(origin);
    // Before anything is refused: a page is told why as well.
    if (isPage) letPageRead(reply.raw, origin);
    const guard = hostRules.everywhere || request.routeOptions.config.guardHost === true;
    const refusal =
      refuseRepeated(request.raw.rawHeaders) ??
      refuseOtherTarget(request.url, request.headers.host) ??
      (guard ? hostRules.check(request.headers) : undefined);
    if (refusal !== undefined) sendRefusal(request, reply, refusal);
    else if (draining) sendRefusal(request, reply.header('connection', 'close'), refuse('draining'));
    else done();
  });
  watchDoor(app, options.onDoorAnswer);
  app.addHook('onResponse', (_request, _reply, done) => {
    if (draining) setImmediate(() => app.server.closeIdleConnections());
    done();
  });
  const known = createKnownPaths();
  app.addHook('onRoute', ({ method, url }) => known.add([method].flat(), url));
  app.setNotFoundHandler((request, reply) => {
    const methods = known.methodsOf(request.url.split('?', 1)[0] ?? '');
    const { origin } = request.headers;
    const isPage = origin !== undefined && hostRules.allowsPage(origin);
    if (isPage && methods.length > 0 && isPreflight(request.method, request.headers))
      void reply.code(204).headers(preflightHeaders(methods, request.headers)).send();
    else if (methods.length === 0) sendRefusal(request, reply, refuse('not_found'));
    else sendRefusal(request, reply.header('allow', methods.join(', ')), refuse('method_not_allowed'));
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const code = FASTIFY_CODES.get(error.code);
    if (code === undefined) onDefect(error);
    // What is left of a body that is refused is not read.
    if (code === 'body_too_large') reply.header('connection', 'close');
    sendRefusal(request, reply, refuse(code ?? 'internal_error'));
  });

  return Object.freeze({
    app,
    async listen(host: string, port: number) {
      await app.listen({ host, port, backlog: BACKLOG });
      return (app.server.address() as AddressInfo).port;
    },
    get draining() {
      return draining;
    },
    async close(graceMs: number, onForce: () => void) {
      draining = true;
      const timer = clock.setTimer(() => {
        onForce();
        // What was just answered is written when this turn is over, and before this.
        setImmediate(() => app.server.closeAllConnections());
      }, graceMs);
      try {
        const closed = app.close();
        closeSilent();
        await closed;
      } finally {
        clock.clearTimer(timer);
      }
    },
  });
}

/** Routes of ours have no schemas of Fastify's: what comes in is checked by who reads it. */
function noSchemas(): never {
  throw new TypeError('A route of the gateway has a schema.');
}

/** Connections that may wait to be taken, as far as the system lets: many clients may begin at the same moment. */
const BACKLOG = 4_096;

const FASTIFY_CODES: ReadonlyMap<string, RefusalCode> = new Map([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'body_too_large'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'media_type_unsupported'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'body_malformed'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'body_malformed'],
  [UNPACK_TOO_LARGE, 'body_too_large'],
  [UNPACK_BROKEN, 'body_malformed'],
  ['FST_ERR_BAD_URL', 'not_found'],
]);

/** Answers with a refusal in the shape of the address. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  noteRefusal(request, refusal);
  const shape = request.routeOptions.config.refusalShape ?? shapeOfPath(request.url);
  // RFC 9110, section 11.6.1: whoever is not known is told how to say who it is.
  if (refusal.status === 401) reply.header('www-authenticate', 'Bearer');
  if (refusal.retryAfterSeconds !== undefined) reply.header('retry-after', refusal.retryAfterSeconds);
  void reply
    .code(refusal.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(refusalBody(shape, refusal, request.id)));
}

function shapeOfPath(url: string): RefusalShape {
  if (/^\/v1(?:beta|alpha)\//.test(url)) return 'gemini';
  if (url.startsWith('/v1/messages')) return 'anthropic';
  return url.startsWith('/v1/') ? 'openai-chat' : 'gateway';
}

/** A request that is not HTTP, has too many headers, or is not complete in time. */
function refuseBroken(error: Error & { readonly code?: string }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
