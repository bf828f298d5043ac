import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './http-server.ts';
import { refuse } from './refusal.ts';

/** Which encodings a scope of routes reads. */
export interface EncodingRules {
  readonly permits: (encoding: string) => boolean;
  /** What it reads, as a header says it; RFC 9110, section 15.5.16, has it told to who sent something else. */
  readonly read: string;
}

const NONE: EncodingRules = { permits: () => false, read: 'identity' };

/**
 * Refuses packed bodies in a scope of routes, before anything of them is read: they have to be unpacked before they are
 * checked, by who knows how much that may be.
 */
export function refuseEncodings(scope: FastifyInstance, { permits, read }: EncodingRules = NONE): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity' || permits(encoding)) done();
    else sendRefusal(request, reply.header('accept-encoding', read), refuse('media_type_unsupported'));
  });
}
