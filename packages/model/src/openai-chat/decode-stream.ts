import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { FinishReason, Usage } from '../call/model-response.ts';
import { toFinish } from '../codec/answer-shape.ts';
import type { StreamDecoder, StreamDecoderOptions, StreamEnding } from '../codec/codec.ts';
import { EndingWatch } from '../codec/ending-watch.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { failAsReported } from '../codec/provider-error.ts';
import { readCount } from '../codec/read-count.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import { createStreamDecoder, type StreamHandler } from '../codec/stream-decoder.ts';
import { createWireReader, isJsonArray, memberOf, textOf, unreadMembers } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { readImages } from './answer-images.ts';
import { READ_ASSISTANT, THOUGHTS, whatSays } from './assistant-members.ts';
import { readCallDelta, saysSomething } from './call-delta.ts';
import { createCallIds } from './call-ids.ts';
import { isChatAside } from './chat-aside.ts';
import { CHAT_SPELLING } from './chat-spelling.ts';
import { errorIn, MESSAGE_POINTER } from './decode-response.ts';
import { type MissingFinish, readEnd, readFinish } from './finish-reason.ts';
import { isPreamble, StreamEnvelope } from './stream-envelope.ts';
import { createTextLanes, type TextLanes } from './text-lanes.ts';
import { isThinkingPart, thinkingText } from './thinking-part.ts';
import { createToolCallMerger, type ToolCallMerger } from './tool-call-merger.ts';
import { unreadLegacy, unreadOfChoice, unreadOfMessage } from './unread-calls.ts';
import { decodeUsage } from './usage.ts';

const reader = createWireReader('model/stream-invalid');

/** @see Codec.decodeStream. */
export function decodeStream(
  options?: StreamDecoderOptions,
  missingFinish: MissingFinish = 'unknown',
): StreamDecoder {
  return createStreamDecoder(options, (writer, losses) => new ChatHandler(writer, losses, missingFinish));
}

class ChatHandler implements StreamHandler {
  readonly #writer: ResponseWriter;
  readonly #losses: LossLog;
  readonly #missingFinish: MissingFinish;
  readonly #lanes: TextLanes;
  readonly #envelope: StreamEnvelope;
  /** Made when the first call comes; many answers have none. */
  #calls: ToolCallMerger | undefined = undefined;
  #logged: Set<string> | undefined = undefined;
  /** What ids of calls without one are made of. */
  #seed: readonly (string | number | null)[] = [];
  #said: FinishReason | undefined = undefined;
  /** Whether calls came after an end, so that it was none. */
  #goesOn = false;
  #listsCalls = false;
  readonly isAside = isChatAside;
  readonly #ending = new EndingWatch();
  /** Whether a call came in the old form. */
  #saysLegacy = false;
  #inPieces = false;
  #word: string | undefined = undefined;

  constructor(writer: ResponseWriter, losses: LossLog, missingFinish: MissingFinish) {
    this.#writer = writer;
    this.#losses = losses;
    this.#missingFinish = missingFinish;
    this.#lanes = createTextLanes(writer);
    this.#envelope = new StreamEnvelope(writer);
  }

