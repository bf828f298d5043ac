import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from '@ai-sdk/provider';
import type { OpaqueReasoning } from '../call/item.ts';
import type { ModelEvent } from '../event/model-event.ts';
import { createResponseWriter, type ResponseWriter, type TextualKind } from '../event/response-writer.ts';
import { ModelError } from '../model-error.ts';
import { aiSdkError } from './ai-sdk-error.ts';
import { toFinish, toUsage } from './finish.ts';
import { keepCall, keepCustom, keepResult } from './keep-part.ts';
import { readMetadata } from './provider-metadata.ts';
import { toMedia } from './to-media.ts';
import { warningText } from './warning-text.ts';

type PartOf<Type extends LanguageModelV4StreamPart['type']> = Extract<
  LanguageModelV4StreamPart,
  { readonly type: Type }
>;

/** Turns the parts of one streamed answer into events; state of that answer only. */
export interface PartReader {
  push(part: LanguageModelV4StreamPart): readonly ModelEvent[];
  /** The stream ended. Gives the terminal event that is still missing. */
  end(): readonly ModelEvent[];
  readonly ended: boolean;
}

interface OpenCall {
  readonly index: number;
  /** Whether deltas are the argument text; else only the call at the end has it. */
  readonly live: boolean;
  text: string;
  closed: boolean;
}

const MAX_TOTAL_LENGTH = 64 * 1024 * 1024;

