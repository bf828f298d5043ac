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

/**
 * Makes the writer of a streamed answer. As long as it can, it passes the provider's own bytes on; with the first change
 * it becomes an encoder that stands where the client is. It never goes back.
 *
 * @param raw - Whether the client speaks the provider's protocol.
 */
export function createStreamWriter(
  client: ClientStream,
  codec: Codec,
  options: StreamEncoderOptions & { readonly raw: boolean },
): StreamWriter {
  let begun: ModelEvent | undefined;
  let log: ReplayLog | undefined = options.raw ? createReplayLog(codec.protocol) : undefined;
  let encoder: StreamEncoder | undefined = options.raw ? undefined : codec.encodeStream(options);
  /** Calls that the client has whole although their end is still to come. */
  const told = new Set<number>();
  /** Pieces of the provider, each an event or a comment of its wire. */
  let passedPieces = 0;

  /** What a call still says at its end is on the wire already; only Gemini goes on with one that has begun. */
  const isTold = (event: ModelEvent): boolean => {
    if (told.size === 0 || (event.kind !== 'call-end' && event.kind !== 'call-delta')) return false;
    return told.has(event.index) && (event.kind === 'call-end' || codec.protocol !== 'gemini');
  };

  const encoderOf = (): StreamEncoder => {
    if (encoder !== undefined) return encoder;
    encoder = codec.encodeStream(options);
    const passed = log?.all() ?? [];
    log = undefined;
    for (const event of passed) {
      encoder.push(event);
      // A thought of Anthropic waits for its first word, and the client has seen it begin.
      if (event.kind === 'reasoning-start' && codec.protocol === 'anthropic')
        encoder.push({ kind: 'reasoning-delta', index: event.index, text: '' });
    }
    // The client has the start, whatever may still come that belongs into it.
    if (passed.length > 0) encoder.flush?.();
    encoder.countPassed?.(passedPieces);
    for (const end of toldEnds(codec.protocol, passed)) {
      told.add(end.index);
      encoder.push(end);
    }
    return encoder;
  };

  return {
    emit({ events, raw }: AnswerStep) {
      if (begun === undefined || begun.kind === 'warning') begun = events[0];
      if (encoder === undefined && raw !== undefined && !endsInFailure(events)) {
        log?.add(events);
        for (const piece of raw) client.write(piece);
        passedPieces += raw.length;
        return;
      }
      const next = encoderOf();
      let text = '';
      for (const event of events) {
        if (!isTold(event)) text += next.push(event);
      }
      client.write(text);
    },
    end: () => client.end(),
    encodeFromHere() {
      encoderOf();
    },
    losses: () => encoder?.losses ?? NOTHING,
    begun: () => begun,
  };
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
