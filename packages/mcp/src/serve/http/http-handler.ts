import {
  hostHeaderValidationResponse,
  isLegacyRequest,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import type { JsonObject } from '@toolgate/core';
import { type Identity, type Refused, readIdentity } from '../identity.ts';
import type { ServiceCore } from '../service-core.ts';
import { boundedBody } from './bounded-body.ts';
import { fullAccept, takesJsonAlone } from './full-accept.ts';
import { headersAgree } from './header-agreement.ts';
import { HttpSessions } from './http-sessions.ts';
import { modernHandler } from './modern-handler.ts';
import { isPreflight, pageOf, preflight, readableBy } from './page-access.ts';
import { readMessage } from './read-message.ts';
import { CODES, refusal } from './refusal.ts';
import { wholeAnswer } from './whole-answer.ts';

/** The HTTP side of one server. */
export interface HttpHandler {
  readonly fetch: (request: Request) => Promise<Response>;
  /** Tells clients of revisions without sessions that the list has changed. */
  readonly noteChange: () => void;
  readonly close: () => Promise<void>;
}

const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE']);

/**
 * One door for both generations of the protocol: Host, Origin and identity are checked before anything is read, the
 * message is read strictly, and only then the SDK sees it.
 */
export function httpHandler<Context>(core: ServiceCore<Context>): HttpHandler {
  const { settings } = core;
  const identities = new WeakMap<Request, Identity<Context>>();
  const sessions = new HttpSessions(core);
  const modern = modernHandler(core, (request) => identities.get(request));

  /** One request of a revision without sessions. */
  const exchange = async (
    request: Request,
    message: JsonObject | undefined,
    principal: string,
  ): Promise<Response> => {
    const isLasting = message?.['method'] === 'subscriptions/listen';
    const leave = isLasting ? core.subscriptions.enter(principal) : () => undefined;
    if (leave === undefined)
      return refusal(503, CODES.server, 'Too many subscriptions', { 'retry-after': '60' });
    try {
      const response = await modern.fetch(request, message === undefined ? {} : { parsedBody: message });
      const { maxWaitingBytes } = settings.limits;
      return boundedBody(response, { maxWaitingBytes, onEnd: leave });
    } catch (error) {
      leave();
      throw error;
    }
  };

  const session = async (
    request: Request,
    message: JsonObject | undefined,
    identity: Identity<Context>,
  ): Promise<Response> => {
    if (message !== undefined && !headersAgree(request.headers, message))
      return refusal(400, CODES.header, 'The headers and the body of the request disagree');
    return sessions.handle(request, message, identity);
  };

  const stateless = (
    request: Request,
    message: JsonObject | undefined,
    identity: Identity<Context>,
  ): Promise<Response> => {
    identities.set(request, identity);
    return exchange(request, message, identity.principal);
  };

  const pass = async (request: Request): Promise<Response> => {
    const identity = await identify(request, core);
    if (identity instanceof Response) return identity;
    if (!METHODS.has(request.method)) {
      return refusal(405, CODES.server, 'Method not allowed', { allow: [...METHODS].join(', ') });
    }
    const message = request.method === 'POST' ? await readMessage(request, settings) : undefined;
    if (message instanceof Response) return message;
    const isWhole = takesJsonAlone(request.headers.get('accept')) && isExchange(message);
    const accepted = accepting(request, isWhole);
    const response = (await isLegacyRequest(request, message))
      ? await session(accepted, message, identity)
      : await stateless(accepted, message, identity);
    return isWhole ? wholeAnswer(response, request.signal) : response;
  };

  const answer = async (request: Request, page: string | undefined): Promise<Response> => {
    if (core.closing) return refusal(503, CODES.server, 'The server is closing');
    try {
      if (page !== undefined && isPreflight(request))
        return strayHost(request, settings) ?? preflight(request);
      return await pass(request);
    } catch (error) {
      settings.report(error);
      return refusal(500, CODES.internal, 'Internal error');
    }
  };

  return {
    fetch: async (request) => {
      const page = pageOf(request, settings.pages);
      const response = await answer(request, page);
      return page === undefined ? response : readableBy(page, response);
    },
    noteChange: () => modern.notify.toolsChanged(),
    close: async () => {
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}

/** Whether a message has one answer; `subscriptions/listen` has a stream without an end. */
function isExchange(message: JsonObject | undefined): boolean {
  return message !== undefined && message['method'] !== 'subscriptions/listen';
}

/**
 * The request with an `accept` that the SDK takes, where the client takes what it is given. Its body was read.
 *
 * @param isWhole - Whether the client is given the answer in the form that it takes.
 */
function accepting(request: Request, isWhole: boolean): Request {
  const { url, method, signal } = request;
  const accept = request.headers.get('accept');
  const full = fullAccept(isWhole ? null : accept, method);
  if (accept === full) return request;
  const headers = new Headers(request.headers);
  headers.set('accept', full);
  return new Request(url, { method, headers, signal });
}

/** Who sends the request; an answer for whoever may not. */
async function identify<Context>(
  request: Request,
  { settings }: ServiceCore<Context>,
): Promise<Identity<Context> | Response> {
  const { authenticate, allowedOrigins } = settings;
  const stray =
    strayHost(request, settings) ??
    (originValidationResponse(request, [...allowedOrigins]) === undefined ? undefined : strayed());
  if (stray !== undefined) return stray;
  if (authenticate === undefined) return unauthorized({ kind: 'refused', status: 403 });
  const { url, method, headers, signal } = request;
  const verdict = await authenticate(new Request(url, { method, headers, signal }));
  return verdict.kind === 'accepted' ? readIdentity(verdict) : unauthorized(verdict);
}

/** An answer for who asks for another host. */
function strayHost(
  request: Request,
  { allowedHosts }: { readonly allowedHosts: readonly string[] },
): Response | undefined {
  return hostHeaderValidationResponse(request, [...allowedHosts]) === undefined ? undefined : strayed();
}

function strayed(): Response {
  return refusal(403, CODES.server, 'The Host or Origin of the request is not allowed');
}

function unauthorized({ status = 401, challenge = 'Bearer' }: Refused): Response {
  return status === 403
    ? refusal(403, CODES.server, 'Forbidden', challenge === 'Bearer' ? {} : { 'www-authenticate': challenge })
    : refusal(401, CODES.server, 'Unauthorized', { 'www-authenticate': challenge });
}
