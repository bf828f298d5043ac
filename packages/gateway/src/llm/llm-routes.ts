import type { Protocol } from '@toolgate/model';
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
    post('/v1/chat/completions', 'openai-chat', serveCall('openai-chat', readPlainTarget));
    post('/v1/responses', 'openai-responses', serveCall('openai-responses', readPlainTarget));
    post('/v1/messages', 'anthropic', serveCall('anthropic', readPlainTarget));
    post('/v1beta/models/*', 'gemini', serveGemini);
    post('/v1/messages/count_tokens', 'anthropic', serveCount('anthropic', readPlainTarget));
    scope.get('/v1/models', (request, reply) => sendModels(request, reply, openaiOrAnthropic(request)));
    scope.get('/v1/models/*', (request, reply) => sendModel(request, reply, openaiOrAnthropic(request)));
    scope.get('/v1beta/models', (request, reply) => sendModels(request, reply, 'gemini'));
    scope.get('/v1beta/models/*', (request, reply) => sendModel(request, reply, 'gemini'));
  });
}

interface ServeOptions extends LlmRoutesOptions {
  /** Of what clients send again and again. */
  readonly memory: Pick<CallContext, 'offer' | 'readCall'>;
}

type Serve = (request: FastifyRequest, reply: FastifyReply, options: ServeOptions) => void;

function serveCall(protocol: Protocol, readTarget: (url: string) => ReadTarget): Serve {
  return (request, reply, options) => {
    const read = readTarget(request.url);
    if (read.kind === 'refused') {
      sendRefusal(request, reply, read.refusal);
      return;
    }
    reply.hijack();
    const call = handleCall(
      toLlmRequest(request, reply, protocol, options),
      read.target,
      contextOf(request, options),
    );
    if (call !== undefined) reply.raw.on('close', options.running.enter(call));
  };
}

function serveCount(protocol: Protocol, readTarget: (url: string) => ReadTarget): Serve {
  return (request, reply, options) => {
    const read = readTarget(request.url);
    if (read.kind === 'refused') {
      sendRefusal(request, reply, read.refusal);
      return;
    }
    reply.hijack();
    handleCount(toLlmRequest(request, reply, protocol, options), read.target, contextOf(request, options));
  };
}

const answerGemini: Serve = serveCall('gemini', readGeminiTarget);
const countGemini: Serve = serveCount('gemini', readGeminiCountTarget);

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

function openaiOrAnthropic(request: FastifyRequest): ModelListShape {
  return request.headers['anthropic-version'] === undefined ? 'openai' : 'anthropic';
}
