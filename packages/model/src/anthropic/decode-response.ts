import type { JsonObject, JsonValue } from '@toolgate/core';
import type { Extensions } from '../call/extensions.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf, toFinish } from '../codec/answer-shape.ts';
import type { Coded } from '../codec/codec.ts';
import { compact } from '../codec/compact.ts';
import { toExtensions } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { providerError } from '../codec/provider-error.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import { createWireReader, memberOf, textOf, unreadMembers } from '../codec/wire-reader.ts';
import { createCallIds } from '../openai-chat/call-ids.ts';
import { ANTHROPIC } from './anthropic-protocol.ts';
import { MESSAGE_SPELLING } from './anthropic-spelling.ts';
import { decodeAssistant } from './decode-assistant.ts';
import { readStopReason } from './stop-reason.ts';
import { decodeUsage, restOfUsage } from './usage.ts';

const READ = new Set(['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'usage']);

/** Where the blocks of a response are; the ids of calls without one are made of it, in a stream too. */
export const CONTENT_POINTER = '/content';

const reader = createWireReader('model/response-invalid');

/** @see Codec.decodeResponse. @throws ModelError `model/provider-error` for an error body. */
export function decodeResponse(body: JsonValue): Coded<ModelResponse> {
  const losses = createLossLog();
  const response = reader.object(body, '');
  refuseOtherSpellings(reader, response, MESSAGE_SPELLING);
  if (memberOf(response, 'type') === 'error') throw providerError(memberOf(response, 'error'));
  const id = textOf(response, 'id') ?? null;
  const model = textOf(response, 'model') ?? null;
  const content = memberOf(response, 'content') ?? reader.fail(CONTENT_POINTER, 'is missing');
  const context = { reader, ids: createCallIds(id, model), losses, answer: true };
  const items = decodeAssistant(context, content, CONTENT_POINTER);
  const word = memberOf(response, 'stop_reason');
  const said = readStopReason(word);
  const whole = said === 'stop' || said === 'tool-calls' || said === 'paused';
  const incomplete = whole ? [] : items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []));
  const value = compact<ModelResponse>({
    id,
    model,
    items: Object.freeze(items),
    finish: toFinish(said, shapeOf(items, incomplete)),
    finishDetail: typeof word === 'string' ? word : undefined,
    stopSequence: textOf(response, 'stop_sequence'),
    incomplete: incomplete.length === 0 ? undefined : Object.freeze(incomplete),
    usage: decodeUsage(memberOf(response, 'usage')),
    extensions: keepEnvelope(response),
  });
  return Object.freeze({ value, losses: losses.losses });
}

/** What the envelope of an answer says besides the neutral members; members without a value say nothing. */
export function keepEnvelope(...parts: readonly JsonObject[]): Extensions | undefined {
  const members: Record<string, JsonValue> = {};
  for (const part of parts) {
    for (const [name, value] of Object.entries(unreadMembers(part, READ) ?? {})) {
      if (value !== null) members[name] = value;
    }
    const usage = restOfUsage(memberOf(part, 'usage'));
    if (usage !== undefined) members['usage'] = usage;
  }
  return Object.keys(members).length === 0 ? undefined : toExtensions(ANTHROPIC, members);
}
