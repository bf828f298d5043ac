import type { Codec } from '../codec/codec.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { decodeRequest } from './decode-request.ts';
import { decodeResponse } from './decode-response.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';

/**
 * Anthropic Messages. Bodies that are decoded are kept in part and frozen, not copied. Tool names and schemas are
 * written as they are: give them the form of this wire first, with `createNameMap` and `projectTools`.
 */
export const anthropic: Codec = Object.freeze({
  protocol: ANTHROPIC,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
});
