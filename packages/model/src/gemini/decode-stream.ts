import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { FinishReason } from '../call/model-response.ts';
import { toFinish } from '../codec/answer-shape.ts';
import type { StreamDecoder, StreamDecoderOptions } from '../codec/codec.ts';
import { type EndingPiece, EndingWatch } from '../codec/ending-watch.ts';
import { createKeptMembers, type KeptMembers } from '../codec/kept-members.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { failAsReported } from '../codec/provider-error.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import { createStreamDecoder, type StreamHandler } from '../codec/stream-decoder.ts';
import { createWireReader, memberOf, textOf } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { createCallIds } from './call-ids.ts';
import { toCamelCase } from './camel-case.ts';
import { blockReason, keepEnvelope } from './decode-response.ts';
import { isWhole, readFinish } from './finish-reason.ts';
import { GEMINI_SPELLING } from './gemini-spelling.ts';
import { createPartStream } from './part-stream.ts';
import { createUnreadCandidates } from './unread-calls.ts';
import { decodeUsage } from './usage.ts';

const reader = createWireReader('model/stream-invalid');

/**
 * @see Codec.decodeStream. Each event of this wire is a whole response with the next parts. The answer ends with the
 * input, and well only if a finish reason came; a call ends only when that shows that the answer was not cut off.
 */
export function decodeStream(options?: StreamDecoderOptions): StreamDecoder {
  return createStreamDecoder(options, createHandler);
}

function createHandler(writer: ResponseWriter, losses: LossLog): StreamHandler {
  const responses = createKeptMembers(writer);
  const candidates = createKeptMembers(writer);
  const logged = new Set<string>();
  const unreadOf = createUnreadCandidates();
  let ids = createCallIds();
  let parts = createPartStream({ reader, ids, losses, answer: true }, writer);
  let said: FinishReason | undefined;
  let word: string | undefined;
  const watch = new EndingWatch();

  const start = (chunk: JsonObject): void => {
    if (writer.started) return;
    const id = textOf(chunk, 'responseId') ?? null;
    const model = textOf(chunk, 'modelVersion') ?? null;
    ids = createCallIds(id, model);
    parts = createPartStream({ reader, ids, losses, answer: true }, writer);
    const extensions = keepEnvelope([chunk], []);
    writer.start({ id, model, ...(extensions === undefined ? {} : { extensions }) });
  };

  const once = (path: string, detail: string): void => {
    if (logged.has(path)) return;
    logged.add(path);
    losses.add('dropped', path, 'warning', detail);
  };

  const takeWord = (value: JsonValue | undefined): void => {
    if (typeof value !== 'string' || value === '') return;
    // What was cut off does not become whole by a later word.
    if (said === 'length' || said === 'content-filter') return;
    word = value;
    said = readFinish(value);
  };

  const takeCandidate = (candidate: JsonObject): void => {
    if ((memberOf(candidate, 'index') ?? 0) !== 0) {
      once('/candidates', 'only the first answer has a neutral form');
      watch.goOn();
      const unread = unreadOf(candidate);
      if (unread.length > 0) writer.callsUnread(unread);
      return;
    }
    merge(candidates, candidate);
    const content = reader.optional('object', memberOf(candidate, 'content'), '/candidates/0/content');
    const listed = content ? memberOf(content, 'parts') : undefined;
    const pointer = '/candidates/0/content/parts';
    const given = reader.optional('array', listed, pointer) ?? [];
    given.forEach((part, index) => {
      parts.take(reader.object(part, `${pointer}/${index}`), `${pointer}/${index}`);
    });
    const reason = memberOf(candidate, 'finishReason');
    watch.take({ says: whatSay(given), ends: typeof reason === 'string' && reason !== '' });
    takeWord(reason);
  };

  const finish = (): void => {
    parts.close();
    parts.closeCalls(isWhole(said));
    // A call that did not come whole makes a clean end doubtful.
    if (isWhole(said) && writer.hasOpenCall) said = undefined;
    const shape = { calls: writer.closedCalls > 0, openCalls: writer.hasOpenCall, refusal: false };
    const extensions = keepEnvelope([responses.members], [candidates.members]);
    writer.finish(toFinish(said, shape), {
      ...(word === undefined ? {} : { finishDetail: word }),
      ...(extensions === undefined ? {} : { extensions }),
    });
  };

  return {
    message(value) {
      const chunk = toCamelCase(reader.object(value, ''), reader);
      refuseOtherSpellings(reader, chunk, GEMINI_SPELLING);
      const error = memberOf(chunk, 'error');
      if (error !== undefined && error !== null) {
        failAsReported(writer, error);
        return;
      }
      start(chunk);
      merge(responses, chunk);
      const listed = reader.optional('array', memberOf(chunk, 'candidates'), '/candidates') ?? [];
      for (const each of listed) takeCandidate(reader.object(each, '/candidates'));
      const blocked = blockReason(chunk);
      if (word === undefined && blocked !== undefined) {
        word = blocked;
        // Whatever the word for it.
        said = 'content-filter';
        watch.take({ says: 'nothing', ends: true });
      }
      const usage = decodeUsage(memberOf(chunk, 'usageMetadata'));
      if (usage !== null) writer.usage(usage);
    },
    ending: () => watch.ending(),
    end() {
      if (word !== undefined) finish();
    },
  };
}

function whatSay(parts: readonly JsonValue[]): EndingPiece['says'] {
  if (parts.length === 0) return 'nothing';
  return parts.every((part) => isJsonObject(part) && memberOf(part, 'thought') === true)
    ? 'thoughts'
    : 'more';
}

/** Keeps what is not content of one object after the other as one object, so that a long stream is not kept whole. */
function merge(kept: KeptMembers, next: JsonObject): void {
  for (const [name, value] of Object.entries(next)) {
    if (name !== 'candidates' && name !== 'content') kept.set(name, value);
  }
}
