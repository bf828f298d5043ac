import type { FastifyInstance } from 'fastify';
import { sendRefusal } from './http-server.ts';
import { refuse } from './refusal.ts';

/**
 * Refuses packed bodies in a scope of routes: they would have to be unpacked before they are checked, and bounds count
 * bytes as they come.
 */
export function refuseEncodings(scope: FastifyInstance): void {
  scope.addHook('onRequest', (request, reply, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') done();
    else sendRefusal(request, reply, refuse('media_type_unsupported'));
  });
}
