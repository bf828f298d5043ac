import type { FastifyInstance } from 'fastify';
import { withoutMark } from '../internal/without-mark.ts';
import { refuseEncodings } from './refuse-encodings.ts';
import { canUnpack, READ_ENCODINGS, UNPACK_BROKEN, UNPACK_TOO_LARGE, unpackBody } from './unpack-body.ts';

/**
 * Gives the routes of a scope the bytes of a JSON body, unpacked where it came packed: clients pack long conversations.
 * A mark of its byte order goes no further, as providers refuse it.
 *
 * @param maxBytes - Of a body that is unpacked; how much of it may come is the server's bound.
 */
export function parseJsonBody(scope: FastifyInstance, maxBytes: number): void {
  refuseEncodings(scope, { permits: canUnpack, read: READ_ENCODINGS });
  scope.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') {
      done(null, withoutMark(body));
      return;
    }
    unpackBody(body, encoding, maxBytes, (unpacked) => {
      // The end of a response is told once, and nobody would stop what begins behind it.
      if (request.raw.socket.destroyed) return;
      if (unpacked.kind === 'body') done(null, withoutMark(unpacked.body));
      else done(bodyError(unpacked.kind === 'too-large' ? UNPACK_TOO_LARGE : UNPACK_BROKEN));
    });
  });
}

function bodyError(code: string): Error {
  return Object.assign(new Error('A packed body cannot be read.'), { code });
}
