import type { JsonObject, JsonValue } from '@toolgate/core';
import type { Item } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf } from '../codec/answer-shape.ts';
import type { Coded } from '../codec/codec.ts';
import { compact } from '../codec/compact.ts';
import { keepFilled } from '../codec/extensions.ts';
import { createLossLog } from '../codec/loss-log.ts';
import { providerError } from '../codec/provider-error.ts';
import { readCount } from '../codec/read-count.ts';
import { refuseOtherSpellings } from '../codec/spelling.ts';
import { createWireReader, memberOf, textOf } from '../codec/wire-reader.ts';
import { isClientCall } from './client-call.ts';
import { decodeItem } from './decode-item.ts';
import { RESPONSES } from './responses-protocol.ts';
import { RESPONSE_SPELLING } from './responses-spelling.ts';
import { readEnding } from './status.ts';
import { decodeUsage } from './usage.ts';

/** Members of a response that have a neutral form. */
export const READ_ENVELOPE: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created_at',
  'model',
  'status',
  'output',
  'output_text',
  'usage',
  'error',
  'incomplete_details',
  // When it ended: the neutral response has the time of its start.
  'completed_at',
]);

const reader = createWireReader('model/response-invalid');

/**
 * @see Codec.decodeResponse. A response with the status `failed` keeps what it holds and has the finish `error`.
 * @throws ModelError `model/provider-error` for an error body.
 */
export function decodeResponse(body: JsonValue): Coded<ModelResponse> {
  const losses = createLossLog();
  const response = reader.object(body, '');
  refuseOtherSpellings(reader, response, RESPONSE_SPELLING);
  const output = memberOf(response, 'output');
  const error = memberOf(response, 'error');
  if (output === undefined && error !== undefined && error !== null) {
    throw providerError(error);
  }
  const { id, model, createdAt } = readHead(response);
  const context = { reader, losses, seed: [id], answer: true };
  const items: Item[] = [];
  const incomplete: string[] = [];
  reader.array(output ?? [], '/output').forEach((entry, index) => {
    const pointer = `/output/${index}`;
    const wire = reader.object(entry, pointer);
    const item = decodeItem(context, wire, pointer);
    items.push(item);
    if (item.kind === 'tool-call' && !isWhole(wire)) incomplete.push(item.callId);
  });
  const ending = readEnding(response, shapeOf(items, incomplete, isClientCall));
  const broken =
    ending.finish === 'error'
      ? items.flatMap((item) => (item.kind === 'tool-call' ? [item.callId] : []))
      : incomplete;
  return Object.freeze({
    value: compact<ModelResponse>({
      id,
      model,
      items: Object.freeze(items),
      finish: ending.finish,
      finishDetail: ending.finishDetail,
      incomplete: broken.length === 0 ? undefined : Object.freeze(broken),
      usage: decodeUsage(memberOf(response, 'usage')),
      createdAt: createdAt ?? undefined,
      extensions: keepFilled(RESPONSES, response, READ_ENVELOPE),
    }),
    losses: losses.losses,
  });
}

/** Id, model and time of a response object. */
export function readHead(response: JsonObject): {
  readonly id: string | null;
  readonly model: string | null;
  readonly createdAt: number | null;
} {
  return {
    id: textOf(response, 'id') ?? null,
    model: textOf(response, 'model') ?? null,
    createdAt: readCount(response, 'created_at'),
  };
}

/** Whether the provider finished an item: a status that is not there is that of a finished item. */
export function isWhole(item: JsonObject): boolean {
  const status = memberOf(item, 'status');
  return status === undefined || status === null || status === 'completed';
}
