import { freezeJson, JsonError, type JsonObject, type JsonValue, readJson } from '@toolgate/core';
import type { ForeignItem } from '../call/item.ts';
import { fromArgumentValue, sameArguments } from '../codec/argument-object.ts';
import { mayAskClient, runsAtProvider } from '../codec/asks-client.ts';
import { BLOCK_COST } from '../codec/block-cost.ts';
import { compact } from '../codec/compact.ts';
import { keepFilled } from '../codec/extensions.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { UNSIGNED_THOUGHT } from '../codec/unsigned-thought.ts';
import { isJsonArray, memberOf, textOf, type WireReader } from '../codec/wire-reader.ts';
import type { ResponseWriter, TextualKind } from '../event/response-writer.ts';
import type { CallIds } from '../openai-chat/call-ids.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { callExtensions, toOpaque } from './decode-assistant.ts';
import { CONTENT_POINTER } from './decode-response.ts';

/** One block of a stream while it is open. What a delta means depends on the block, never on the delta alone. */
export interface StreamBlock {
  delta(delta: JsonObject): void;
  /** The block is complete. @returns Whether it is a call, which still has to be settled. */
  stop(): boolean;
  /** The answer was not cut off, so the call is finished. */
  settle?(): void;
}

/** What a block is opened with. */
export interface BlockContext {
  readonly block: JsonObject;
  /** The index on the wire. */
  readonly index: number;
  readonly reader: WireReader;
  readonly writer: ResponseWriter;
  readonly losses: LossLog;
  readonly ids: CallIds;
}

/** Opens the block of a `content_block_start`. */
export function openBlock(context: BlockContext): StreamBlock {
  context.writer.hold(BLOCK_COST + JSON.stringify(context.block));
  switch (textOf(context.block, 'type') ?? '') {
    case 'text':
      return openText(context);
    case 'thinking':
      return openThinking(context);
    case 'redacted_thinking':
      return openRedacted(context);
    case 'tool_use':
      return openCall(context);
    default:
      return openForeign(context);
  }
}

const READ_TEXT = new Set(['type', 'text']);
const READ_THINKING = new Set(['type', 'thinking', 'signature']);
const READ_REDACTED = new Set(['type', 'data']);

function openText({ block, reader, writer }: BlockContext): StreamBlock {
  const index = open('text', writer);
  const citations: JsonValue[] = [];
  const listed = memberOf(block, 'citations');
  if (isJsonArray(listed)) citations.push(...listed);
  writer.text(index, textOf(block, 'text') ?? '');
  return {
    delta(delta) {
      const citation = memberOf(delta, 'citation');
      if (memberOf(delta, 'type') === 'citations_delta' && citation !== undefined) {
        writer.hold(JSON.stringify(citation));
        citations.push(citation);
      } else if (!isNew(delta, writer)) writer.text(index, textFrom(delta, 'text_delta', 'text', reader));
    },
    stop() {
      const whole: JsonObject = {
        ...block,
        citations: citations.length === 0 ? null : freezeJson(citations),
      };
      writer.closeText(index, { extensions: keepFilled(ANTHROPIC, whole, READ_TEXT) });
      return false;
    },
  };
}

function openThinking({ block, reader, writer }: BlockContext): StreamBlock {
  const index = open('reasoning', writer);
  let signature = textOf(block, 'signature');
  writer.text(index, textOf(block, 'thinking') ?? '');
  return {
    delta(delta) {
      if (memberOf(delta, 'type') === 'signature_delta')
        signature = textFrom(delta, 'signature_delta', 'signature', reader);
      else if (!isNew(delta, writer))
        writer.text(index, textFrom(delta, 'thinking_delta', 'thinking', reader));
    },
    stop() {
      writer.closeText(index, {
        opaque: toOpaque('signature', signature === UNSIGNED_THOUGHT ? undefined : signature),
        extensions: keepFilled(ANTHROPIC, block, READ_THINKING),
      });
      return false;
    },
  };
}

function openRedacted({ block, reader, writer }: BlockContext): StreamBlock {
  const index = open('reasoning', writer);
  return {
    delta: () => reader.fail('/delta', 'does not fit its block'),
    stop() {
      writer.closeText(index, {
        opaque: toOpaque('redacted', textOf(block, 'data')),
        extensions: keepFilled(ANTHROPIC, block, READ_REDACTED),
      });
      return false;
    },
  };
}

