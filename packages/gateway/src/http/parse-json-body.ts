import type { FastifyInstance } from 'fastify';
import { refuseEncodings } from './refuse-encodings.ts';
import { canUnpack, READ_ENCODINGS, UNPACK_BROKEN, UNPACK_TOO_LARGE, unpackBody } from './unpack-body.ts';

/**
 * Gives the routes of a scope the bytes of a JSON body, unpacked where it came packed: clients pack long conversations.
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

/**
 * Some clients of Windows and of Java begin a text with the mark of its byte order, which RFC 8259, section 8.1, lets us
 * skip. Providers refuse it, so it goes no further.
 */
function withoutMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}

function bodyError(code: string): Error {
  return Object.assign(new Error('A packed body cannot be read.'), { code });
}
