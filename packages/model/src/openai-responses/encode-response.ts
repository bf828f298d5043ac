import type { JsonObject } from '@toolgate/core';
import type { Item } from '../call/item.ts';
import type { ModelResponse } from '../call/model-response.ts';
import { shapeOf } from '../codec/answer-shape.ts';
import type { Coded } from '../codec/codec.ts';
import { takeExtensions } from '../codec/extensions.ts';
import { failureClass, failureText } from '../codec/failure-class.ts';
import { createLossLog, type LossLog } from '../codec/loss-log.ts';
import { OPENAI_FAILURES } from '../codec/openai-failure.ts';
import { syntheticId } from '../codec/synthetic-id.ts';
import { isClientCall } from './client-call.ts';
import { encodeOutputItem } from './encode-output.ts';
import { RESPONSES } from './responses-protocol.ts';
import type { ResponsesBody } from './responses-wire.ts';
import { noteEnding, type WireEnding, writeEnding } from './status.ts';
import { encodeUsage } from './usage.ts';

/** @see Codec.encodeResponse. A failed answer keeps what it holds, with the status `failed` and a sentence of ours. */
export function encodeResponse(response: ModelResponse): Coded<JsonObject> {
  const losses = createLossLog();
  const id = response.id ?? syntheticId('resp', response.model ?? '');
  const incomplete = new Set(response.incomplete);
  const output: JsonObject[] = [];
  response.items.forEach((item, index) => {
    const encoded = encodeOutputItem(item, {
      path: `/items/${index}`,
      losses,
      id: itemId(item, id, output.length),
      status: item.kind === 'tool-call' && incomplete.has(item.callId) ? 'incomplete' : 'completed',
    });
    if (encoded !== undefined) output.push(encoded);
  });
  noteSynthesised(response, losses);
  const shape = shapeOf(response.items, response.incomplete, isClientCall);
  const usage = encodeUsage(response.usage, losses);
  const head = { id, model: response.model ?? '', createdAt: response.createdAt ?? 0 };
  const members = takeExtensions(RESPONSES, response.extensions, '', losses, {
    severity: 'info',
    grouped: true,
  });
  const counts = usage === undefined ? {} : { usage };
  if (response.finish === 'error') {
    losses.add(
      'approximated',
      '/finishDetail',
      'info',
      "the provider's word for the failure is told by its kind",
    );
    const failed = {
      ...skeleton(head, members, 'failed'),
      error: failureOf(response.finishDetail),
      output,
      ...counts,
    };
    return Object.freeze({ value: Object.freeze(failed), losses: losses.losses });
  }
  const ending = writeEnding(response.finish, shape);
  noteEnding(response, ending, shape, losses);
  const body = { ...skeleton(head, members, ending.status), ...endingMembers(ending), output, ...counts };
  return Object.freeze({ value: Object.freeze(body), losses: losses.losses });
}

/**
 * The code and the sentence of a failure. What the provider wrote is not ours to pass on.
 *
 * @param word - The provider's word for the failure, or our code.
 */
export function failureOf(word: string | undefined): NonNullable<ResponsesBody['error']> {
  const failure = failureClass(word);
  const code = failure === undefined ? 'server_error' : OPENAI_FAILURES[failure];
  return { code, message: failureText(failure) };
}

/** Id, model and time of a response. */
export interface ResponseHead {
  readonly id: string;
  readonly model: string;
  readonly createdAt: number;
}

/** A response object without its output; what echoes the request is filled with what the wire has for nothing. */
export function skeleton(
  head: ResponseHead,
  members: JsonObject,
  status: ResponsesBody['status'],
): ResponsesBody & JsonObject {
  const echoes: Pick<ResponsesBody, Echo> = {
    access_programs: null,
    instructions: null,
    metadata: null,
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
  };
  const body: Omit<ResponsesBody, Echo> = {
    id: head.id,
    object: 'response',
    created_at: head.createdAt,
    status,
    error: null,
    incomplete_details: null,
    model: head.model,
    output: [],
  };
  return { ...echoes, ...members, ...body };
}

type Echo =
  | 'access_programs'
  | 'instructions'
  | 'metadata'
  | 'parallel_tool_calls'
  | 'temperature'
  | 'tool_choice'
  | 'tools'
  | 'top_p';

/** The members that say why an answer is not whole. */
export function endingMembers(ending: WireEnding): JsonObject {
  return ending.status === 'completed' ? {} : { incomplete_details: { reason: ending.reason } };
}

/** The id of an item that has none, the same in a stream and in a whole answer. */
export function itemId(item: Pick<Item, 'kind'>, responseId: string, position: number): string {
  const prefix = item.kind === 'message' ? 'msg' : item.kind === 'reasoning' ? 'rs' : 'fc';
  return syntheticId(prefix, responseId, position);
}

function noteSynthesised({ id, model, createdAt }: ModelResponse, losses: LossLog): void {
  if (id === null) losses.add('synthesised', '/id', 'info', 'this wire wants an id');
  if (model === null) losses.add('synthesised', '/model', 'info', 'this wire wants a model');
  if (createdAt === undefined) losses.add('synthesised', '/createdAt', 'info', 'this wire wants a time');
  losses.add(
    'synthesised',
    '/extensions',
    'info',
    'the wire echoes the request; its members have default values',
  );
}
