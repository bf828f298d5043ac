import { freezeJson, isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import { toFinish } from '../codec/answer-shape.ts';
import { runsAtProvider } from '../codec/asks-client.ts';
import type { StreamDecoder, StreamDecoderOptions } from '../codec/codec.ts';
import { createKeptMembers, type KeptMembers } from '../codec/kept-members.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { failAsReported } from '../codec/provider-error.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import { createStreamDecoder, type StreamHandler } from '../codec/stream-decoder.ts';
import { unreadOfList } from '../codec/unread-list.ts';
import { createWireReader, isJsonArray, memberOf, textOf, unreadMembers } from '../codec/wire-reader.ts';
import type { ResponseWriter } from '../event/response-writer.ts';
import { createCallIds } from '../openai-chat/call-ids.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { EVENT_SPELLING } from './anthropic-spelling.ts';
import { keepEnvelope } from './decode-response.ts';
import { readStopReason } from './stop-reason.ts';
import { openBlock, type StreamBlock } from './stream-block.ts';
import { decodeUsage } from './usage.ts';

const reader = createWireReader('model/stream-invalid');
const READ_BESIDE: ReadonlySet<string> = new Set(['type', 'delta', 'usage']);

/** @see Codec.decodeStream. A call ends only when the stop reason shows that the answer was not cut off. */
export function decodeStream(options?: StreamDecoderOptions): StreamDecoder {
  return createStreamDecoder(options, createHandler);
}

function createHandler(writer: ResponseWriter, losses: LossLog): StreamHandler {
  const open = new Map<number, StreamBlock>();
  const finishedCalls: StreamBlock[] = [];
  let openCalls = 0;
  let begun = 0;
  /** The open block of a tool that the provider runs. */
  let run: number | undefined;
  let ids = createCallIds();
  let start: JsonObject = {};
  /** The counts so far: later members replace earlier ones, they are not added. */
  const counts = createKeptMembers(writer);
  const ending = createKeptMembers(writer);
  let last: JsonObject | undefined;
  let misleads = false;

  /** Adds what is said; an empty reason or none replaces nothing. */
  const keep = (kept: KeptMembers, said: JsonObject): void => {
    for (const [name, value] of Object.entries(said)) {
      if (value !== null && value !== '') kept.set(name, value);
    }
  };

  /** Clients that go by the word for the end never run a call behind one that speaks of none. */
  const noteWord = (): void => {
    const word = last === undefined ? undefined : memberOf(last, 'stop_reason');
    if (finishedCalls.length > 0 && readStopReason(word) === 'stop') misleads = true;
  };

  const takeUsage = (value: JsonValue | undefined): void => {
    if (!isJsonObject(value)) return;
    keep(counts, value);
    const usage = decodeUsage(counts.members);
    if (usage !== null) writer.usage(usage);
  };

  const startMessage = (data: JsonObject): void => {
    if (writer.started) reader.fail('/message', 'starts twice');
    start = reader.object(memberOf(data, 'message'), '/message');
    const id = textOf(start, 'id') ?? null;
    const model = textOf(start, 'model') ?? null;
    ids = createCallIds(id, model);
    const extensions = keepEnvelope(start);
    writer.start({ id, model, ...(extensions === undefined ? {} : { extensions }) });
    takeUsage(memberOf(start, 'usage'));
    // Clients begin with these blocks; what they hold is said by no other event.
    const early = memberOf(start, 'content');
    if (isJsonArray(early) && early.length > 0)
      writer.callsUnread(unreadOfList('anthropic', early, '/content'));
  };

  const indexOf = (data: JsonObject): number => {
    const index = memberOf(data, 'index');
    return typeof index === 'number' && Number.isSafeInteger(index)
      ? index
      : reader.fail('/index', 'must be a whole number');
  };

  const blockOf = (data: JsonObject): StreamBlock => {
    return open.get(indexOf(data)) ?? reader.fail('/index', 'names no open block');
  };

  const startBlock = (data: JsonObject): void => {
    const index = indexOf(data);
    if (open.has(index)) reader.fail('/index', 'names a block that is open');
    if (last !== undefined) reader.fail('/content_block', 'starts after the end of the answer');
    const block = reader.object(memberOf(data, 'content_block'), '/content_block');
    const type = memberOf(block, 'type');
    // What was passed on of such a block could not be gone on with where the answer has to be written anew from here.
    if (run !== undefined) reader.fail('/content_block', 'starts within one that the provider runs');
    if (runsAtProvider(ANTHROPIC, type)) run = index;
    // Clients that know one block at a time take what comes of the other one for a piece of the call, or its end.
    if (type === 'tool_use' ? open.size > 0 : openCalls > 0) misleads = true;
    // Others count the blocks, and find the one that a piece is of by its number.
    if (index !== begun) misleads = true;
    begun += 1;
    if (type === 'tool_use') openCalls += 1;
    open.set(index, openBlock({ block, index, reader, writer, losses, ids }));
  };

  const stopBlock = (data: JsonObject): void => {
    const block = blockOf(data);
    const index = indexOf(data);
    open.delete(index);
    if (index === run) run = undefined;
    if (!block.stop()) return;
    openCalls -= 1;
    finishedCalls.push(block);
  };

  const takeDelta = (data: JsonObject): void => {
    const delta = memberOf(data, 'delta');
    if (isJsonObject(delta)) {
      last = ending.members;
      keep(ending, delta);
      // Members of the message stand beside those that changed, too, such as what was cleared of its context.
      keep(ending, unreadMembers(data, READ_BESIDE) ?? {});
    }
    takeUsage(memberOf(data, 'usage'));
    noteWord();
  };

  const finish = (): void => {
    const word = last === undefined ? undefined : memberOf(last, 'stop_reason');
    const said = readStopReason(word);
    noteWord();
    if (said === 'stop' || said === 'tool-calls' || said === 'paused') {
      for (const call of finishedCalls) call.settle?.();
    }
    const shape = { calls: writer.closedCalls > 0, openCalls: writer.hasOpenCall, refusal: false };
    const stopSequence = last === undefined ? undefined : textOf(last, 'stop_sequence');
    const extensions = keepEnvelope(start, last ?? {}, { usage: freezeJson({ ...counts.members }) });
    writer.finish(toFinish(said, shape), {
      ...(typeof word === 'string' ? { finishDetail: word } : {}),
      ...(stopSequence === undefined ? {} : { stopSequence }),
      ...(extensions === undefined ? {} : { extensions }),
    });
  };

  const isToldWhole = (): boolean =>
    last !== undefined && typeof memberOf(last, 'stop_reason') === 'string' && open.size === 0;

  const steps: ReadonlyMap<string, (data: JsonObject) => void> = new Map([
    ['content_block_start', startBlock],
    [
      'content_block_delta',
      (data: JsonObject) => blockOf(data).delta(reader.object(memberOf(data, 'delta'), '/delta')),
    ],
    ['content_block_stop', stopBlock],
    ['message_delta', takeDelta],
    ['message_stop', finish],
  ]);

  return {
    message(value, event) {
      refuseOtherSpellings(reader, value, EVENT_SPELLING);
      const data = reader.object(value, '');
      const type = textOf(data, 'type') ?? event;
      // The provider's own client goes by the name of an event, and passes over those that have none; others go by the type.
      if (type !== event && (event !== '' || type !== 'ping')) misleads = true;
      if (type === 'error') {
        failAsReported(writer, memberOf(data, 'error'));
        return;
      }
      if (type === 'message_start') startMessage(data);
      else if (type !== 'ping') {
        const step = steps.get(type);
        // The provider announces that kinds of events may be added, and asks to pass over them.
        if (step === undefined) {
          const calls = unreadOfList(
            'anthropic',
            [memberOf(data, 'content_block') ?? null],
            '/content_block',
          );
          if (calls.length > 0) writer.callsUnread(calls);
          writer.warning('unknown-event', 'an event of a kind that is not known was passed over');
        } else if (writer.started) step(data);
        else reader.fail('/type', 'comes before the start of the message');
      }
    },
    ending: () => (isToldWhole() ? 'certain' : 'no'),
    isAside: (data) => run !== undefined && open.size === 1 && isInputOf(run, data),
    end() {
      if (isToldWhole()) finish();
    },
    misleads() {
      const is = misleads;
      misleads = false;
      return is;
    },
  };
}

/** Whether an event is nothing but a piece of the input of a tool that the provider runs itself. */
function isInputOf(run: number, data: JsonValue): boolean {
  if (!isJsonObject(data) || memberOf(data, 'index') !== run) return false;
  const delta = memberOf(data, 'delta');
  return isJsonObject(delta) && memberOf(delta, 'type') === 'input_json_delta';
}
