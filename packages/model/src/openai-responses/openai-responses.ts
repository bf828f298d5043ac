import type { Codec } from '../codec/codec.ts';
import { decodeRequest } from './decode-request.ts';
import { decodeResponse } from './decode-response.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';
import { RESPONSES } from './responses-protocol.ts';

/** OpenAI Responses. Bodies that are decoded are kept in part and frozen, not copied. */
export const openaiResponses: Codec = Object.freeze({
  protocol: RESPONSES,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
});
