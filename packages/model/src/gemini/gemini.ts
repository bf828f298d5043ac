import type { Codec } from '../codec/codec.ts';
import { decodeRequest } from './decode-request.ts';
import { decodeResponse } from './decode-response.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';
import type { GeminiSchemaMember } from './encode-tools.ts';
import { GEMINI } from './gemini-protocol.ts';

/** Settings of {@link createGeminiCodec}. */
export interface GeminiCodecOptions {
  /**
   * The member in which schemas are sent. Default `parametersJsonSchema`, as they are. `parameters` is the classic form
   * for older endpoints: schemas are then projected onto it, with all losses.
   */
  readonly schemas?: GeminiSchemaMember;
}

/** Makes a codec for Gemini generateContent with settings of its own. */
export function createGeminiCodec({ schemas = 'parametersJsonSchema' }: GeminiCodecOptions = {}): Codec {
  return Object.freeze({
    protocol: GEMINI,
    decodeRequest,
    encodeRequest: (call: Parameters<Codec['encodeRequest']>[0]) => encodeRequest(call, schemas),
    decodeResponse,
    encodeResponse,
    decodeStream,
    encodeStream,
  });
}

/**
 * Gemini generateContent. Bodies that are decoded are kept in part and frozen, not copied. The model and streaming are
 * in the path: see `readGeminiPath`. Tool names are written as they are: give them the form of this wire first, with
 * `createNameMap`.
 */
export const gemini: Codec = createGeminiCodec();
