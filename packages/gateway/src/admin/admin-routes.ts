import type { ServerResponse } from 'node:http';
import {
  compileSchema,
  describeIssues,
  JsonError,
  type JsonObject,
  type JsonValue,
  readJson,
  type Schema,
} from '@toolgate/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noteRefusal } from '../http/door.ts';
import { endWithoutKey } from '../http/end-without-key.ts';
import { sendRefusal } from '../http/http-server.ts';
import { addKeyGuard, guardedOf, type KeyGuardOptions, type KeyHolder } from '../http/key-guard.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import { refusalBody } from '../http/refusal-body.ts';
import { refuseEncodings } from '../http/refuse-encodings.ts';
import { takenBody } from '../http/taken-body.ts';
import type { WriteWholeOptions } from '../http/write-whole.ts';
import { GatewayError, type GatewayErrorCode } from '../ports/gateway-error.ts';
import type { AdminAnswer, AdminEndpoint, AdminRequest } from './admin-endpoint.ts';
import type { AdminServices } from './admin-services.ts';
import { begunLines } from './begun-lines.ts';
import { endpoints } from './endpoints.ts';
import { openapiOf } from './openapi.ts';
import { watchApprovals } from './watch-approvals.ts';

/** What the admin API needs. */
export interface AdminRoutesOptions extends KeyGuardOptions<KeyHolder> {
  readonly services: AdminServices;
  /** Responses that do not end by themselves; they enter and leave it. */
  readonly endless: Set<ServerResponse>;
  /** How long a client may take nothing of its answer. */
  readonly stuckMs: number;
  /** Learns of what must not happen. */
  readonly onDefect: (error: unknown) => void;
}

/** Nobody reviews with more of them at once. */
const MAX_WATCHERS = 256;
const MAX_BODY_BYTES = 1_048_576;

/**
 * Adds the admin API to a server. A key is presented in a header, never in a cookie or in the address: a page that a
 * reviewer visits cannot send it. Host and origin are checked first, wherever the gateway listens.
 */
export async function registerAdminRoutes(app: FastifyInstance, options: AdminRoutesOptions): Promise<void> {
  const { endless, onDefect, services, stuckMs } = options;
  const patience = (): WriteWholeOptions => ({ clock: services.clock, stuckMs });
  let document: JsonObject | undefined;
  let watchers = 0;
  await app.register(async (scope) => {
    refuseEncodings(scope);
    addKeyGuard(scope, { ...options, door: 'operators' });
    scope.addHook('onRequest', async (request, reply) => {
      if (guardedOf(request).principal.admin) return undefined;
      sendRefusal(request, reply, refuse('admin_required'));
      return reply;
    });
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    const config = { refusalShape: 'gateway', guardHost: true } as const;

    for (const endpoint of endpoints) {
      const check = checkerOf(endpoint);
      scope.route({
        method: endpoint.method,
        url: endpoint.path,
        config: { ...config, operation: endpoint.operation },
        bodyLimit: MAX_BODY_BYTES,
        handler: async (request, reply) => {
          const answerWith = (answer: AdminAnswer): FastifyReply => send(request, reply, answer, patience());
          const checked = check(request);
          if ('refusal' in checked) return answerWith({ kind: 'refused', refusal: checked.refusal });
          const { principal } = guardedOf(request);
          try {
            const answer = await endpoint.handle({ ...checked, principal, requestId: request.id }, services);
            if (answer.kind !== 'lines' || request.method === 'HEAD') return answerWith(answer);
            return answerWith({ ...answer, lines: await begunLines(answer.lines, onDefect) });
          } catch (error) {
            return answerWith({ kind: 'refused', refusal: refusalOf(error, onDefect) });
          }
        },
      });
    }
    const hasQuery = (request: FastifyRequest, reply: FastifyReply): boolean => {
      if (Object.keys(request.query as object).length === 0) return false;
      sendRefusal(request, reply, refuse('entry_invalid', { detail: 'This address takes no query.' }));
      return true;
    };
    scope.get('/api/openapi.json', { config: { ...config, operation: 'showDocument' } }, (request, reply) => {
      if (hasQuery(request, reply)) return;
      document ??= openapiOf(endpoints);
      send(request, reply, { kind: 'json', body: document }, patience());
    });
    scope.get(
      '/api/approvals/events',
      { config: { ...config, operation: 'watchApprovals' }, exposeHeadRoute: false },
      (request, reply) => {
        if (hasQuery(request, reply)) return;
        const last = request.headers['last-event-id'];
        const after = typeof last === 'string' && /^\d{1,15}$/.test(last) ? Number(last) : undefined;
        if (watchers >= MAX_WATCHERS) {
          sendRefusal(request, reply, refuse('too_many_requests'));
          return;
        }
        watchers += 1;
        endless.add(reply.raw);
        reply.raw.once('close', () => {
          watchers -= 1;
          endless.delete(reply.raw);
        });
        // Whoever watches holds neither a place among the requests in flight nor a configuration.
        guardedOf(request).leave();
        reply.hijack();
        const { clock, stores } = services;
        endWithoutKey(request.headers, reply.raw, { clock, lease: options.lease, may: ({ admin }) => admin });
        void watchApprovals({
          approvals: stores.approvals,
          response: reply.raw,
          clock,
          requestId: request.id,
          // Revisions are numbers of records in the audit.
          position: async () => (await stores.audit.head()).seq,
          after,
          onError: onDefect,
        });
      },
    );
  });
}

