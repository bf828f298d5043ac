import type { Protocol, RequestTarget } from '@toolgate/model';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendRefusal } from '../http/http-server.ts';
import { addKeyGuard, guardedOf, type KeyGuardOptions, type KeyHolder } from '../http/key-guard.ts';
import { parseJsonBody } from '../http/parse-json-body.ts';
import { presentPrincipal } from '../http/present-principal.ts';
import { refuse } from '../http/refusal.ts';
import type { LlmRequest } from './begin-answer.ts';
import type { CallContext } from './call-context.ts';
import type { CallsInFlight } from './calls-in-flight.ts';
import { handleCall } from './handle-call.ts';
import { handleCount } from './handle-count.ts';
import { createToolOffers } from './request/tool-offers.ts';
import { type ModelListShape, modelEntry, modelList } from './surfaces/model-list.ts';
import { createCallReader } from './surfaces/read-call.ts';
import {
  isGeminiCount,
  type ReadTarget,
  readGeminiCountTarget,
  readGeminiTarget,
  readPlainTarget,
} from './surfaces/read-target.ts';

/** The part of a generation that serves model calls. */
export type LlmContent = KeyHolder & Pick<CallContext, 'routes' | 'settings'>;

/** What the addresses of models need. */
export interface LlmRoutesOptions extends KeyGuardOptions<LlmContent> {
  readonly services: CallContext['services'];
  /** Calls enter and leave it. */
  readonly running: CallsInFlight;
  /** Of a body, unpacked where it comes packed. */
  readonly bodyBytes: number;
}

/** Adds the addresses of models to a server. */
export async function registerLlmRoutes(app: FastifyInstance, options: LlmRoutesOptions): Promise<void> {
  await app.register(async (scope) => {
    const own = { ...options, memory: { readCall: createCallReader(), offer: createToolOffers() } };
    parseJsonBody(scope, options.bodyBytes);
    addKeyGuard(scope, options);
    const post = (path: string, protocol: Protocol, serve: Serve): void => {
      scope.post(path, { config: { refusalShape: protocol } }, (request, reply) =>
        serve(request, reply, own),
      );
    };
    post('/v1/chat/completions', 'openai-chat', serveAt('openai-chat', readPlainTarget, call));
    post('/v1/responses', 'openai-responses', serveAt('openai-responses', readPlainTarget, call));
    post('/v1/messages', 'anthropic', serveAt('anthropic', readPlainTarget, call));
    // Its clients can be told which edition of the wire to ask for; all of them say the same about a call.
    for (const edition of ['v1beta', 'v1alpha', 'v1']) post(`/${edition}/models/*`, 'gemini', serveGemini);
    post('/v1/messages/count_tokens', 'anthropic', serveAt('anthropic', readPlainTarget, handleCount));
    scope.get('/v1/models', (request, reply) => sendModels(request, reply, shapeAsked(request)));
    scope.get('/v1/models/*', (request, reply) => sendModel(request, reply, shapeAsked(request)));
    for (const edition of ['v1beta', 'v1alpha']) {
      scope.get(`/${edition}/models`, (request, reply) => sendModels(request, reply, 'gemini'));
      scope.get(`/${edition}/models/*`, (request, reply) => sendModel(request, reply, 'gemini'));
    }
  });
}

interface ServeOptions extends LlmRoutesOptions {
  /** Of what clients send again and again. */
  readonly memory: Pick<CallContext, 'offer' | 'readCall'>;
}

type Serve = (request: FastifyRequest, reply: FastifyReply, options: ServeOptions) => void;

/** Serves what stands in the body for the model that the address or the body names. */
type Handle = (
  request: LlmRequest,
  target: RequestTarget,
  context: CallContext,
  running: CallsInFlight,
) => void;

const call: Handle = (request, target, context, running) => {
  const begun = handleCall(request, target, context);
  if (begun !== undefined) request.response.on('close', running.enter(begun));
};

function serveAt(protocol: Protocol, readTarget: (url: string) => ReadTarget, handle: Handle): Serve {
  return (request, reply, options) => {
    const read = readTarget(request.url);
    if (read.kind === 'refused') {
      sendRefusal(request, reply, read.refusal);
      return;
    }
    reply.hijack();
    const asked = toLlmRequest(request, reply, protocol, options);
    handle(asked, read.target, contextOf(request, options), options.running);
  };
}

const answerGemini: Serve = serveAt('gemini', readGeminiTarget, call);
const countGemini: Serve = serveAt('gemini', readGeminiCountTarget, handleCount);

/** What an address of Gemini asks for stands behind the name of the model. */
const serveGemini: Serve = (request, reply, options) => {
  const serve = isGeminiCount(request.url) ? countGemini : answerGemini;
  serve(request, reply, options);
};

function toLlmRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  protocol: Protocol,
  { lease }: ServeOptions,
): LlmRequest {
  const { body, headers, id } = request;
  // The server would keep it to the end of the answer, and nobody looks there for it.
  request.body = undefined;
  return {
    protocol,
    body: body instanceof Uint8Array ? body : new Uint8Array(0),
    headers,
    principal: guardedOf<LlmContent>(request).principal,
    present: () => presentPrincipal(headers, lease),
    rules(route) {
      const generation = lease();
      generation.release();
      return generation.content.routes.named(route)?.policy;
    },
    requestId: id,
    response: reply.raw,
  };
}

function contextOf(request: FastifyRequest, { memory, services }: ServeOptions): CallContext {
  const { content, number } = guardedOf<LlmContent>(request).generation;
  return {
    routes: content.routes,
    settings: content.settings,
    services,
    offer: memory.offer,
    readCall: memory.readCall,
    generation: number,
  };
}

function sendModels(request: FastifyRequest, reply: FastifyReply, shape: ModelListShape): void {
  const { generation, principal } = guardedOf<LlmContent>(request);
  sendJson(reply, modelList(shape, generation.content.routes.models(principal)));
}

function sendModel(request: FastifyRequest, reply: FastifyReply, shape: ModelListShape): void {
  const { generation, principal } = guardedOf<LlmContent>(request);
  const { '*': name = '' } = request.params as { readonly '*'?: string };
  const known = generation.content.routes.models(principal).includes(name);
  if (known) sendJson(reply, modelEntry(shape, name));
  else sendRefusal(request, reply, refuse('model_not_found'));
}

function sendJson(reply: FastifyReply, value: unknown): void {
  void reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(value));
}

/** Three clients ask at one address, and are known by their headers. */
function shapeAsked({ headers }: FastifyRequest): ModelListShape {
  if (headers['x-goog-api-key'] !== undefined) return 'gemini';
  return headers['anthropic-version'] === undefined ? 'openai' : 'anthropic';
}
