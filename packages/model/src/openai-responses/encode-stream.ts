import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Usage } from '../call/model-response.ts';
import type { StreamEncoder, StreamEncoderOptions } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { syntheticId } from '../codec/synthetic-id.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { isClientCall } from './client-call.ts';
import { endingMembers, failureOf, type ResponseHead, skeleton } from './encode-response.ts';
import { createEventWriter } from './event-writer.ts';
import { createOutputWriter } from './output-writer.ts';
import { RESPONSES } from './responses-protocol.ts';
import { noteEnding, writeEnding } from './status.ts';
import { encodeUsage } from './usage.ts';

type EventOf<Kind extends ModelEvent['kind']> = Extract<ModelEvent, { readonly kind: Kind }>;

/**
 * @see Codec.encodeStream. The whole life of the wire's stream with sequence numbers; a failure is `response.failed`,
 * or `error` before the start, with a sentence of ours.
 */
export function encodeStream(options: StreamEncoderOptions = {}): StreamEncoder {
  const losses = createLossLog();
  const writer = createEventWriter();
  let head = toHead(undefined, options);
  let members: JsonObject = {};
  let usage: Usage | null = null;
  let started = false;
  const output = createOutputWriter(writer, losses, () => head.id);

  const start = (event: EventOf<'response-start'>): void => {
    started = true;
    head = toHead(event, options);
    members = takeExtensions(RESPONSES, event.extensions, '', losses, { severity: 'info', grouped: true });
    const response = skeleton(head, members, 'in_progress');
    writer.emit('response.created', { response });
    writer.emit('response.in_progress', { response });
  };

  const end = (event: EventOf<'response-end'>): void => {
    const shape = output.finish();
    const ending = writeEnding(event.finish, shape);
    noteEnding(event, ending, shape, losses);
    if (event.extensions?.protocol === RESPONSES) members = event.extensions.members;
    const counts = encodeUsage(usage, losses);
    writer.emit(`response.${ending.status}`, {
      response: {
        ...skeleton(head, members, ending.status),
        ...endingMembers(ending),
        output: writer.output(),
        ...(counts === undefined ? {} : { usage: counts }),
      },
    });
  };

  const fail = (word: string | undefined): void => {
    const error = failureOf(word);
    if (!started) {
      writer.emit('error', { ...error, param: null });
      return;
    }
    const counts = encodeUsage(usage, losses);
    const response = { ...skeleton(head, members, 'failed'), error, output: writer.output() };
    writer.emit('response.failed', {
      response: { ...response, ...(counts === undefined ? {} : { usage: counts }) },
    });
  };

  const foreign = ({ index, item }: EventOf<'foreign'>): void => {
    if (item.protocol === RESPONSES && isJsonObject(item.value))
      output.foreign(item.value, isClientCall(item));
    else losses.add('refused', `/items/${index}`, 'error', 'an item that only its own protocol understands');
  };

  return Object.freeze({
    losses: losses.losses,
    push(event: ModelEvent) {
      if (event.kind === 'response-start') start(event);
      else if (event.kind === 'usage') usage = event.usage;
      else if (event.kind === 'foreign') foreign(event);
      else if (event.kind === 'response-end') {
        if (event.finish === 'error') fail(event.finishDetail);
        else end(event);
      } else if (event.kind === 'response-error') fail(event.providerCode ?? event.code);
      else if (event.kind !== 'warning') output.push(event);
      return writer.take();
    },
    countPassed: (events: number) => writer.numberFrom(events),
  });
}

function toHead(start: EventOf<'response-start'> | undefined, options: StreamEncoderOptions): ResponseHead {
  const model = options.model ?? start?.model ?? '';
  return {
    id: options.id ?? start?.id ?? syntheticId('resp', model),
    model,
    createdAt: options.createdAt ?? start?.createdAt ?? 0,
  };
}
