import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { Codec, Loss } from '@toolgate/model';
import { type ClientStream, type ClientStreamOptions, createClientStream } from '../http/client-stream.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import { refusalBody } from '../http/refusal-body.ts';
import type { TurnWrites } from '../http/turn-writes.ts';
import { writeWhole } from '../http/write-whole.ts';
import { type AnswerWriter, createStreamWriter, type StreamWriter } from './answer/answer-writer.ts';
import { withParagraphs } from './answer/parted-writer.ts';
import { signOfLife } from './answer/sign-of-life.ts';
import { withTime } from './answer/timed-writer.ts';
import { createWholeWriter } from './answer/whole-writer.ts';

/** What one answer to a client is made of. */
export interface ClientAnswerOptions {
  readonly response: ServerResponse;
  readonly codec: Codec;
  readonly requestId: string;
  readonly stream: boolean;
  /** OpenAI Chat: whether the client asked for the usage chunk. */
  readonly includeUsage: boolean;
  readonly clock: Clock;
  readonly turns: TurnWrites;
  readonly keepAliveMs: number;
  readonly stuckMs: number;
  /** Called once, when everything was handed over; the response may still be on its way. */
  readonly onSent: (status: number, bytes: number) => void;
}

/** The one answer to a client: of a model, or a refusal. */
export interface ClientAnswer {
  /** Makes the writer of a model's answer. Its bytes may be the provider's own when `raw`. */
  open(raw: boolean, losses: readonly Loss[]): AnswerWriter;
  /** Counts what did not go out besides; it is in the header as long as that was not sent. */
  addLosses(losses: readonly Loss[]): void;
  /** Sends status and headers of a stream, so that it can be kept alive; nothing for an answer that comes whole. */
  commit(): void;
  /** Whether a part of it went out, so that it cannot become another one. */
  isCommitted(): boolean;
  refuse(refusal: Refusal): void;
  /** The stream, where there is one, for backpressure. */
  readonly client: ClientStream | undefined;
}

/** Prepares the answer of one request whose response nobody else writes to. */
export function createClientAnswer(options: ClientAnswerOptions): ClientAnswer {
  return new Answer(options);
}

class Answer implements ClientAnswer, ClientStreamOptions {
  readonly #options: ClientAnswerOptions;
  #lossCount = 0;
  #opened = false;
  #sent = false;
  #streamed: StreamWriter | undefined = undefined;
  readonly clock: Clock;
  readonly turns: TurnWrites;
  readonly keepAliveMs: number;
  readonly stuckMs: number;
  readonly client: ClientStream | undefined;

  constructor(options: ClientAnswerOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.turns = options.turns;
    this.keepAliveMs = options.keepAliveMs;
    this.stuckMs = options.stuckMs;
    this.client = options.stream ? createClientStream(options.response, this) : undefined;
  }

  sign(): string {
    return signOfLife(this.#options.codec, this.#streamed?.begun());
  }

  head(): Record<string, string> {
    const written = this.#headers('text/event-stream; charset=utf-8');
    // Whose answer it will be, and what that cannot say, is not known yet.
    if (!this.#opened) delete written['toolgate-loss'];
    written['cache-control'] = 'no-cache, no-transform';
    written['x-accel-buffering'] = 'no';
    return written;
  }

  open(raw: boolean, losses: readonly Loss[]): AnswerWriter {
    const { clock, codec } = this.#options;
    const { protocol } = codec;
    const opened = this.#open(raw, losses);
    // The other wires have a part or a message of its own for each.
    const writer = raw || protocol !== 'openai-chat' ? opened : withParagraphs(opened);
    return protocol.startsWith('openai-') ? withTime(writer, raw, () => clock.now()) : writer;
  }

  #open(raw: boolean, losses: readonly Loss[]): AnswerWriter {
    const { codec, includeUsage } = this.#options;
    const { client } = this;
    this.#lossCount = losses.length;
    this.#opened = true;
    if (client !== undefined) {
      // Some protocols begin with their first word only, and that may be held back.
      client.keepAlive();
      this.#streamed = createStreamWriter(client, codec, {
        raw,
        includeUsage,
        onEnd: () => this.#done(200, client.bytes),
      });
      return this.#streamed;
    }
    return createWholeWriter(codec, (answer) => {
      if (answer.kind === 'broken') {
        this.refuse(refuse('upstream_failed'));
        return;
      }
      this.#lossCount += answer.losses.length;
      this.#sendWhole(200, answer.body);
    });
  }

  addLosses(losses: readonly Loss[]): void {
    this.#lossCount += losses.length;
  }

  commit(): void {
    this.client?.start();
  }

  isCommitted(): boolean {
    return this.#options.response.headersSent;
  }

  refuse(refusal: Refusal): void {
    const { codec, requestId } = this.#options;
    const body = JSON.stringify(refusalBody(codec.protocol, refusal, requestId));
    this.#sendWhole(refusal.status, body, refusal.retryAfterSeconds);
  }

  #headers(type: string): Record<string, string> {
    const { codec, requestId } = this.#options;
    const written: Record<string, string> = { 'content-type': type, 'x-request-id': requestId };
    if (codec.protocol === 'anthropic') written['request-id'] = requestId;
    written['toolgate-loss'] = String(this.#lossCount);
    return written;
  }

  #done(status: number, bytes: number): void {
    if (this.#sent) return;
    this.#sent = true;
    this.#options.onSent(status, bytes);
  }

  #sendWhole(status: number, body: Uint8Array | string, retryAfterSeconds?: number): void {
    const options = this.#options;
    const { response } = options;
    if (response.destroyed || response.headersSent) return;
    const bytes = typeof body === 'string' ? Buffer.from(body) : toBuffer(body);
    const written = this.#headers('application/json');
    if (retryAfterSeconds !== undefined) written['retry-after'] = String(retryAfterSeconds);
    written['content-length'] = String(bytes.byteLength);
    response.writeHead(status, written);
    options.turns.atEnd(() => writeWhole(response, bytes, options));
    this.#done(status, bytes.byteLength);
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
