import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { ToolCallItem } from '../call/item.ts';
import type { Usage } from '../call/model-response.ts';
import type { StreamEncoder, StreamEncoderOptions } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { writeSseMessage } from '../sse/sse-writer.ts';
import { objectIn } from './encode-config.ts';
import { encodePart } from './encode-part.ts';
import { encodeAnswerCall, errorBody, MALFORMED, noteUnsigned } from './encode-response.ts';
import { noteFinish, writeFinish } from './finish-reason.ts';
import { GEMINI } from './gemini-protocol.ts';
import { encodeUsage } from './usage.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/**
 * @see Codec.encodeStream. Calls are whole on this wire, so a call is written when it ends and one that the model did
 * not finish never. Words of the provider's failure are not passed on.
 */
export function encodeStream(options: StreamEncoderOptions = {}): StreamEncoder {
  const losses = createLossLog();
  const calls = new Map<number, EventOf<'call-start'>>();
  const summaries = new Map<number, number>();
  let head: JsonObject = {};
  let usage: Usage | null = null;
  let whole = 0;
  let malformed = false;
  /** The kind of text that the last part was, if nothing ended it: the next text of this kind would run into it. */
  let running: 'text' | 'reasoning' | undefined;
  let latest = -1;

  const write = (body: JsonObject): string => writeSseMessage({ data: JSON.stringify({ ...body, ...head }) });
  const parts = (...written: readonly JsonObject[]): string => {
    if (written.length === 0) return '';
    return write({ candidates: [{ content: { role: 'model', parts: written }, index: 0 }] });
  };
  const other = (index: number, ...written: readonly JsonObject[]): string => {
    running = undefined;
    if (index < latest) losses.add('relocated', '/items', 'info', 'what ends later comes later here');
    latest = Math.max(latest, index);
    return parts(...written);
  };

  const begin = (
    kind: 'text' | 'reasoning',
    { index, itemId }: { readonly index: number; readonly itemId?: string },
  ): void => {
    const path = `/items/${index}`;
    if (itemId !== undefined) losses.add('dropped', `${path}/id`, 'info', 'items have no ids here');
    if (running === kind)
      losses.add('approximated', '/items', 'info', 'texts that follow each other are one here');
    latest = Math.max(latest, index);
  };

  const thought = ({ index, text, summary, summaryIndex = 0 }: EventOf<'reasoning-delta'>): string => {
    running = 'reasoning';
    if (summary !== true) return parts({ text, thought: true });
    const earlier = summaries.get(index);
    summaries.set(index, summaryIndex);
    if (earlier === undefined)
      losses.add('approximated', `/items/${index}/summary`, 'info', 'a thought has one text here');
    return parts({
      text: earlier !== undefined && earlier !== summaryIndex ? `\n\n${text}` : text,
      thought: true,
    });
  };

  const endThought = ({ index, opaque, extensions }: EventOf<'reasoning-end'>): string => {
    if (opaque?.protocol === GEMINI) {
      running = undefined;
      return parts({ text: '', thought: true, thoughtSignature: opaque.value });
    }
    if (opaque !== undefined || extensions?.protocol !== GEMINI) {
      noteUnsigned(opaque === undefined ? {} : { opaque }, `/items/${index}`, losses);
    }
    return '';
  };

  const endText = ({ index, extensions }: EventOf<'text-end'>): string => {
    const members = takeExtensions(GEMINI, extensions, `/items/${index}`, losses, { severity: 'info' });
    if (Object.keys(members).length === 0) return '';
    running = undefined;
    return parts({ ...members, text: '' });
  };

  const endCall = (event: EventOf<'call-end'>): string => {
    const start = calls.get(event.index);
    calls.delete(event.index);
    whole += 1;
    const item: ToolCallItem = {
      kind: 'tool-call',
      callId: event.callId,
      name: event.name,
      arguments: event.arguments,
      ...(start?.itemId === undefined ? {} : { id: start.itemId }),
      ...(start?.signature === undefined ? {} : { signature: start.signature }),
      ...(start?.extensions === undefined ? {} : { extensions: start.extensions }),
    };
    const part = encodeAnswerCall(item, false, `/items/${event.index}`, losses);
    if (part === 'malformed') malformed = true;
    return part === undefined || part === 'malformed' ? '' : other(event.index, part);
  };

  const end = (event: EventOf<'response-end'>): string => {
    for (const { index } of calls.values()) {
      losses.add('dropped', `/items/${index}`, 'warning', 'a call that was not finished has no form here');
    }
    const shape = { calls: whole > 0, openCalls: calls.size > 0, refusal: false };
    const word = malformed ? MALFORMED : writeFinish(event, shape);
    noteFinish(event, word, shape, losses);
    const kept = takeExtensions(GEMINI, event.extensions, '', losses, { severity: 'info', grouped: true });
    const { candidate: _candidate, usageMetadata: _usage, ...members } = kept;
    const usageMetadata = encodeUsage(usage, objectIn(kept, 'usageMetadata'), losses);
    const content = { role: 'model', parts: [] };
    return write({
      ...members,
      candidates: [{ ...objectIn(kept, 'candidate'), content, finishReason: word, index: 0 }],
      ...(usageMetadata === undefined ? {} : { usageMetadata }),
    });
  };

  return Object.freeze({
    losses: losses.losses,
    push(event: ModelEvent) {
      switch (event.kind) {
        case 'response-start': {
          const model = options.model ?? event.model;
          const id = options.id ?? event.id;
          head = {
            ...(model === null ? {} : { modelVersion: model }),
            ...(id === null ? {} : { responseId: id }),
          };
          if (event.createdAt !== undefined)
            losses.add('dropped', '/createdAt', 'info', 'answers have no time here');
          return '';
        }
        case 'text-start':
          begin('text', event);
          return '';
        case 'refusal-start':
          losses.add('approximated', `/items/${event.index}`, 'warning', 'a refusal is written as text here');
          begin('text', event);
          return '';
        case 'text-delta':
        case 'refusal-delta':
          running = 'text';
          return parts({ text: event.text });
        case 'text-end':
          return endText(event);
        case 'reasoning-start':
          begin('reasoning', event);
          return '';
        case 'reasoning-delta':
          return thought(event);
        case 'reasoning-end':
          return endThought(event);
        case 'call-start':
          calls.set(event.index, event);
          return '';
        case 'call-end':
          return endCall(event);
        case 'part':
          return other(event.index, ...encodePart(event.part, `/items/${event.index}`, losses));
        case 'foreign':
          if (event.item.protocol === GEMINI && isJsonObject(event.item.value)) {
            return other(event.index, event.item.value);
          }
          losses.add(
            'refused',
            `/items/${event.index}`,
            'error',
            'an item that only its own protocol understands',
          );
          return '';
        case 'usage':
          usage = event.usage;
          return '';
        case 'response-end':
          return end(event);
        case 'response-error':
          return writeSseMessage({ data: JSON.stringify(errorBody(event.providerCode ?? event.code)) });
        case 'refusal-end':
        case 'call-delta':
        case 'warning':
          return '';
      }
    },
  });
}
