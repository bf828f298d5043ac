import type { ServerResponse } from 'node:http';
import type { Clock } from '@toolgate/core';
import type { Codec, Loss } from '@toolgate/model';
import { type ClientStream, createClientStream } from '../http/client-stream.ts';
import { type Refusal, refuse } from '../http/refusal.ts';
import { refusalBody } from '../http/refusal-body.ts';
import { atTurnEnd } from '../http/turn-writes.ts';
import { writeWhole } from '../http/write-whole.ts';
import { type AnswerWriter, createStreamWriter, type StreamWriter } from './answer/answer-writer.ts';
import { signOfLife } from './answer/sign-of-life.ts';
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
  const { clock, codec, requestId, response, stream } = options;
  let lossCount = 0;
  let opened = false;
  let sent = false;
  let streamed: StreamWriter | undefined;

  const headers = (type: string): Record<string, string> => {
    const written: Record<string, string> = { 'content-type': type, 'x-request-id': requestId };
    if (codec.protocol === 'anthropic') written['request-id'] = requestId;
    written['toolgate-loss'] = String(lossCount);
    return written;
  };
  const client = stream
    ? createClientStream(response, {
        clock,
        keepAliveMs: options.keepAliveMs,
        stuckMs: options.stuckMs,
        sign: () => signOfLife(codec, streamed?.begun()),
        head: () => {
          const written = headers('text/event-stream; charset=utf-8');
          // Whose answer it will be, and what that cannot say, is not known yet.
          if (!opened) delete written['toolgate-loss'];
          written['cache-control'] = 'no-cache, no-transform';
          written['x-accel-buffering'] = 'no';
          return written;
        },
      })
    : undefined;
  const done = (status: number, bytes: number): void => {
    if (sent) return;
    sent = true;
    options.onSent(status, bytes);
  };
  const sendWhole = (status: number, body: Uint8Array | string, retryAfterSeconds?: number): void => {
    if (response.destroyed || response.headersSent) return;
    const bytes = typeof body === 'string' ? Buffer.from(body) : toBuffer(body);
    const written = headers('application/json');
    if (retryAfterSeconds !== undefined) written['retry-after'] = String(retryAfterSeconds);
    written['content-length'] = String(bytes.byteLength);
    response.writeHead(status, written);
    atTurnEnd(() => writeWhole(response, bytes, options));
    done(status, bytes.byteLength);
  };
  const sendRefusal = (refusal: Refusal): void => {
    const { retryAfterSeconds, status } = refusal;
    sendWhole(status, JSON.stringify(refusalBody(codec.protocol, refusal, requestId)), retryAfterSeconds);
  };

  return {
    open(raw: boolean, losses: readonly Loss[]) {
      lossCount = losses.length;
      opened = true;
      if (client !== undefined) {
        // Some protocols begin with their first word only, and that may be held back.
        client.keepAlive();
        const writer = createStreamWriter(client, codec, { raw, includeUsage: options.includeUsage });
        streamed = writer;
        return {
          ...writer,
          end() {
            writer.end();
            done(200, client.bytes);
          },
        };
      }
      return createWholeWriter(codec, (answer) => {
        if (answer.kind === 'broken') return sendRefusal(refuse('upstream_failed'));
        lossCount += answer.losses.length;
        sendWhole(200, answer.body);
      });
    },
    addLosses(losses: readonly Loss[]) {
      lossCount += losses.length;
    },
    commit: () => client?.start(),
    isCommitted: () => response.headersSent,
    refuse: sendRefusal,
    client,
  };
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
