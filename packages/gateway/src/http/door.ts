import { PROTOCOLS, type Protocol } from '@toolgate/model';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../ports/principal.ts';
import type { Surface } from '../ports/traffic-log.ts';
import type { Refusal } from './refusal.ts';

/** A request that was answered without being served as a model call or by MCP: refused at a door, or administrative. */
export interface DoorAnswer {
  readonly requestId: string;
  /** `undefined` for an address that is none of ours. */
  readonly surface: Surface | undefined;
  /** Operation of the admin API; a word of a closed list. */
  readonly operation: string | undefined;
  readonly refusal: Refusal | undefined;
  /** `undefined` where the key was not recognised. */
  readonly principal: Principal | undefined;
  readonly status: number;
  readonly durationMs: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Name of the operation in the admin API. All its requests are counted, not only those that are refused. */
    readonly operation?: string;
  }
}

const REFUSAL = 'doorRefusal';
const PRINCIPAL = 'doorPrincipal';
const CHAT_WIRES: ReadonlySet<string> = new Set(PROTOCOLS);

/** Tells of answers that are told of nowhere else. */
export function watchDoor(app: FastifyInstance, onAnswer: (answer: DoorAnswer) => void): void {
  app.decorateRequest(REFUSAL, null);
  app.decorateRequest(PRINCIPAL, null);
  app.addHook('onResponse', (request, reply, done) => {
    const refusal = request.getDecorator<Refusal | null>(REFUSAL) ?? undefined;
    const { operation } = request.routeOptions.config;
    if (refusal !== undefined || operation !== undefined) onAnswer(toAnswer(request, reply, refusal));
    done();
  });
}

/** Notes how a request was refused. */
export function noteRefusal(request: FastifyRequest, refusal: Refusal): void {
  request.setDecorator(REFUSAL, refusal);
}

/** Notes who sends a request, whether it is let in or not. */
export function notePrincipal(request: FastifyRequest, principal: Principal): void {
  request.setDecorator(PRINCIPAL, principal);
}

function toAnswer(request: FastifyRequest, reply: FastifyReply, refusal: Refusal | undefined): DoorAnswer {
  return {
    requestId: request.id,
    surface: surfaceOf(request),
    operation: request.routeOptions.config.operation,
    refusal,
    principal: request.getDecorator<Principal | null>(PRINCIPAL) ?? undefined,
    status: reply.statusCode,
    durationMs: reply.elapsedTime,
    requestBytes: bytesOf(request.headers['content-length']),
    responseBytes: bytesOf(reply.getHeader('content-length')),
  };
}

/** By the pattern of the route, never by the address. */
function surfaceOf({ routeOptions }: FastifyRequest): Surface | undefined {
  const { config, url } = routeOptions;
  if (url === undefined) return undefined;
  if (url.startsWith('/api/')) return 'admin';
  if (url === '/mcp' || url.startsWith('/mcp/')) return 'mcp';
  if (config.refusalShape !== undefined && CHAT_WIRES.has(config.refusalShape))
    return config.refusalShape as Protocol;
  return url.includes('/models') ? 'models' : undefined;
}

function bytesOf(length: unknown): number {
  const bytes = Number(length ?? 0);
  return Number.isSafeInteger(bytes) && bytes > 0 ? bytes : 0;
}
