import type { Codec, Loss, ModelEvent, Protocol, StreamEncoder, StreamEncoderOptions } from '@toolgate/model';
import type { ClientStream } from '../../http/client-stream.ts';
import type { AnswerStep } from './answer-step.ts';
import { createReplayLog, type ReplayLog } from './replay-log.ts';

/** Brings the steps of an answer to a client. */
export interface AnswerWriter {
  emit(step: AnswerStep): void;
  /** Says that nothing more comes. */
  end(): void;
  /** From here on the provider's bytes no longer say what the client gets. */
  encodeFromHere(): void;
  /** What could not be said in the client's protocol. */
  losses(): readonly Loss[];
}

/** A writer of a streamed answer. */
export interface StreamWriter extends AnswerWriter {
  /** What the answer began with; `undefined` as long as it has not. */
  begun(): ModelEvent | undefined;
}

const NOTHING: readonly Loss[] = Object.freeze([]);

/** What a writer of a streamed answer is made of. */
export interface StreamWriterOptions extends StreamEncoderOptions {
  /** Whether the client speaks the provider's protocol. */
  readonly raw: boolean;
  /** Called when all of the answer was written. */
  readonly onEnd?: () => void;
}

/**
 * Makes the writer of a streamed answer. As long as it can, it passes the provider's own bytes on; with the first change
 * it becomes an encoder that stands where the client is. It never goes back.
 */
export function createStreamWriter(
  client: ClientStream,
  codec: Codec,
  options: StreamWriterOptions,
): StreamWriter {
  return new Writer(client, codec, options);
}

class Writer implements StreamWriter {
  readonly #client: ClientStream;
  readonly #codec: Codec;
  readonly #options: StreamWriterOptions;
  #begun: ModelEvent | undefined = undefined;
  #log: ReplayLog | undefined;
  #encoder: StreamEncoder | undefined;
  /** Calls that the client has whole although their end is still to come. */
  #told: Set<number> | undefined = undefined;
  /** Pieces of the provider, each an event or a comment of its wire. */
  #passedPieces = 0;

  constructor(client: ClientStream, codec: Codec, options: StreamWriterOptions) {
    this.#client = client;
    this.#codec = codec;
    this.#options = options;
    this.#log = options.raw ? createReplayLog(codec.protocol) : undefined;
    this.#encoder = options.raw ? undefined : codec.encodeStream(options);
  }

  emit({ events, raw }: AnswerStep): void {
    if (this.#begun === undefined || this.#begun.kind === 'warning') this.#begun = events[0];
    if (this.#encoder === undefined && raw !== undefined && !endsInFailure(events)) {
      this.#log?.add(events);
      for (const piece of raw) this.#client.write(piece);
      this.#passedPieces += raw.length;
      return;
    }
    const next = this.#encoderOf();
    let text = '';
    for (const event of events) {
      if (!this.#isTold(event)) text += next.push(event);
    }
    this.#client.write(text);
  }

  end(): void {
    this.#client.end();
    this.#options.onEnd?.();
  }

  encodeFromHere(): void {
    this.#encoderOf();
  }

  losses(): readonly Loss[] {
    return this.#encoder?.losses ?? NOTHING;
  }

  begun(): ModelEvent | undefined {
    return this.#begun;
  }

  /** What a call still says at its end is on the wire already; only Gemini goes on with one that has begun. */
  #isTold(event: ModelEvent): boolean {
    if (this.#told === undefined || (event.kind !== 'call-end' && event.kind !== 'call-delta')) return false;
    return this.#told.has(event.index) && (event.kind === 'call-end' || this.#codec.protocol !== 'gemini');
  }

  #encoderOf(): StreamEncoder {
    if (this.#encoder !== undefined) return this.#encoder;
    const { protocol } = this.#codec;
    const encoder = this.#codec.encodeStream(this.#options);
    this.#encoder = encoder;
    const passed = this.#log?.all() ?? [];
    this.#log = undefined;
    for (const event of passed) {
      encoder.push(event);
      // A thought of Anthropic waits for its first word, and the client has seen it begin.
      if (event.kind === 'reasoning-start' && protocol === 'anthropic')
        encoder.push({ kind: 'reasoning-delta', index: event.index, text: '' });
    }
    // The client has the start, whatever may still come that belongs into it.
    if (passed.length > 0) encoder.flush?.();
    encoder.countPassed?.(this.#passedPieces);
    for (const end of toldEnds(protocol, passed)) {
      this.#told ??= new Set();
      this.#told.add(end.index);
      encoder.push(end);
    }
    return encoder;
  }
}

/** The ends of calls that the client has seen end, although their events are still to come. */
function toldEnds(
  protocol: Protocol,
  passed: readonly ModelEvent[],
): readonly Extract<ModelEvent, { kind: 'call-end' }>[] {
  if (protocol === 'gemini') return openCallEnds(passed);
  if (protocol !== 'anthropic') return [];
  // Blocks follow each other: only the last one can be open.
  const last = passed.findLast((event) => event.kind.endsWith('-start') || event.kind === 'foreign');
  return openCallEnds(passed).filter(({ index }) => !(last && 'index' in last && last.index === index));
}

/**
 * The ends of calls that have begun. On a wire where a call is one piece, its bytes say all of it before its end is
 * known, and an encoder would say it again.
 */
function openCallEnds(events: readonly ModelEvent[]): readonly Extract<ModelEvent, { kind: 'call-end' }>[] {
  const open = new Map<number, Extract<ModelEvent, { kind: 'call-end' }>>();
  for (const event of events) {
    if (event.kind === 'call-start') {
      const { callId, index, name } = event;
      open.set(index, { kind: 'call-end', index, callId, name, arguments: '' });
    } else if (event.kind === 'call-delta') {
      const call = open.get(event.index);
      if (call !== undefined) open.set(event.index, { ...call, arguments: call.arguments + event.delta });
    } else if (event.kind === 'call-end') open.delete(event.index);
  }
  return [...open.values()];
}

/** A provider's words about its failure are not passed on. */
function endsInFailure(events: readonly ModelEvent[]): boolean {
  return events.at(-1)?.kind === 'response-error';
}
