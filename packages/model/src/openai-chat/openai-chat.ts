import type { JsonValue } from '@toolgate/core';
import type { Codec, StreamDecoderOptions } from '../codec/codec.ts';
import { CHAT } from './chat-protocol.ts';
import { decodeRequest } from './decode-request.ts';
import { decodeResponse } from './decode-response.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';
import type { MissingFinish } from './finish-reason.ts';

/** Settings of {@link createOpenaiChatCodec}. */
export interface OpenaiChatCodecOptions {
  /**
   * What it means that an answer ends without any reason: `unknown` (default) keeps its text and finishes none of its
   * calls; `stop` takes it for whole, for a server that is known to leave reasons out. A stream still has to end with
   * `[DONE]`: one that breaks off is incomplete in any case.
   */
  readonly missingFinish?: MissingFinish;
}

/** Makes a codec for OpenAI Chat Completions with settings of its own. */
export function createOpenaiChatCodec({ missingFinish = 'unknown' }: OpenaiChatCodecOptions = {}): Codec {
  return Object.freeze({
    protocol: CHAT,
    decodeRequest,
    encodeRequest,
    decodeResponse: (body: JsonValue) => decodeResponse(body, missingFinish),
    encodeResponse,
    decodeStream: (options?: StreamDecoderOptions) => decodeStream(options, missingFinish),
    encodeStream,
  });
}

/**
 * OpenAI Chat Completions, as OpenAI and the many compatible servers speak it. Bodies that are decoded are kept in
 * part and frozen, not copied.
 */
export const openaiChat: Codec = createOpenaiChatCodec();
