import { isJsonContentType } from '@modelcontextprotocol/server';
import { JsonError, type JsonObject, readJson } from '@toolgate/core';
import { mendMessage } from '../mend-message.ts';
import type { ServeSettings } from '../serve-options.ts';
import { readBody } from './read-body.ts';
import { CODES, refusal } from './refusal.ts';

/**
 * The one message of a POST, read strictly: what two readers could understand differently is not a message. Arrays
 * (batches, gone since MCP 2025-06-18) are not taken.
 */
export async function readMessage<Context>(
  request: Request,
  { limits, clock }: Pick<ServeSettings<Context>, 'limits' | 'clock'>,
): Promise<JsonObject | Response> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refusal(415, CODES.server, 'The content type has to be application/json');
  }
  const { maxMessageBytes: maxBytes, maxMessageDepth: maxDepth, bodyTimeoutMs: timeoutMs } = limits;
  const body = await readBody(request, { maxBytes, timeoutMs, clock });
  switch (body.kind) {
    case 'too-large':
      return refusal(413, CODES.server, `A message has at most ${maxBytes} bytes`);
    case 'too-slow':
      return refusal(408, CODES.server, 'The message did not arrive in time', { connection: 'close' });
    case 'broken':
      return refusal(400, CODES.parse, 'Parse error: the message could not be read');
    case 'read':
      return parse(unmarked(body.bytes), maxBytes, maxDepth);
  }
}

/** Some runtimes begin what they write with a byte order mark. */
function unmarked(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function parse(bytes: Uint8Array, maxBytes: number, maxDepth: number): JsonObject | Response {
  try {
    const value = readJson(bytes, { maxBytes, maxDepth });
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return mendMessage(value as JsonObject);
    return refusal(400, CODES.request, 'Invalid Request: a message is one JSON object');
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return refusal(400, CODES.parse, `Parse error: ${error.message}`);
  }
}
