import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Usage } from '../call/model-response.ts';
import type { StreamEncoder, StreamEncoderOptions } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { syntheticId } from '../codec/synthetic-id.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { writeSseMessage } from '../sse/sse-writer.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { createBlockQueue } from './block-queue.ts';
import { errorBody } from './encode-response.ts';
import { noteStopReason, writeStopReason } from './stop-reason.ts';
import { encodeUsage } from './usage.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/**
 * @see Codec.encodeStream. Blocks of this wire do not interleave: one that starts while another is open waits for it. A
 * call that the model did not finish is not closed. Words of the provider's failure are not passed on.
 */
export function encodeStream(options: StreamEncoderOptions = {}): StreamEncoder {
  const losses = createLossLog();
  const queue = createBlockQueue(losses);
  let start: EventOf<'response-start'> | undefined;
  let usage: Usage | null = null;

  /** The start waits for the next event, because that may bring the counts that belong into it. */
  const takeStart = (): string => {
    if (start === undefined) return '';
    const { id, model, createdAt, extensions } = start;
    start = undefined;
    if (id === null && options.id === undefined)
      losses.add('synthesised', '/id', 'info', 'this wire wants an id');
    if (model === null && options.model === undefined)
      losses.add('synthesised', '/model', 'info', 'this wire wants a model');
    if (createdAt !== undefined) losses.add('dropped', '/createdAt', 'info', 'answers have no time here');
    const name = options.model ?? model ?? '';
    const members = extensions?.protocol === ANTHROPIC ? extensions.members : {};
    return write('message_start', {
      message: {
        ...members,
        id: options.id ?? id ?? syntheticId('msg', name),
        type: 'message',
        role: 'assistant',
        model: name,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          ...usageOf(members),
          ...encodeUsage(usage ?? NOTHING, createLossLog()),
        },
      },
    });
  };

  const end = (event: EventOf<'response-end'>): string => {
    const shape = { calls: queue.closedCalls > 0, openCalls: queue.hasOpenCall, refusal: false };
    const word = writeStopReason(event, shape);
    noteStopReason(event, word, shape, losses);
    if (event.stopSequence === null) {
      losses.add('approximated', '/stopSequence', 'info', 'null and absent are the same here');
    }
    const members = takeExtensions(ANTHROPIC, event.extensions, '', losses, {
      severity: 'info',
      grouped: true,
    });
    const { usage: _usage, context_management: cleared, ...rest } = members;
    const beside = cleared === undefined ? {} : { context_management: cleared };
    const delta = { ...rest, stop_reason: word, stop_sequence: event.stopSequence ?? null };
    const counts = { ...usageOf(members), ...encodeUsage(usage, losses) };
    return `${queue.flush()}${write('message_delta', { delta, usage: counts, ...beside })}${write('message_stop', {})}`;
  };

  const fail = (word: string | undefined): string => `${takeStart()}${write('error', errorBody(word))}`;

  return Object.freeze({
    losses: losses.losses,
    flush: takeStart,
    push(event: ModelEvent) {
      if (event.kind === 'usage') {
        usage = event.usage;
        return '';
      }
      if (event.kind === 'warning') return '';
      if (event.kind === 'response-start') {
        start = event;
        return '';
      }
      if (event.kind === 'response-error') return fail(event.providerCode ?? event.code);
      if (event.kind === 'response-end') {
        return event.finish === 'error' ? fail(event.finishDetail) : `${takeStart()}${end(event)}`;
      }
      return `${takeStart()}${queue.push(event)}`;
    },
  });
}

const NOTHING: Usage = Object.freeze({
  inputTotal: 0,
  cacheRead: null,
  cacheWrite: null,
  outputTotal: 0,
  reasoning: null,
});

function usageOf(members: JsonObject): JsonObject {
  const usage: JsonValue | undefined = members['usage'];
  return isJsonObject(usage) ? usage : {};
}

function write(type: string, members: JsonObject): string {
  return writeSseMessage({ event: type, data: JSON.stringify({ type, ...members }) });
}
