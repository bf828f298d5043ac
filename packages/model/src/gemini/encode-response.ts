import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { Item, ReasoningItem, ToolCallItem } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf } from '../codec/answer-shape.ts';
import { toArgumentObject } from '../codec/argument-object.ts';
import type { Coded } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { type FailureClass, failureClass, failureText } from '../codec/failure-class.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { objectIn } from './encode-config.ts';
import { encodeCall, encodePart, encodeReasoning } from './encode-part.ts';
import { noteFinish, writeFinish } from './finish-reason.ts';
import { GEMINI } from './gemini-protocol.ts';
import type { GeminiError, GeminiResponseBody } from './gemini-wire.ts';
import { encodeUsage } from './usage.ts';

/** The word for an answer in which the model called a function with something that is no object. */
export const MALFORMED = 'MALFORMED_FUNCTION_CALL';

/** @see Codec.encodeResponse. A finished call whose arguments are no object ends the answer as the wire's own malformed call. */
export function encodeResponse(response: ModelResponse): Coded<JsonObject> {
  const losses = createLossLog();
  if (response.finish === 'error') {
    losses.add('approximated', '', 'warning', 'a failed answer is an error body here');
    return Object.freeze({ value: errorBody(response.finishDetail), losses: losses.losses });
  }
  const open = new Set(response.incomplete);
  let malformed = false;
  const parts = response.items.flatMap((item, index) => {
    const path = `/items/${index}`;
    if (item.kind === 'message' && response.items[index - 1]?.kind === 'message') {
      losses.add('approximated', path, 'info', 'neighbouring messages of one role are one here');
    }
    if (item.kind !== 'tool-call') return encodeItem(item, path, losses);
    const call = encodeAnswerCall(item, open.has(item.callId), path, losses);
    if (call === 'malformed') malformed = true;
    return call === undefined || call === 'malformed' ? [] : [call];
  });
  const shape = shapeOf(response.items, response.incomplete);
  const word = malformed ? MALFORMED : writeFinish(response, shape);
  noteFinish(response, word, shape, losses);
  if (response.createdAt !== undefined)
    losses.add('dropped', '/createdAt', 'info', 'answers have no time here');
  const kept = takeExtensions(GEMINI, response.extensions, '', losses, { severity: 'info', grouped: true });
  const { candidate: _candidate, usageMetadata: _usage, ...members } = kept;
  const usageMetadata = encodeUsage(response.usage, objectIn(kept, 'usageMetadata'), losses);
  const body: GeminiResponseBody = {
    candidates: [
      { ...objectIn(kept, 'candidate'), content: { role: 'model', parts }, finishReason: word, index: 0 },
    ],
    ...(usageMetadata === undefined ? {} : { usageMetadata }),
    ...(response.model === null ? {} : { modelVersion: response.model }),
    ...(response.id === null ? {} : { responseId: response.id }),
  };
  return Object.freeze({ value: Object.freeze({ ...members, ...body }), losses: losses.losses });
}

const ERROR_STATUSES: Readonly<Record<FailureClass, readonly [code: number, status: string]>> = {
  context: [400, 'INVALID_ARGUMENT'],
  limited: [429, 'RESOURCE_EXHAUSTED'],
  overloaded: [503, 'UNAVAILABLE'],
  timeout: [504, 'DEADLINE_EXCEEDED'],
  request: [400, 'INVALID_ARGUMENT'],
};

/**
 * The error body of this wire, with a sentence of ours.
 *
 * @param word - The provider's word for the failure, or our code.
 */
export function errorBody(word: string | undefined): GeminiError {
  const failure = failureClass(word);
  const [code, status] = failure === undefined ? ([500, 'INTERNAL'] as const) : ERROR_STATUSES[failure];
  return { error: { code, message: failureText(failure), status } };
}

/** The part of a call in an answer, or none for a call that was not finished. */
export function encodeAnswerCall(
  item: ToolCallItem,
  open: boolean,
  path: string,
  losses: LossLog,
): JsonObject | 'malformed' | undefined {
  if (open) {
    losses.add('dropped', path, 'warning', 'a call that was not finished has no form here');
    losses.add('dropped', '/incomplete', 'info', 'calls that were not finished are left out here');
    return undefined;
  }
  const args = toArgumentObject(item.arguments, `${path}/arguments`, losses);
  if (args !== undefined) return encodeCall(item, args, path, losses);
  losses.add('dropped', path, 'warning', 'arguments that are no object make the call malformed here');
  return 'malformed';
}

function encodeItem(item: Exclude<Item, ToolCallItem>, path: string, losses: LossLog): readonly JsonObject[] {
  switch (item.kind) {
    case 'message':
      if (item.id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'messages have no ids here');
      if (item.extensions !== undefined) {
        losses.add('dropped', `${path}/extensions`, 'info', 'members of a message have no place here');
      }
      if (item.parts.length === 0)
        losses.add('dropped', path, 'info', 'a message without parts says nothing');
      return item.parts.flatMap((part, index) => encodePart(part, `${path}/parts/${index}`, losses));
    case 'reasoning':
      return encodeThought(item, path, losses);
    case 'foreign':
      if (item.protocol === GEMINI && isJsonObject(item.value)) return [item.value];
      losses.add('refused', path, 'error', 'an item that only its own protocol understands');
      return [];
    case 'tool-result':
      losses.add('dropped', path, 'error', 'an answer holds no results of tools');
      return [];
  }
}

/** A thought of another route is shown without a signature. */
function encodeThought(item: ReasoningItem, path: string, losses: LossLog): readonly JsonObject[] {
  if (
    item.opaque?.protocol === GEMINI ||
    (item.opaque === undefined && item.extensions?.protocol === GEMINI)
  ) {
    return encodeReasoning(item, path, losses);
  }
  noteUnsigned(item, path, losses);
  if (item.summary !== undefined) {
    losses.add('approximated', `${path}/summary`, 'info', 'a thought has one text here');
    if (item.text === undefined) losses.add('relocated', `${path}/text`, 'info', 'the text is the summary');
  }
  const text = item.text ?? item.summary?.join('\n\n') ?? '';
  if (text !== '') return [{ text, thought: true }];
  losses.add('dropped', path, 'info', 'a thought without text says nothing here');
  return [];
}

/** Logs what a thought of another route loses here; also used for streams. */
export function noteUnsigned(
  { opaque, id }: Pick<ReasoningItem, 'opaque' | 'id'>,
  path: string,
  losses: LossLog,
): void {
  if (opaque !== undefined)
    losses.add('dropped', `${path}/opaque`, 'warning', 'a signature of another route');
  if (id !== undefined) losses.add('dropped', `${path}/id`, 'info', 'thoughts have no ids here');
  losses.add(
    'approximated',
    `${path}/extensions`,
    'info',
    'a thought shown here becomes one of this protocol',
  );
}
