import type { Codec } from '../codec/codec.ts';
import { CHAT } from './chat-protocol.ts';
import { decodeRequest } from './decode-request.ts';
import { decodeResponse } from './decode-response.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';

/**
 * OpenAI Chat Completions, as OpenAI and the many compatible servers speak it. Bodies that are decoded are kept in
 * part and frozen, not copied.
 */
export const openaiChat: Codec = Object.freeze({
  protocol: CHAT,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
});