  message(data: JsonValue): void {
    const writer = this.#writer;
    refuseOtherSpellings(reader, data, CHAT_SPELLING);
    const chunk = reader.object(data, '');
    const error = errorIn(chunk);
    if (error !== undefined) {
      failAsReported(writer, error);
      return;
    }
    this.#start(chunk);
    const choices = memberOf(chunk, 'choices');
    let counted: Usage | null = null;
    for (const entry of isJsonArray(choices) ? choices : []) {
      const choice = reader.object(entry, '/choices');
      if ((memberOf(choice, 'index') ?? 0) !== 0) {
        this.#once('n', 'only the first answer has a neutral form');
        // It may be told after the first one.
        this.#ending.goOn();
        const unread = unreadOfChoice(choice);
        if (unread.length > 0) writer.callsUnread(unread);
        continue;
      }
      if (isJsonObject(memberOf(choice, 'logprobs')))
        this.#once('logprobs', 'log probabilities have no neutral form');
      const delta = memberOf(choice, 'delta');
      const message = memberOf(choice, 'message');
      if (isJsonObject(delta)) this.#takeDelta(delta);
      // A server that cannot stream an answer sends it whole, in a stream of one.
      else if (isJsonObject(message) && !this.#inPieces) this.#takeDelta(message);
      if (isJsonObject(message) && (isJsonObject(delta) || this.#inPieces)) {
        const unread = unreadOfMessage(message, MESSAGE_POINTER);
        if (unread.length > 0) writer.callsUnread(unread);
      }
      this.#inPieces = true;
      const finish = memberOf(choice, 'finish_reason');
      this.#ending.take({ says: whatSays(delta ?? message), ends: readFinish(finish) !== undefined });
      this.#takeFinish(finish);
      counted = decodeUsage(memberOf(choice, 'usage'));
    }
    const usage = decodeUsage(memberOf(chunk, 'usage')) ?? counted ?? usageOfGroq(chunk);
    if (usage !== null) writer.usage(usage);
  }

  done(): void {
    if (!this.#writer.started) return;
    if (this.#said === undefined) this.#say(readEnd(this.#word, this.#missingFinish));
    this.#finish();
  }

  end(): void {
    if (this.#said !== undefined && !this.#goesOn) this.#finish();
  }

  ending(): StreamEnding {
    return this.#writer.hasOpenCall ? 'no' : this.#ending.ending();
  }

  misleads(): boolean {
    const calls = this.#calls;
    if (calls === undefined) return false;
    const { misleads } = calls;
    calls.misleads = false;
    return misleads;
  }

  #once(name: string, detail: string): void {
    this.#logged ??= new Set();
    if (this.#logged.has(name)) return;
    this.#writer.hold(name);
    this.#logged.add(name);
    this.#losses.add('dropped', `${MESSAGE_POINTER}/${name}`, 'info', detail);
  }

  #start(chunk: JsonObject): void {
    this.#envelope.take(chunk);
    if (this.#writer.started) return;
    if (isPreamble(chunk)) {
      this.#writer.warning('preamble', 'a chunk from before the answer');
      return;
    }
    const id = textOf(chunk, 'id') ?? null;
    const model = textOf(chunk, 'model') ?? null;
    const createdAt = readCount(chunk, 'created');
    this.#seed = [id, model, createdAt];
    this.#writer.start({
      id,
      model,
      ...(createdAt === null ? {} : { createdAt }),
      ...this.#envelope.extensions(),
    });
  }

  #takeCalls(delta: JsonObject): void {
    const listed = memberOf(delta, 'tool_calls');
    const legacy = memberOf(delta, 'function_call');
    // Most pieces are of a text.
    if (listed === undefined && legacy === undefined) return;
    const entries: JsonValue[] = [];
    if (isJsonArray(listed)) entries.push(...listed);
    // A call that stands where its list should.
    else if (listed !== undefined && listed !== null) entries.push(listed);
    this.#listsCalls ||= entries.length > 0;
    // Some servers say each call in the old form as well; it is one call.
    if (isJsonObject(legacy) && this.#listsCalls) {
      this.#once('function_call', 'a call that is listed, said again');
      this.#writer.callsUnread(unreadLegacy(delta, MESSAGE_POINTER));
    } else if (isJsonObject(legacy)) {
      this.#saysLegacy = true;
      entries.push({ index: 0, function: legacy });
    }
    if (entries.length === 0) return;
    const deltas = entries.map((entry) =>
      readCallDelta(reader.object(entry, `${MESSAGE_POINTER}/tool_calls`)),
    );
    // Some servers write the word for the end into every chunk.
    this.#goesOn ||= this.#said !== undefined && deltas.some(saysSomething);
    this.#lanes.close();
    this.#calls ??= createToolCallMerger(this.#writer, this.#losses, pointerOfCall);
    for (const each of deltas) this.#calls.add(each);
    // Clients look for a list, and take what goes on in another form for another call.
    const isListed = isJsonArray(listed ?? []) && !(this.#saysLegacy && this.#listsCalls);
    if (!isListed || (deltas.length > 1 && new Set(deltas.map(({ index }) => index)).size < deltas.length))
      this.#calls.misleads = true;
  }

  #takeDelta(delta: JsonObject): void {
    const lanes = this.#lanes;
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
    else if (content !== undefined && content !== null) this.#takeParts(content, thinks);
    lanes.refusal(textOf(delta, 'refusal') ?? '');
    this.#takeCalls(delta);
    const unread = unreadMembers(delta, READ_ASSISTANT);
    if (unread === undefined) return;
    for (const name of Object.keys(unread)) {
      if (name === 'images') this.#takeImages(unread[name]);
      else this.#once(name, 'a member of a delta that has no neutral form');
    }
  }

  #takeImages(value: JsonValue | undefined): void {
    const writer = this.#writer;
    for (const part of readImages(value)) {
      this.#lanes.close();
      writer.part(writer.reserve(), { part });
    }
  }

  #takeParts(content: JsonValue, thinks: boolean): void {
    for (const part of reader.array(content, `${MESSAGE_POINTER}/content`)) {
      if (isThinkingPart(part)) {
        const thought = thinkingText(part, `${MESSAGE_POINTER}/content`, this.#losses);
        if (!thinks) this.#lanes.reasoning(thought, 'thinking');
        continue;
      }
      const text = isJsonObject(part) && memberOf(part, 'type') === 'text' ? textOf(part, 'text') : undefined;
      if (text === undefined) this.#once('content', 'a part of streamed content that is no text');
      else this.#lanes.text(text);
    }
  }

  #takeFinish(value: JsonValue | undefined): void {
    const finish = readFinish(value);
    const said = this.#said;
    // A cut is never taken back.
    const counts =
      said === undefined || (finish !== undefined && !isCut(said) && (this.#goesOn || isCut(finish)));
    if (typeof value === 'string' && value !== '' && counts) this.#word = value;
    if (counts) this.#say(finish);
    if (finish !== undefined) this.#noteWord();
  }

  #say(finish: FinishReason | undefined): void {
    if (finish === undefined) return;
    this.#said = finish;
    this.#goesOn = false;
    this.#lanes.close();
    this.#endCalls(isCut(finish) ? 'cut' : finish === 'stop' ? 'perhaps' : 'whole');
  }

  #endCalls(end: Parameters<ToolCallMerger['finish']>[0]): void {
    this.#calls?.finish(end, createCallIds(...this.#seed));
  }

