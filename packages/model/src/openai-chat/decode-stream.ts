import { freezeJson, type JsonObject, type JsonValue } from '@toolgate/core';
import type { FinishReason, Usage } from '../call/model-response.ts';
import { toFinish } from '../codec/answer-shape.ts';
import type { StreamDecoder, StreamDecoderOptions } from '../codec/codec.ts';
import { toExtensions } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { failAsReported } from '../codec/provider-error.ts';
import { readCount } from '../codec/read-count.ts';
import { createStreamDecoder, type StreamHandler } from '../codec/stream-decoder.ts';
import {
  createWireReader,
  isJsonArray,
  isJsonObject,
  memberOf,
  setMember,
  textOf,
  unreadMembers,
} from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { readImages } from './answer-images.ts';
import { readCallDelta, saysSomething } from './call-delta.ts';
import { createCallIds } from './call-ids.ts';
import { CHAT } from './chat-protocol.ts';
import { errorIn, MESSAGE_POINTER, READ_ENVELOPE } from './decode-response.ts';
import { type MissingFinish, readEnd, readFinish } from './finish-reason.ts';
import { createTextLanes } from './text-lanes.ts';
import { isThinkingPart, thinkingText } from './thinking-part.ts';
import { createToolCallMerger } from './tool-call-merger.ts';
import { unreadLegacy, unreadOfChoice, unreadOfMessage } from './unread-calls.ts';
import { decodeUsage } from './usage.ts';

const READ_DELTA = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'function_call',
  'reasoning_content',
  'reasoning',
]);
const THOUGHTS = ['reasoning_content', 'reasoning'] as const;
const reader = createWireReader('model/stream-invalid');

/** @see Codec.decodeStream. */
export function decodeStream(
  options?: StreamDecoderOptions,
  missingFinish: MissingFinish = 'unknown',
): StreamDecoder {
  return createStreamDecoder(options, (writer, losses) => createHandler(writer, losses, missingFinish));
}