function openCall({ block, index: wireIndex, reader, writer, losses, ids }: BlockContext): StreamBlock {
  const name = reader.string(memberOf(block, 'name'), '/content_block/name');
  if (name === '') reader.fail('/content_block/name', 'must not be empty');
  const pointer = `${CONTENT_POINTER}/${wireIndex}`;
  const { callId, synthesised } = ids.ofCall(memberOf(block, 'id'), { pointer, name, text: '' });
  if (synthesised) losses.add('synthesised', `${pointer}/id`, 'info', 'a call without an id got one');
  const index = writer.reserve();
  const extensions = callExtensions(block, true);
  writer.openCall(index, { callId, name, ...(extensions === undefined ? {} : { extensions }) });
  const input = fromArgumentValue(memberOf(block, 'input'));
  const early = input === '{}' ? undefined : input;
  return {
    delta(delta) {
      writer.callDelta(index, textFrom(delta, 'input_json_delta', 'partial_json', reader));
    },
    stop: () => true,
    settle() {
      const pieces = writer.argumentsOf(index);
      // The `input` of the start is a placeholder unless nothing follows; then it is the whole of the arguments.
      if (pieces === '') writer.callDelta(index, early ?? '{}');
      else if (early !== undefined && !sameArguments(pieces)(early))
        reader.fail('/content_block/input', 'was sent twice and differs');
      writer.closeCall(index);
    },
  };
}

/** A block that the provider runs itself, or of a kind that is not known: whole, and never a call. */
function openForeign({ block, index: wireIndex, writer, losses }: BlockContext): StreamBlock {
  const index = writer.reserve();
  const type = textOf(block, 'type') ?? '';
  let json = '';
  let late: JsonObject = {};
  const tell = (): void => {
    if (mayAskClient(ANTHROPIC, type)) writer.callBegun(index);
  };
  tell();
  if (runsAtProvider(ANTHROPIC, type)) writer.runBegun(index);
  return {
    delta(delta) {
      tell();
      if (memberOf(delta, 'type') === 'compaction_delta') {
        // It says what the block is in the end, and adds nothing.
        const { type: _type, ...members } = delta;
        writer.hold(JSON.stringify(members));
        late = members;
        return;
      }
      const text = textOf(delta, 'partial_json') ?? '';
      writer.hold(text);
      json += text;
    },
    stop() {
      const input = json === '' ? undefined : toInput(json);
      if (json !== '' && input === undefined) {
        const place = `${CONTENT_POINTER}/${wireIndex}/input`;
        losses.add('dropped', place, 'warning', 'the input of a block that no client runs was cut off');
      }
      const value: JsonObject = { ...block, ...late, ...(input === undefined ? {} : { input }) };
      writer.foreign(
        index,
        compact<ForeignItem>({
          kind: 'foreign',
          protocol: ANTHROPIC,
          role: 'assistant',
          value: freezeJson(value),
        }),
      );
      return false;
    },
  };
}

/** The input of a block that the provider runs itself; nobody here acts on it, so that a broken one fails no answer. */
function toInput(json: string): JsonValue | undefined {
  try {
    return readJson(json, { maxBytes: 'none', maxDepth: 256 });
  } catch (error) {
    if (!JsonError.is(error)) throw error;
    return undefined;
  }
}

function open(kind: TextualKind, writer: ResponseWriter): number {
  const index = writer.reserve();
  writer.openText(kind, index);
  return index;
}

/** Deltas that belong to one kind of block each. */
const KNOWN_DELTAS: ReadonlySet<unknown> = new Set([
  'text_delta',
  'citations_delta',
  'thinking_delta',
  'signature_delta',
  'input_json_delta',
  'compaction_delta',
]);

/**
 * Whether a delta of a text or a thought is of a kind that came later than this edition: it is passed over like such an
 * event, and the text stays what it is. A call is not: nobody knows what such a delta does to its arguments.
 */
function isNew(delta: JsonObject, writer: ResponseWriter): boolean {
  const type = memberOf(delta, 'type');
  if (typeof type !== 'string' || KNOWN_DELTAS.has(type)) return false;
  writer.warning('unknown-event', 'a delta of a kind that is not known was passed over');
  return true;
}

function textFrom(delta: JsonObject, type: string, member: string, reader: WireReader): string {
  if (memberOf(delta, 'type') !== type) return reader.fail('/delta', 'does not fit its block');
  return reader.string(memberOf(delta, member), `/delta/${member}`);
}
