import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { StreamDecoder, StreamDecoderOptions } from '../codec/codec.ts';
import { keepFilled } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { failAsReported } from '../codec/provider-error.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import { createStreamDecoder, type StreamHandler } from '../codec/stream-decoder.ts';
import { unreadOfList } from '../codec/unread-list.ts';
import { isJsonArray, memberOf, textOf } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { READ_ENVELOPE, readHead } from './decode-response.ts';
import { eventReader } from './item-track.ts';
import { createItemTracks } from './item-tracks.ts';
import { isResponsesAside } from './responses-aside.ts';
import { RESPONSES } from './responses-protocol.ts';
import { EVENT_SPELLING } from './responses-spelling.ts';
import { readEnding } from './status.ts';
import { decodeUsage } from './usage.ts';

/** Events that announce what others say again, or progress that is no part of the answer. */
const SILENT = /^(?:response\.(?:queued|in_progress|created)|keepalive|ping)$/;
const TERMINAL = /^response\.(?:completed|incomplete|failed|cancelled)$/;

/** @see Codec.decodeStream. Only a terminal event ends an answer; `[DONE]` says nothing here. */
export function decodeStream(options?: StreamDecoderOptions): StreamDecoder {
  return createStreamDecoder(options, createHandler);
}

function createHandler(writer: ResponseWriter, losses: LossLog): StreamHandler {
  let id: string | null = null;
  let misleads = false;
  const tracks = createItemTracks({
    writer,
    losses,
    items: () => ({ reader: eventReader, losses, seed: [id], answer: true }),
    misled() {
      misleads = true;
    },
  });
  const logged = new Set<string>();

  const start = (response: JsonObject, ends = false): void => {
    // Helpers of clients begin with this output; what it holds is said by no other event.
    const early = memberOf(response, 'output');
    if (!ends && isJsonArray(early) && early.length > 0)
      writer.callsUnread(unreadOfList(RESPONSES, early, '/output'));
    if (writer.started) return;
    const head = readHead(response);
    id = head.id;
    const extensions = keepFilled(RESPONSES, response, READ_ENVELOPE);
    writer.start({
      id: head.id,
      model: head.model,
      ...(head.createdAt === null ? {} : { createdAt: head.createdAt }),
      ...(extensions === undefined ? {} : { extensions }),
    });
  };

  const end = (type: string, response: JsonObject): void => {
    const status = statusOf(type, response);
    const usage = decodeUsage(memberOf(response, 'usage'));
    if (status === 'failed' || status === 'cancelled') {
      if (usage !== null) writer.usage(usage);
      failAsReported(writer, memberOf(response, 'error'), status);
      return;
    }
    const output = memberOf(response, 'output');
    tracks.settle(isJsonArray(output) ? output : []);
    if (usage !== null) writer.usage(usage);
    const ending = readEnding({ ...response, status }, tracks.shape());
    const extensions = keepFilled(RESPONSES, response, READ_ENVELOPE);
    writer.finish(ending.finish, {
      ...(ending.finishDetail === undefined ? {} : { finishDetail: ending.finishDetail }),
      ...(extensions === undefined ? {} : { extensions }),
    });
  };

  const ignore = (type: string, event: JsonObject): void => {
    const calls = unreadOfList(RESPONSES, [memberOf(event, 'item') ?? null], '/item');
    if (calls.length > 0) writer.callsUnread(calls);
    if (logged.has(type) || logged.size >= MAX_LOGGED) return;
    logged.add(type);
    losses.add('dropped', '', 'info', 'an event without a neutral form');
  };

  return {
    message(data, name) {
      refuseOtherSpellings(eventReader, data, EVENT_SPELLING);
      const event = eventReader.object(data, '');
      const type = textOf(event, 'type') ?? name;
      // Some clients go by the one word, some by the other.
      if (name !== '' && name !== type) misleads = true;
      const response = memberOf(event, 'response');
      if (type === 'error') {
        failAsReported(
          writer,
          isJsonObject(memberOf(event, 'error'))
            ? memberOf(event, 'error')
            : { code: memberOf(event, 'code') ?? null },
          'error',
        );
        return;
      }
      if (isJsonObject(response)) start(response, TERMINAL.test(type));
      if (TERMINAL.test(type)) {
        end(type, eventReader.object(response, '/response'));
        return;
      }
      if (SILENT.test(type)) return;
      start({});
      if (!tracks.take(type, event)) ignore(type, event);
    },
    isAside: isResponsesAside,
    end() {
      // Only a terminal event ends an answer.
    },
    misleads() {
      const is = misleads;
      misleads = false;
      return is;
    },
  };
}

const MAX_LOGGED = 64;

/**
 * The status of an answer that ended. It is in the type of the event, too, as a server may leave it out of the response;
 * where the two differ, the answer is as little as the lesser of them says.
 */
function statusOf(type: string, response: JsonObject): string {
  const said = type.slice('response.'.length);
  const own = textOf(response, 'status');
  return said === 'completed' && own !== undefined && LESSER.has(own) ? own : said;
}

const LESSER: ReadonlySet<string> = new Set(['incomplete', 'failed', 'cancelled']);