function createHandler(writer: ResponseWriter, losses: LossLog, missingFinish: MissingFinish): StreamHandler {
  const lanes = createTextLanes(writer);
  const calls = createToolCallMerger(writer, losses, (ordinal) => `${MESSAGE_POINTER}/tool_calls/${ordinal}`);
  const envelope: Record<string, JsonValue> = {};
  const logged = new Set<string>();
  let ids = createCallIds();
  let said: FinishReason | undefined;
  /** Whether calls came after an end, so that it was none. */
  let goesOn = false;
  let listsCalls = false;
  let inPieces = false;
  let word: string | undefined;

  const once = (name: string, detail: string): void => {
    if (logged.has(name)) return;
    logged.add(name);
    losses.add('dropped', `${MESSAGE_POINTER}/${name}`, 'info', detail);
  };

  const start = (chunk: JsonObject): void => {
    // Every chunk says the same of these again, and then nothing is written.
    for (const name in chunk) {
      if (READ_ENVELOPE.has(name) || !Object.hasOwn(chunk, name)) continue;
      const value = chunk[name] ?? null;
      if (value === null || value === memberOf(envelope, name) || (isJsonArray(value) && value.length === 0))
        continue;
      setMember(envelope, name, value);
    }
    if (writer.started) return;
    if (isPreamble(chunk)) {
      writer.warning('preamble', 'a chunk from before the answer');
      return;
    }
    const id = textOf(chunk, 'id') ?? null;
    const model = textOf(chunk, 'model') ?? null;
    const createdAt = readCount(chunk, 'created');
    ids = createCallIds(id, model, createdAt);
    writer.start({ id, model, ...(createdAt === null ? {} : { createdAt }), ...extensions() });
  };

  const extensions = (): { readonly extensions?: ReturnType<typeof toExtensions> } => {
    return Object.keys(envelope).length === 0
      ? {}
      : { extensions: toExtensions(CHAT, freezeJson({ ...envelope })) };
  };

  const takeCalls = (delta: JsonObject): void => {
    const listed = memberOf(delta, 'tool_calls');
    const legacy = memberOf(delta, 'function_call');
    // Most pieces are of a text.
    if (listed === undefined && legacy === undefined) return;
    const entries: JsonValue[] = [];
    if (isJsonArray(listed)) entries.push(...listed);
    // A call that stands where its list should.
    else if (listed !== undefined && listed !== null) entries.push(listed);
    listsCalls ||= entries.length > 0;
    // Some servers say each call in the old form as well; it is one call.
    if (isJsonObject(legacy) && listsCalls) {
      once('function_call', 'a call that is listed, said again');
      writer.callsUnread(unreadLegacy(delta, MESSAGE_POINTER));
    } else if (isJsonObject(legacy)) entries.push({ index: 0, function: legacy });
    if (entries.length === 0) return;
    const deltas = entries.map((entry) =>
      readCallDelta(reader.object(entry, `${MESSAGE_POINTER}/tool_calls`)),
    );
    // Some servers write the word for the end into every chunk.
    goesOn ||= said !== undefined && deltas.some(saysSomething);
    lanes.close();
    for (const each of deltas) calls.add(each);
    if (deltas.length > 1 && new Set(deltas.map(({ index }) => index)).size < deltas.length)
      calls.misleads = true;
  };

  const takeDelta = (delta: JsonObject): void => {
    let thinks = false;
    for (const field of THOUGHTS) {
      const thought = textOf(delta, field);
      if (thought === undefined || thought === '') continue;
      lanes.reasoning(thought, field);
      thinks = true;
      // A server that sends both members says the same twice.
      break;
    }
    const content = memberOf(delta, 'content');
    if (typeof content === 'string') lanes.text(content);
    else if (content !== undefined && content !== null) takeParts(content, thinks);
    lanes.refusal(textOf(delta, 'refusal') ?? '');
    takeCalls(delta);
    const unread = unreadMembers(delta, READ_DELTA);
    if (unread === undefined) return;
    for (const name of Object.keys(unread)) {
      if (name === 'images') takeImages(unread[name]);
      else once(name, 'a member of a delta that has no neutral form');
    }
  };

  const takeImages = (value: JsonValue | undefined): void => {
    for (const part of readImages(value)) {
      lanes.close();
      writer.hold(JSON.stringify(part));
      writer.part(writer.reserve(), { part });
    }
  };

  const takeParts = (content: JsonValue, thinks: boolean): void => {
    for (const part of reader.array(content, `${MESSAGE_POINTER}/content`)) {
      if (isThinkingPart(part)) {
        const thought = thinkingText(part, `${MESSAGE_POINTER}/content`, losses);
        if (!thinks) lanes.reasoning(thought, 'thinking');
        continue;
      }
      const text = isJsonObject(part) && memberOf(part, 'type') === 'text' ? textOf(part, 'text') : undefined;
      if (text === undefined) once('content', 'a part of streamed content that is no text');
      else lanes.text(text);
    }
  };

  const takeFinish = (value: JsonValue | undefined): void => {
    const finish = readFinish(value);
    // A cut is never taken back.
    const counts = said === undefined || (finish !== undefined && !isCut(said) && (goesOn || isCut(finish)));
    if (typeof value === 'string' && value !== '' && counts) word = value;
    if (counts) say(finish);
    if (finish !== undefined) noteWord();
  };

  const say = (finish: FinishReason | undefined): void => {
    if (finish === undefined) return;
    said = finish;
    goesOn = false;
    lanes.close();
    calls.finish(isCut(finish) ? 'cut' : finish === 'stop' ? 'perhaps' : 'whole', ids);
  };

  /** Clients that go by the word for the end never run a call behind one that speaks of none. */
  const noteWord = (): void => {
    if (listsCalls && said === 'stop' && writer.closedCalls + calls.foreignCalls > 0) calls.misleads = true;
  };

  const finish = (): void => {
    calls.finish(said === undefined || goesOn || isCut(said) ? 'cut' : 'whole', ids);
    noteWord();
    const whole = writer.closedCalls + calls.foreignCalls > 0;
    const neutral = toFinish(said, { calls: whole, openCalls: writer.hasOpenCall, refusal: lanes.refused });
    writer.finish(neutral, { ...(word === undefined ? {} : { finishDetail: word }), ...extensions() });
  };

  return {
    message(data) {
      const chunk = reader.object(data, '');
      const error = errorIn(chunk);
      if (error !== undefined) {
        failAsReported(writer, error);
        return;
      }
      start(chunk);
      const choices = memberOf(chunk, 'choices');
      let counted: Usage | null = null;
      for (const entry of isJsonArray(choices) ? choices : []) {
        const choice = reader.object(entry, '/choices');
        if ((memberOf(choice, 'index') ?? 0) !== 0) {
          once('n', 'only the first answer has a neutral form');
          const unread = unreadOfChoice(choice);
          if (unread.length > 0) writer.callsUnread(unread);
          continue;
        }
        if (isJsonObject(memberOf(choice, 'logprobs')))
          once('logprobs', 'log probabilities have no neutral form');
        const delta = memberOf(choice, 'delta');
        const message = memberOf(choice, 'message');
        if (isJsonObject(delta)) takeDelta(delta);
        // A server that cannot stream an answer sends it whole, in a stream of one.
        else if (isJsonObject(message) && !inPieces) takeDelta(message);
        if (isJsonObject(message) && (isJsonObject(delta) || inPieces)) {
          const unread = unreadOfMessage(message, MESSAGE_POINTER);
          if (unread.length > 0) writer.callsUnread(unread);
        }
        inPieces = true;
        takeFinish(memberOf(choice, 'finish_reason'));
        counted = decodeUsage(memberOf(choice, 'usage'));
      }
      const usage = decodeUsage(memberOf(chunk, 'usage')) ?? counted ?? usageOfGroq(chunk);
      if (usage !== null) writer.usage(usage);
    },
    done() {
      if (!writer.started) return;
      if (said === undefined) say(readEnd(word, missingFinish));
      finish();
    },
    end() {
      if (said !== undefined && !goesOn) finish();
    },
    misleads() {
      const { misleads } = calls;
      calls.misleads = false;
      return misleads;
    },
  };
}

/** Azure says what it found in the prompt before there is an answer, in a chunk that names neither it nor the model. */
function isPreamble(chunk: JsonObject): boolean {
  const choices = memberOf(chunk, 'choices');
  if (textOf(chunk, 'id') || textOf(chunk, 'model') || isJsonObject(memberOf(chunk, 'usage'))) return false;
  return isJsonArray(choices) && choices.length === 0;
}

/** Groq counts in a member of its own; Kimi does in the choice. */
function usageOfGroq(chunk: JsonObject): Usage | null {
  const own = memberOf(chunk, 'x_groq');
  return isJsonObject(own) ? decodeUsage(memberOf(own, 'usage')) : null;
}

function isCut(finish: FinishReason): boolean {
  return finish !== 'stop' && finish !== 'tool-calls';
}
