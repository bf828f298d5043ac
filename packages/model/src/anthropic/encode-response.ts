import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Item, ReasoningItem } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf } from '../codec/answer-shape.ts';
import { toArgumentObject } from '../codec/argument-object.ts';
import type { Coded } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { type FailureClass, failureClass, failureText } from '../codec/failure-class.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { syntheticId } from '../codec/synthetic-id.ts';
import { UNSIGNED_THOUGHT } from '../codec/unsigned-thought.ts';
import { ModelError } from '../model-error.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import type { AnthropicError, AnthropicResponseBody, AnthropicThinking } from './anthropic-wire.ts';
import { encodeCall, encodeMessage, encodeReasoning } from './encode-assistant.ts';
import { encodeAnswerPart } from './encode-content.ts';
import { noteStopReason, writeStopReason } from './stop-reason.ts';
import { encodeUsage } from './usage.ts';

/**
 * @see Codec.encodeResponse.
 * @throws ModelError `model/not-encodable` for a finished call whose arguments are no object: an empty one in its place
 *   would be executed.
 */
export function encodeResponse(response: ModelResponse): Coded<JsonObject> {
  const losses = createLossLog();
  if (response.finish === 'error') {
    losses.add('approximated', '', 'warning', 'a failed answer is an error body here');
    return Object.freeze({ value: errorBody(response.finishDetail), losses: losses.losses });
  }
  const { id, model, createdAt } = response;
  const open = new Set(response.incomplete);
  const content = response.items.flatMap((item, index) => {
    const path = `/items/${index}`;
    if (item.kind === 'message' && response.items[index - 1]?.kind === 'message') {
      losses.add('approximated', path, 'info', 'neighbouring messages of one role are one here');
    }
    return encodeItem(item, open, path, losses);
  });
  const shape = shapeOf(response.items, response.incomplete);
  const word = writeStopReason(response, shape);
  noteStopReason(response, word, shape, losses);
  noteRest(response, losses);
  if (id === null) losses.add('synthesised', '/id', 'info', 'this wire wants an id');
  if (model === null) losses.add('synthesised', '/model', 'info', 'this wire wants a model');
  if (createdAt !== undefined) losses.add('dropped', '/createdAt', 'info', 'answers have no time here');
  const members = takeExtensions(ANTHROPIC, response.extensions, '', losses, {
    severity: 'info',
    grouped: true,
  });
  const kept = members['usage'];
  const body: AnthropicResponseBody = {
    id: id ?? syntheticId('msg', model ?? ''),
    type: 'message',
    role: 'assistant',
    model: model ?? '',
    content,
    stop_reason: word,
    stop_sequence: response.stopSequence ?? null,
    usage: { ...(isJsonObject(kept) ? kept : {}), ...encodeUsage(response.usage, losses) },
  };
  return Object.freeze({ value: Object.freeze({ ...members, ...body }), losses: losses.losses });
}

const ERROR_TYPES: Readonly<Record<FailureClass, string>> = {
  context: 'invalid_request_error',
  limited: 'rate_limit_error',
  overloaded: 'overloaded_error',
  timeout: 'timeout_error',
  request: 'invalid_request_error',
};

/**
 * The error body of this wire, with a sentence of ours.
 *
 * @param word - The provider's word for the failure, or our code.
 */
export function errorBody(word: string | undefined): AnthropicError {
  const failure = failureClass(word);
  const type = failure === undefined ? 'api_error' : ERROR_TYPES[failure];
  return { type: 'error', error: { type, message: failureText(failure) } };
}

function noteRest({ stopSequence, incomplete = [], items }: ModelResponse, losses: LossLog): void {
  if (stopSequence === null)
    losses.add('approximated', '/stopSequence', 'info', 'null and absent are the same here');
  const known = new Set(items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : [])));
  if (incomplete.some((callId) => !known.has(callId))) {
    losses.add('dropped', '/incomplete', 'info', 'ids of calls that are not there');
  }
}

function encodeItem(
  item: Item,
  open: ReadonlySet<string>,
  path: string,
  losses: LossLog,
): readonly JsonObject[] {
  switch (item.kind) {
    case 'message':
      return encodeMessage(item, path, losses, encodeAnswerPart);
    case 'reasoning':
      return encodeThought(item, path, losses);
    case 'tool-call': {
      if (open.has(item.callId)) {
        losses.add('dropped', '/incomplete', 'info', 'calls that were not finished are left out here');
        losses.add('dropped', path, 'warning', 'a call that was not finished has no form in a whole answer');
        return [];
      }
      const input = toArgumentObject(item.arguments, `${path}/arguments`, losses);
      if (input !== undefined) return [encodeCall(item, input, path, losses)];
      throw new ModelError('model/not-encodable', 'The arguments of a call are not a JSON object.', {
        pointer: `${path}/arguments`,
      });
    }
    case 'foreign':
      if (item.protocol === ANTHROPIC && isJsonObject(item.value)) return [item.value];
      losses.add('refused', path, 'error', 'an item that only its own protocol understands');
      return [];
    case 'tool-result':
      losses.add('dropped', path, 'error', 'an answer holds no results of tools');
      return [];
  }
}

/** A thought of another route is shown with a mark for a signature, so that it cannot be taken for one of this provider. */
function encodeThought(item: ReasoningItem, path: string, losses: LossLog): readonly JsonObject[] {
  if (item.opaque?.protocol === ANTHROPIC) return encodeReasoning(item, path, losses);
  const text = item.text ?? item.summary?.join('\n\n') ?? '';
  noteUnsigned(item, path, losses);
  if (item.summary !== undefined) {
    losses.add('approximated', `${path}/summary`, 'info', 'a thought has one text here');
    if (item.text === undefined) losses.add('relocated', `${path}/text`, 'info', 'the text is the summary');
  }
  if (text === '') {
    losses.add('dropped', path, 'info', 'a thought without text says nothing here');
    return [];
  }
  return [{ type: 'thinking', thinking: text, signature: UNSIGNED_THOUGHT } satisfies AnthropicThinking];
}

/** Logs what a thought of another route loses here; also used for streams. */
export function noteUnsigned(
  { opaque, id, extensions }: Pick<ReasoningItem, 'opaque' | 'id' | 'extensions'>,
  path: string,
  losses: LossLog,
): void {
  if (opaque !== undefined)
    losses.add('dropped', `${path}/opaque`, 'warning', 'a signature of another route');
  if (id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'thoughts have no ids here');
  if (extensions !== undefined) {
    losses.add('dropped', `${path}/extensions`, 'info', 'members of a thought of another route');
  }
}