type Checked = Pick<AdminRequest, 'params' | 'query' | 'body'> | { readonly refusal: Refusal };

/** Reads and checks what comes with a request. */
type Checker = (request: FastifyRequest) => Checked;

/** Endpoints are the same for every gateway of a process; their schemas are compiled once. */
const checkers = new WeakMap<AdminEndpoint, Checker>();

function checkerOf(endpoint: AdminEndpoint): Checker {
  const known = checkers.get(endpoint);
  if (known !== undefined) return known;
  const checker = createChecker(endpoint);
  checkers.set(endpoint, checker);
  return checker;
}

/** Checks by the schemas that the document shows. */
function createChecker(endpoint: AdminEndpoint): Checker {
  const query = compileSchema({
    type: 'object',
    properties: endpoint.query ?? {},
    additionalProperties: false,
  });
  const body = endpoint.body === undefined ? undefined : compileSchema(endpoint.body);
  return (request) => {
    const asked = { ...(request.query as Readonly<Record<string, JsonValue>>) };
    const wrong = query.explain(asked);
    if (wrong.length > 0) return { refusal: refuse('entry_invalid', { detail: describeIssues(wrong) }) };
    const params = request.params as Readonly<Record<string, string>>;
    // Nothing has such an id, and PostgreSQL cannot even be asked for it.
    if (Object.values(params).some((value) => value.includes('\0'))) return { refusal: refuse('not_found') };
    const unread = body === undefined || (endpoint.bodyOptional === true && isEmpty(request.body));
    const read = unread ? { value: {} } : readBody(request.body, body);
    if ('refusal' in read) return read;
    return { params, query: asked as Readonly<Record<string, string>>, body: read.value };
  };
}

function isEmpty(body: unknown): boolean {
  return body === undefined || (body instanceof Uint8Array && body.length === 0);
}

function readBody(
  body: unknown,
  schema: Schema,
): { readonly value: JsonObject } | { readonly refusal: Refusal } {
  // Without a content type nothing was read: a form of another page has none that is accepted.
  if (!(body instanceof Uint8Array))
    return { refusal: refuse('media_type_unsupported', { detail: 'Nothing was sent.' }) };
  let value: JsonValue;
  try {
    value = readJson(body);
  } catch (error) {
    if (JsonError.is(error)) return { refusal: refuse('body_malformed', { detail: error.message }) };
    throw error;
  }
  const wrong = schema.explain(value);
  if (wrong.length > 0) return { refusal: refuse('entry_invalid', { detail: describeIssues(wrong) }) };
  return { value: value as JsonObject };
}

const DAMAGE: ReadonlySet<GatewayErrorCode> = new Set([
  'gateway/record-unreadable',
  'gateway/storage-invalid',
]);

function refusalOf(error: unknown, onDefect: (error: unknown) => void): Refusal {
  if (GatewayError.is(error)) {
    if (error.code === 'gateway/entry-invalid') return refuse('entry_invalid', { detail: error.message });
    if (error.code === 'gateway/storage-unavailable') return refuse('storage_unavailable');
  }
  onDefect(error);
  if (GatewayError.is(error) && DAMAGE.has(error.code))
    return refuse('storage_damaged', { detail: error.message });
  return refuse('internal_error');
}

/** A shorter body is with the system at once. */
const SHORT_LENGTH = 16_384;

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: AdminAnswer,
  patience: WriteWholeOptions,
): FastifyReply {
  reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff');
  switch (answer.kind) {
    case 'json': {
      reply.code(answer.status ?? 200).header('content-type', 'application/json; charset=utf-8');
      const text = JSON.stringify(answer.body);
      if (request.method === 'HEAD' || text.length <= SHORT_LENGTH) return reply.send(text);
      return reply
        .header('content-length', Buffer.byteLength(text))
        .send(takenBody(reply.raw, text, patience));
    }
    case 'lines': {
      // Nobody gets the lines of an answer to HEAD, and Fastify would read all of them.
      const lines = request.method === 'HEAD' ? '' : answer.lines;
      return reply.header('content-type', answer.contentType).send(takenBody(reply.raw, lines, patience));
    }
    case 'refused':
      noteRefusal(request, answer.refusal);
      return reply
        .code(answer.refusal.status)
        .header('content-type', 'application/json; charset=utf-8')
        .send(JSON.stringify({ ...refusalBody('gateway', answer.refusal, request.id), ...answer.more }));
  }
}