/** Makes the reader of one answer. A call is finished only by its `tool-call` part, whatever came before. */
export function createPartReader(): PartReader {
  const writer = createResponseWriter(MAX_TOTAL_LENGTH);
  const blocks = new Map<string, number>();
  const thoughts = new Map<string, OpaqueReasoning>();
  const calls = new Map<string, OpenCall>();
  const unknown = new Set<string>();

  const step = (part: LanguageModelV4StreamPart): void => {
    if (writer.ended) return;
    switch (part.type) {
      case 'stream-start':
        for (const warning of part.warnings) writer.warning(`ai-sdk/${warning.type}`, warningText(warning));
        return;
      case 'response-metadata':
        start(writer, part);
        return;
      case 'text-start':
      case 'reasoning-start':
        start(writer);
        openText(part, part.type === 'text-start' ? 'text' : 'reasoning');
        return;
      case 'text-delta':
      case 'reasoning-delta':
        noteThought(part);
        writer.text(openBlock(part.id), part.delta);
        return;
      case 'text-end':
      case 'reasoning-end':
        noteThought(part);
        writer.closeText(openBlock(part.id), { opaque: thoughts.get(part.id) });
        blocks.delete(part.id);
        return;
      case 'tool-input-start':
        start(writer);
        openCall(part);
        return;
      case 'tool-input-delta':
        callDelta(part);
        return;
      case 'tool-call':
        start(writer);
        if (part.providerExecuted === true) writer.foreign(writer.reserve(), keepCall(part));
        else endCall(part);
        return;
      case 'tool-result':
        start(writer);
        if (part.preliminary !== true) writer.foreign(writer.reserve(), keepResult(part));
        return;
      case 'custom':
        // A mark of the wire that has nothing to replay.
        if (part.kind === 'anthropic.message_start') return;
        start(writer);
        writer.foreign(writer.reserve(), keepCustom(part));
        return;
      case 'file': {
        start(writer);
        const media = toMedia(part);
        if (media === undefined) drop('file');
        else writer.part(writer.reserve(), { part: media });
        return;
      }
      case 'finish':
        start(writer);
        finish(part);
        return;
      case 'error': {
        const { code, message, status, providerCode } = aiSdkError(part.error, []).failure;
        const isStatus = code === 'model/http-status' && status !== undefined;
        writer.fail(code, message, isStatus ? String(status) : providerCode);
        return;
      }
      case 'tool-input-end':
      case 'ping':
      case 'raw':
        return;
      case 'source':
      case 'reasoning-file':
      case 'tool-approval-request':
        drop(part.type);
        return;
      default:
        // Whatever a newer version brings.
        drop(typeOf(part));
    }
  };

  const drop = (type: string): void => {
    if (unknown.has(type)) return;
    unknown.add(type);
    writer.warning('loss/dropped', `parts of the type ${type.slice(0, 40)} have no neutral form`);
  };
  const openText = (part: PartOf<'text-start' | 'reasoning-start'>, kind: TextualKind): void => {
    if (blocks.has(part.id)) throw invalid('A block was started twice.');
    const index = writer.reserve();
    blocks.set(part.id, index);
    thoughts.delete(part.id);
    noteThought(part);
    const { itemId } = readMetadata(part.providerMetadata);
    writer.openText(kind, index, itemId === undefined ? {} : { itemId });
  };
  const openBlock = (id: string): number => {
    const index = blocks.get(id);
    if (index === undefined) throw invalid('A piece belongs to no open block.');
    return index;
  };
  const noteThought = ({
    id,
    providerMetadata,
  }: Pick<PartOf<'reasoning-end'>, 'id' | 'providerMetadata'>): void => {
    const { opaque } = readMetadata(providerMetadata);
    if (opaque !== undefined) thoughts.set(id, opaque);
  };
  const openCall = ({ id, toolName, ...part }: PartOf<'tool-input-start'>): void => {
    if (part.providerExecuted === true) return;
    if (calls.has(id)) throw invalid('A call was started twice.');
    beginCall(id, toolName, part.inputEncoding !== 'text', part.providerMetadata);
  };
  const beginCall = (
    callId: string,
    name: string,
    live: boolean,
    metadata: LanguageModelV4ToolCall['providerMetadata'],
  ): OpenCall => {
    const { itemId, opaque } = readMetadata(metadata);
    const call: OpenCall = { index: writer.reserve(), live, text: '', closed: false };
    calls.set(callId, call);
    writer.openCall(call.index, {
      callId,
      name,
      ...(itemId === undefined ? {} : { itemId }),
      ...(opaque === undefined ? {} : { signature: opaque }),
    });
    return call;
  };
  const callDelta = ({ id, delta }: PartOf<'tool-input-delta'>): void => {
    const call = calls.get(id);
    // Pieces of a call that the provider runs itself: the whole call follows.
    if (call === undefined) return;
    if (call.closed) throw invalid('Arguments went on after the end of their call.');
    if (!call.live) return;
    call.text += delta;
    writer.callDelta(call.index, delta);
  };
  const endCall = (part: LanguageModelV4ToolCall): void => {
    const { toolCallId, toolName, input } = part;
    const call = calls.get(toolCallId) ?? beginCall(toolCallId, toolName, true, part.providerMetadata);
    if (call.closed) throw invalid('Two calls have the same id.');
    if (call.text === '') writer.callDelta(call.index, input);
    else if (call.text !== input) throw invalid('A call came with two different argument texts.');
    call.closed = true;
    writer.closeCall(call.index);
  };
  const finish = ({ finishReason, usage }: PartOf<'finish'>): void => {
    writer.usage(toUsage(usage));
    const { unified, raw } = finishReason;
    if (unified === 'error')
      writer.fail('model/provider-error', 'The provider reported an error in its stream.');
    else if (unified === 'interrupted')
      writer.fail('model/stream-incomplete', 'The stream ended before the answer did.');
    else {
      const said = toFinish(unified, raw, writer.closedCalls > 0);
      writer.finish(said, raw === undefined ? {} : { finishDetail: raw });
    }
  };

  return {
    push(part) {
      try {
        step(part);
      } catch (error) {
        const known = ModelError.is(error);
        writer.fail(
          known ? error.code : 'model/stream-invalid',
          known ? error.message : 'The stream could not be read.',
        );
      }
      return writer.take();
    },
    end() {
      writer.fail('model/stream-incomplete', 'The stream ended before the answer did.');
      return writer.take();
    },
    get ended() {
      return writer.ended;
    },
  };
}

function start(writer: ResponseWriter, metadata?: PartOf<'response-metadata'>): void {
  const createdAt =
    metadata?.timestamp === undefined ? undefined : Math.floor(metadata.timestamp.getTime() / 1000);
  writer.start({
    id: metadata?.id ?? null,
    model: metadata?.modelId ?? null,
    ...(createdAt === undefined || !Number.isFinite(createdAt) ? {} : { createdAt }),
  });
}

function typeOf({ type }: { readonly type?: unknown }): string {
  return typeof type === 'string' ? type : 'unknown';
}

function invalid(message: string): ModelError {
  return new ModelError('model/stream-invalid', message);
}
