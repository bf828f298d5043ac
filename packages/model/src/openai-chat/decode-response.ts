import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Item } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf, toFinish } from '../codec/answer-shape.ts';
import type { Coded } from '../codec/codec.ts';
import { keepFilled } from '../codec/extensions.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { providerError } from '../codec/provider-error.ts';
import { readCount } from '../codec/read-count.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import { createWireReader, memberOf, textOf } from '../codec/wire-reader.ts';
import type { Draft } from '../internal/draft.ts';
import { createCallIds } from './call-ids.ts';
import { CHAT } from './chat-protocol.ts';
import { CHAT_SPELLING } from './chat-spelling.ts';
import { isCustomCall } from './custom-call.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { type MissingFinish, readEnd } from './finish-reason.ts';
import { decodeUsage } from './usage.ts';

/** Members of a response, or of a chunk of it, that have a neutral form or none worth keeping. */
export const READ_ENVELOPE: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'obfuscation',
]);

/** Where the message of a response is; the ids of calls without one are made of it, in a stream too. */
export const MESSAGE_POINTER = '/choices/0/message';

const reader = createWireReader('model/response-invalid');

/** @see Codec.decodeResponse. @throws ModelError `model/provider-error` for an error body. */
export function decodeResponse(
  body: JsonValue,
  missingFinish: MissingFinish = 'unknown',
): Coded<ModelResponse> {
  const losses = createLossLog();
  const response = reader.object(body, '');
  refuseOtherSpellings(reader, response, CHAT_SPELLING);
  refuseError(response);
  const choices = reader.array(memberOf(response, 'choices'), '/choices');
  if (choices.length > 1)
    losses.add('dropped', '/choices', 'warning', 'only the first answer has a neutral form');
  const choice = reader.object(choices[0], '/choices/0');
  const message = reader.object(memberOf(choice, 'message'), MESSAGE_POINTER);
  const id = textOf(response, 'id') ?? null;
  const model = textOf(response, 'model') ?? null;
  const createdAt = readCount(response, 'created');
  const ids = createCallIds(id, model, createdAt);
  const word = memberOf(choice, 'finish_reason');
  const said = readEnd(word, missingFinish);
  const whole = said === 'stop' || said === 'tool-calls';
  const decoded = decodeAssistant({ reader, ids, losses, answer: true }, message, MESSAGE_POINTER);
  const items = whole && decoded.every(saysSomething) ? decoded : toldItems(decoded, whole, losses);
  if (isJsonObject(memberOf(choice, 'delta'))) {
    losses.add('dropped', '/choices/0/delta', 'warning', 'a piece of a stream beside the whole message');
  }
  if (isJsonObject(memberOf(choice, 'logprobs'))) {
    losses.add('dropped', '/choices/0/logprobs', 'info', 'log probabilities have no neutral form');
  }
  const value: Draft<ModelResponse> = {
    id,
    model,
    items: Object.freeze(items),
    finish: toFinish(said, shapeOf(items, undefined, isCustomCall)),
    usage: decodeUsage(memberOf(response, 'usage')),
  };
  if (typeof word === 'string' && word !== '') value.finishDetail = word;
  const incomplete = whole ? undefined : callIdsOf(items);
  if (incomplete !== undefined) value.incomplete = incomplete;
  if (createdAt !== null) value.createdAt = createdAt;
  const extensions = keepFilled(CHAT, response, READ_ENVELOPE);
  if (extensions !== undefined) value.extensions = extensions;
  return Object.freeze({ value: Object.freeze(value), losses: losses.losses });
}

/** The items that the answer has, in an answer that was cut without custom calls. */
function toldItems(decoded: readonly Item[], whole: boolean, losses: LossLog): readonly Item[] {
  return decoded.filter((item) => {
    if (whole || item.kind !== 'foreign') return saysSomething(item);
    // It cannot be listed as incomplete, and nobody may take it for finished.
    losses.add('dropped', `${MESSAGE_POINTER}/tool_calls`, 'warning', 'a custom call that was cut off');
    return false;
  });
}

/** The ids of the calls of an answer that was cut; `undefined` where there are none. */
function callIdsOf(items: readonly Item[]): readonly string[] | undefined {
  const ids = items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
  return ids.length === 0 ? undefined : Object.freeze(ids);
}

/** An empty message is no answer; what a stream of it would give, either. */
function saysSomething(item: Item): boolean {
  if (item.kind !== 'message' || item.extensions !== undefined) return true;
  const { parts } = item;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part?.kind !== 'text' || part.text !== '') return true;
  }
  return false;
}

function refuseError(response: JsonObject): void {
  const error = errorIn(response);
  if (error !== undefined) throw providerError(error);
}

/** The error that a body or a chunk tells instead of an answer; some servers write its members without the object around. */
export function errorIn(body: JsonObject): JsonValue | undefined {
  const error = memberOf(body, 'error') ?? undefined;
  return error === undefined && memberOf(body, 'object') === 'error' ? body : error;
}
