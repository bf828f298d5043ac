import { isJsonObject, type JsonObject, type JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf, toFinish } from '../codec/answer-shape.ts';
import type { Coded } from '../codec/codec.ts';
import { compact } from '../codec/compact.ts';
import { toExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { providerError } from '../codec/provider-error.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import {
  createWireReader,
  isJsonArray,
  memberOf,
  setMember,
  textOf,
  unreadMembers,
} from '../codec/wire-reader.ts';
import { createCallIds } from './call-ids.ts';
import { toCamelCase } from './camel-case.ts';
import { decodeParts } from './decode-contents.ts';
import { isWhole, readFinish } from './finish-reason.ts';
import { GEMINI } from './gemini-protocol.ts';
import { GEMINI_SPELLING } from './gemini-spelling.ts';
import { decodeUsage, restOfUsage } from './usage.ts';

const READ = new Set([
  'candidates',
  'usageMetadata',
  'modelVersion',
  'responseId',
  'promptFeedback',
  'sdkHttpResponse',
]);
const READ_CANDIDATE = new Set(['content', 'finishReason', 'index']);

const reader = createWireReader('model/response-invalid');

/** @see Codec.decodeResponse. @throws ModelError `model/provider-error` for an error body. */
export function decodeResponse(body: JsonValue): Coded<ModelResponse> {
  const losses = createLossLog();
  const response = toCamelCase(reader.object(body, ''), reader);
  refuseOtherSpellings(reader, response, GEMINI_SPELLING);
  const error = memberOf(response, 'error');
  if (error !== undefined && error !== null) throw providerError(error);
  const id = textOf(response, 'responseId') ?? null;
  const model = textOf(response, 'modelVersion') ?? null;
  const candidates = reader.optional('array', memberOf(response, 'candidates'), '/candidates') ?? [];
  if (candidates.length > 1)
    losses.add('dropped', '/candidates', 'warning', 'only the first answer has a neutral form');
  const blocked = blockReason(response);
  if (candidates.length === 0 && blocked === undefined)
    reader.fail('/candidates', 'has no answer, and nothing says why');
  const candidate = candidates.length === 0 ? {} : reader.object(candidates[0], '/candidates/0');
  const content = reader.optional('object', memberOf(candidate, 'content'), '/candidates/0/content');
  const context = { reader, ids: createCallIds(id, model), losses, answer: true };
  const parts = content ? (memberOf(content, 'parts') ?? []) : [];
  const items = decodeParts(context, parts, 'assistant', '/candidates/0/content/parts');
  const word = memberOf(candidate, 'finishReason') ?? blocked;
  // A prompt that was blocked was filtered, whatever the word for it.
  const said = candidates.length === 0 ? 'content-filter' : readFinish(word);
  const whole = isWhole(said);
  const incomplete = whole ? [] : items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
  const value = compact<ModelResponse>({
    id,
    model,
    items: Object.freeze(items),
    finish: toFinish(said, shapeOf(items, incomplete)),
    finishDetail: typeof word === 'string' ? word : undefined,
    incomplete: incomplete.length === 0 ? undefined : Object.freeze(incomplete),
    usage: decodeUsage(memberOf(response, 'usageMetadata')),
    extensions: keepEnvelope([response], [candidate]),
  });
  return Object.freeze({ value, losses: losses.losses });
}

/** Why a prompt was blocked, where it was. */
export function blockReason(response: JsonObject): string | undefined {
  const feedback = memberOf(response, 'promptFeedback');
  const reason = isJsonObject(feedback) ? textOf(feedback, 'blockReason') : undefined;
  return reason === '' ? undefined : reason;
}

/** What the envelopes and candidates of an answer say besides the neutral members; later ones replace earlier ones. */
export function keepEnvelope(
  responses: readonly JsonObject[],
  candidates: readonly JsonObject[],
): Extensions | undefined {
  const members: Record<string, JsonValue> = {};
  const candidate: Record<string, JsonValue> = {};
  for (const response of responses) {
    copyFilled(members, unreadMembers(response, READ));
    const feedback = memberOf(response, 'promptFeedback');
    if (isJsonObject(feedback)) members['promptFeedback'] = feedback;
    const usage = restOfUsage(memberOf(response, 'usageMetadata'));
    if (usage !== undefined) members['usageMetadata'] = usage;
  }
  for (const each of candidates) copyFilled(candidate, unreadMembers(each, READ_CANDIDATE));
  if (Object.keys(candidate).length > 0) members['candidate'] = candidate;
  return Object.keys(members).length === 0 ? undefined : toExtensions(GEMINI, members);
}

function copyFilled(target: Record<string, JsonValue>, members: JsonObject | undefined): void {
  for (const [name, value] of Object.entries(members ?? {})) {
    if (value !== null && !(isJsonArray(value) && value.length === 0)) setMember(target, name, value);
  }
}