  #hasWholeCall(): boolean {
    return this.#writer.closedCalls + (this.#calls?.foreignCalls ?? 0) > 0;
  }

  /** Clients that go by the word for the end never run a call behind one that speaks of none. */
  #noteWord(): void {
    if (this.#calls !== undefined && this.#listsCalls && this.#said === 'stop' && this.#hasWholeCall())
      this.#calls.misleads = true;
  }

  #finish(): void {
    const said = this.#said;
    this.#endCalls(said === undefined || this.#goesOn || isCut(said) ? 'cut' : 'whole');
    this.#noteWord();
    const neutral = toFinish(said, {
      calls: this.#hasWholeCall(),
      openCalls: this.#writer.hasOpenCall,
      refusal: this.#lanes.refused,
    });
    const word = this.#word;
    this.#writer.finish(neutral, {
      ...(word === undefined ? {} : { finishDetail: word }),
      ...this.#envelope.extensions(),
    });
  }
}

function pointerOfCall(ordinal: number): string {
  return `${MESSAGE_POINTER}/tool_calls/${ordinal}`;
}

/** Groq counts in a member of its own; Kimi does in the choice. */
function usageOfGroq(chunk: JsonObject): Usage | null {
  const own = memberOf(chunk, 'x_groq');
  return isJsonObject(own) ? decodeUsage(memberOf(own, 'usage')) : null;
}

function isCut(finish: FinishReason): boolean {
  return finish !== 'stop' && finish !== 'tool-calls';
}
