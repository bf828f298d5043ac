import type { JsonObject, JsonValue } from '@toolgate/core';
import type { ModelCall, ModelTool } from '../call/model-call.ts';
import type { ModelResponse } from '../call/model-response.ts';
import type { Protocol } from '../call/protocol.ts';
import type { ModelEvent } from '../event/model-event.ts';
import type { Loss } from './loss.ts';

/** A translated value and everything that got lost on the way. */
export interface Coded<Value> {
  readonly value: Value;
  readonly losses: readonly Loss[];
}

/** What a request says outside its body: Gemini names the model and streaming in the path. */
export interface RequestTarget {
  readonly model?: string;
  /** Whether the caller asked for a stream. */
  readonly stream?: boolean;
}

/** What lists of tools were decoded to, by the list as it stood in its body. Only for lists that never change. */
export type DecodedTools = WeakMap<object, readonly ModelTool[]>;

/** A wire request: the body, and where it goes relative to the base URL. */
export interface WireRequest {
  readonly body: JsonObject;
  /** Without a leading slash, for example `chat/completions` or `models/gemini-x:streamGenerateContent?alt=sse`. */
  readonly path: string;
}

/**
 * Whether a stream has nothing to come but its end: for `'certain'` some seconds of silence prove it; for `'likely'` only a
 * silence that would end any answer, as some servers write a word for the end into every piece.
 */
export type StreamEnding = 'certain' | 'likely' | 'no';

/** Turns the bytes of one streamed answer into events; state of one stream, pure apart from it. */
export interface StreamDecoder {
  /** Takes the next bytes, cut anywhere. Never throws for what is in them: a fault is a `response-error` event. */
  push(bytes: Uint8Array): readonly ModelEvent[];
  /** Says that the input ended. Emits the terminal event that is still missing. */
  end(): readonly ModelEvent[];
  /**
   * Whether the bytes since it was asked last say a call in a way that clients add up to another one, such as its name
   * over and over, or hold lines in which readers less exact than this one find events: they must not be passed on.
   * Absent where a wire leaves nothing to add up.
   */
  misleads?(): boolean;
  /**
   * Whether all that came with the last bytes, and gave no event, is certainly no call and no part of one: sound, pictures, how
   * something stands that the provider runs, an answer beside the first. It may be passed on before anything else comes.
   */
  isAside?(): boolean;
  /**
   * Whether the provider has said how the answer ends, so that only the end of the stream is missing, with counts perhaps: some
   * never close it. Whoever has waited for it may take that for the end, and `end` finishes the answer.
   */
  ending?(): StreamEnding;
  readonly losses: readonly Loss[];
}

/** Turns events into the wire's event stream; state of one stream, pure apart from it. */
export interface StreamEncoder {
  /** The server-sent-event text for this event, possibly empty. */
  push(event: ModelEvent): string;
  /** The text that waits for the next event, written now; absent where none ever waits. */
  flush?(): string;
  /**
   * Says how many events of the wire came before those of this encoder, from another writer of the same stream; absent
   * where the wire does not number its events.
   */
  countPassed?(events: number): void;
  readonly losses: readonly Loss[];
}

/** Bounds of one decoded stream. */
export interface StreamDecoderOptions {
  /** Longest server-sent event, in UTF-16 units. Default 16 Mi. */
  readonly maxEventLength?: number;
  /** All text, thoughts and arguments of the answer together, in UTF-16 units. Default 64 Mi. */
  readonly maxTotalLength?: number;
}

/** What an encoder needs to know that events do not say. */
export interface StreamEncoderOptions {
  /** The model that the answer names. Default: what the events say. */
  readonly model?: string;
  /** The id of the answer. Default: what the events say. */
  readonly id?: string;
  /** Seconds since the epoch. Default: what the events say, else 0; only the wires of OpenAI carry it. */
  readonly createdAt?: number;
  /** OpenAI Chat: whether the client asked for the usage chunk. */
  readonly includeUsage?: boolean;
}

/** One wire protocol in both directions. Stateless and frozen; every method is pure. */
export interface Codec {
  readonly protocol: Protocol;
  /**
   * @param decoded - Kept by a caller that sees the same lists of tools again and again.
   * @throws ModelError `model/request-invalid` with a pointer, when the body is not a request of this protocol.
   */
  decodeRequest(body: JsonValue, target?: RequestTarget, decoded?: DecodedTools): Coded<ModelCall>;
  /** @throws ModelError `model/not-encodable` when the call cannot be said in this protocol at all. */
  encodeRequest(call: ModelCall): Coded<WireRequest>;
  /** @throws ModelError `model/response-invalid`. */
  decodeResponse(body: JsonValue): Coded<ModelResponse>;
  /** A response with the finish `error` becomes the wire's own error body with a fixed text. */
  encodeResponse(response: ModelResponse): Coded<JsonObject>;
  decodeStream(options?: StreamDecoderOptions): StreamDecoder;
  encodeStream(options?: StreamEncoderOptions): StreamEncoder;
}
