import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Lease } from '../config/generations.ts';
import type { Principal } from '../ports/principal.ts';
import type { Admissions, Door } from './admission.ts';
import { notePrincipal } from './door.ts';
import { sendRefusal } from './http-server.ts';
import { refuse } from './refusal.ts';

/** The part of a generation that recognises keys. */
export interface KeyHolder {
  /** Who sends a request, by its headers; in the same time for every answer. */
  readonly authenticate: (headers: IncomingHttpHeaders) => Promise<Principal | undefined>;
}

/** What a guard needs. */
export interface KeyGuardOptions<Content extends KeyHolder> {
  /** Keeps the generation that serves a request until the response is closed. */
  readonly lease: () => Lease<Content>;
  readonly admissions: Admissions;
  /** For whom the places are. Default `clients`. */
  readonly door?: Door;
}

const GUARDED = 'guarded';

/** A request whose key is known and that has its place. */
export interface Guarded<Content> {
  readonly principal: Principal;
  readonly generation: Lease<Content>;
  /** Gives the place and the generation back before the end, for a response that only waits. */
  readonly leave: () => void;
}

/**
 * Lets only requests with a known key into a scope of routes, before their body is read, and within the bounds of the
 * key. The place and the generation are given back when the response is closed, whatever happens.
 */
export function addKeyGuard<Content extends KeyHolder>(
  scope: FastifyInstance,
  { admissions, door, lease }: KeyGuardOptions<Content>,
): void {
  scope.decorateRequest(GUARDED, null);
  scope.addHook('onRequest', (request, reply, goOn) => {
    const generation = lease();
    const place: Place = { release: undefined };
    const leave = leaveOf(generation, place);
    reply.raw.on('close', leave);
    const enter = (principal: Principal | undefined): boolean => {
      if (reply.raw.destroyed) return false;
      if (principal === undefined) {
        sendRefusal(request, reply, refuse('key_invalid'));
        return false;
      }
      notePrincipal(request, principal);
      const admission = admissions.admit(principal.keyId, principal.limits, door);
      if (admission.kind === 'refused') {
        sendRefusal(request, reply, admission.refusal);
        return false;
      }
      place.release = admission.release;
      request.setDecorator<Guarded<Content>>(GUARDED, { principal, generation, leave });
      return true;
    };
    generation.content.authenticate(request.headers).then((principal) => {
      let entered: boolean;
      try {
        entered = enter(principal);
      } catch (error) {
        goOn(error as Error);
        return;
      }
      if (entered) goOn();
    }, goOn);
  });
}

interface Place {
  release: (() => void) | undefined;
}

/** Apart from the hook: it lasts as long as the response, and would keep all with it that lets a request in. */
function leaveOf(generation: Lease<unknown>, place: Place): () => void {
  return () => {
    place.release?.();
    generation.release();
  };
}

/** Who sends a guarded request, and the generation that serves it. */
export function guardedOf<Content>(request: FastifyRequest): Guarded<Content> {
  return request.getDecorator<Guarded<Content>>(GUARDED);
}
