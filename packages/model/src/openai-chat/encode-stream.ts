import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Usage } from '../call/model-response.ts';
import { toAnswerArguments } from '../codec/argument-object.ts';
import type { StreamEncoder, StreamEncoderOptions } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { syntheticId } from '../codec/synthetic-id.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { writeSseMessage } from '../sse/sse-writer.ts';
import { toImage } from './answer-images.ts';
import { CHAT } from './chat-protocol.ts';
import type { ChatChunk, ChatDelta, ChatFinishReason } from './chat-wire.ts';
import { errorBody } from './encode-response.ts';
import { writeFinish } from './finish-reason.ts';
import { noteFinish } from './note-finish.ts';
import { encodeUsage } from './usage.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/**
 * @see Codec.encodeStream. A failure is the wire's error object and nothing after it: `[DONE]` is written only after a
 * real end. Words of the provider's failure are not passed on.
 */
export function encodeStream(options: StreamEncoderOptions = {}): StreamEncoder {
  const losses = createLossLog();
  const calls = new Map<number, number>();
  const open = new Set<number>();
  let head: Pick<ChatChunk, 'id' | 'object' | 'created' | 'model'> & JsonObject = toHead(undefined, options);
  let usage: Usage | null = null;
  let position = 0;
  let images = 0;
  let whole = 0;
  let refused = false;
  let summary = '';

  const chunk = (delta: ChatDelta | JsonObject, word: ChatFinishReason | null = null): string => {
    const body: JsonObject = {
      ...head,
      choices: [{ index: 0, delta, finish_reason: word, logprobs: null }],
      ...(options.includeUsage === true ? { usage: null } : {}),
    };
    return writeSseMessage({ data: JSON.stringify(body) });
  };

  /** Summaries are paragraphs of one text here. */
  const separator = ({ index, summaryIndex = 0 }: EventOf<'reasoning-delta'>): string => {
    const next = `${index}/${summaryIndex}`;
    const parted = summaryIndex > 0 && summary !== next;
    summary = next;
    return parted ? '\n\n' : '';
  };

  const startCall = (event: EventOf<'call-start'>): string => {
    calls.set(event.index, position);
    open.add(event.index);
    const { callId: id, name } = event;
    if (event.itemId !== undefined)
      losses.add('dropped', `/items/${event.index}/id`, 'info', 'calls have no item ids here');
    if (event.signature !== undefined) {
      losses.add(
        'dropped',
        `/items/${event.index}/signature`,
        'warning',
        'a thought signature has no form here',
      );
    }
    const delta = { index: position++, id, type: 'function', function: { name, arguments: '' } } as const;
    const members = takeExtensions(CHAT, event.extensions, `/items/${event.index}`, losses);
    return chunk({ tool_calls: [{ ...members, ...delta }] });
  };

  const callPiece = (index: number, piece: string): string =>
    chunk({ tool_calls: [{ index: calls.get(index) ?? 0, function: { arguments: piece } }] });

  const endCall = ({ arguments: text, index }: EventOf<'call-end'>): string => {
    open.delete(index);
    whole += 1;
    const said = toAnswerArguments(text, `/items/${index}/arguments`, losses);
    // Pieces that are out cannot be taken back; blanks may stand before an object.
    return said === text ? '' : callPiece(index, said);
  };

  const foreign = ({ index, item }: EventOf<'foreign'>): string => {
    if (item.protocol !== CHAT || !isJsonObject(item.value)) {
      losses.add('refused', `/items/${index}`, 'error', 'an item that only its own protocol understands');
      return '';
    }
    whole += 1;
    return chunk({ tool_calls: [{ ...item.value, index: position++ }] });
  };

  const part = ({ index, part }: EventOf<'part'>): string => {
    const path = `/items/${index}`;
    const image = toImage(part, path, losses);
    if (image !== undefined) return chunk({ images: [{ ...image, index: images++ }] });
    losses.add('dropped', path, 'error', 'an answer of this protocol holds text and pictures only');
    return '';
  };

  const end = (event: EventOf<'response-end'>): string => {
    const shape = { calls: whole > 0, openCalls: open.size > 0, refusal: refused };
    const word = writeFinish(event.finish, shape);
    noteFinish(event, word, shape, losses);
    head = {
      ...takeExtensions(CHAT, event.extensions, '', losses, { severity: 'info', grouped: true }),
      ...head,
    };
    const counts = encodeUsage(usage, losses);
    const last =
      options.includeUsage === true && counts !== undefined
        ? writeSseMessage({
            data: JSON.stringify({ ...head, choices: [], usage: counts } satisfies ChatChunk & JsonObject),
          })
        : '';
    return `${chunk({}, word)}${last}${writeSseMessage({ data: '[DONE]' })}`;
  };

  return Object.freeze({
    losses: losses.losses,
    push(event: ModelEvent) {
      switch (event.kind) {
        case 'response-start':
          head = toHead(event, options);
          return chunk({ role: 'assistant', content: '' });
        case 'text-delta':
          return chunk({ content: event.text });
        case 'refusal-delta':
          refused = true;
          return chunk({ refusal: event.text });
        case 'reasoning-delta':
          return chunk({ reasoning_content: separator(event) + event.text });
        case 'reasoning-end':
          if (event.opaque === undefined) return '';
          losses.add('dropped', `/items/${event.index}/opaque`, 'warning', 'signatures have no form here');
          return '';
        case 'call-start':
          return startCall(event);
        case 'call-delta':
          return callPiece(event.index, event.delta);
        case 'call-end':
          return endCall(event);
        case 'part':
          return part(event);
        case 'foreign':
          return foreign(event);
        case 'usage':
          usage = event.usage;
          return '';
        case 'response-end':
          return event.finish === 'error' ? fail(event.finishDetail) : end(event);
        case 'response-error':
          return fail(event.providerCode ?? event.code);
        case 'text-start':
        case 'text-end':
        case 'refusal-start':
        case 'refusal-end':
        case 'reasoning-start':
        case 'warning':
          return '';
      }
    },
  });
}

function fail(word: string | undefined): string {
  return writeSseMessage({ data: JSON.stringify(errorBody(word)) });
}

function toHead(
  start: EventOf<'response-start'> | undefined,
  options: StreamEncoderOptions,
): Pick<ChatChunk, 'id' | 'object' | 'created' | 'model'> & JsonObject {
  const model = options.model ?? start?.model ?? '';
  return {
    ...(start?.extensions?.protocol === CHAT ? start.extensions.members : {}),
    id: options.id ?? start?.id ?? syntheticId('chatcmpl', model),
    object: 'chat.completion.chunk',
    created: options.createdAt ?? start?.createdAt ?? 0,
    model,
  };
}
