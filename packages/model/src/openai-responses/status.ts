import { isJsonObject, type JsonObject } from '@toolgate/core';
import type { FinishReason, ModelResponse } from '../call/model-response.ts';
import { type AnswerShape, toFinish } from '../codec/answer-shape.ts';
import type { LossLog } from '../codec/loss-log.ts';
import { memberOf, textOf } from '../codec/wire-reader.ts';

/** How an answer ended, in neutral words and in the provider's. */
export interface Ending {
  readonly finish: FinishReason;
  readonly finishDetail?: string | undefined;
}

/** Reads status and reason of a response object. A status that ends nothing is `unknown`. */
export function readEnding(response: JsonObject, shape: AnswerShape): Ending {
  const status = textOf(response, 'status');
  switch (status ?? '') {
    case 'completed':
      return { finish: shape.openCalls ? 'unknown' : toFinish('stop', shape), finishDetail: status };
    case 'incomplete': {
      const details = memberOf(response, 'incomplete_details');
      const reason = isJsonObject(details) ? textOf(details, 'reason') : undefined;
      if (reason === 'max_output_tokens') return { finish: 'length', finishDetail: reason };
      if (reason === 'content_filter') return { finish: 'content-filter', finishDetail: reason };
      return { finish: 'unknown', finishDetail: reason ?? status };
    }
    case 'failed':
    case 'cancelled': {
      const error = memberOf(response, 'error');
      return {
        finish: 'error',
        finishDetail: (isJsonObject(error) ? textOf(error, 'code') : undefined) ?? status,
      };
    }
    default:
      return { finish: 'unknown', finishDetail: status };
  }
}

/** What the wire says about an end. */
export type WireEnding =
  | { readonly status: 'completed' }
  | { readonly status: 'incomplete'; readonly reason: 'max_output_tokens' | 'content_filter' };

/** The wire's form of an end that is no failure; an answer with an unfinished call never ends as completed. */
export function writeEnding(finish: FinishReason, { openCalls, refusal }: AnswerShape): WireEnding {
  if (finish === 'length') return { status: 'incomplete', reason: 'max_output_tokens' };
  if (finish === 'content-filter') return { status: 'incomplete', reason: 'content_filter' };
  if (openCalls) return { status: 'incomplete', reason: 'max_output_tokens' };
  if (finish === 'refusal' && !refusal) return { status: 'incomplete', reason: 'content_filter' };
  return { status: 'completed' };
}

type Finish = Pick<ModelResponse, 'finish' | 'finishDetail' | 'stopSequence'>;

/** Logs what the wire does not say about an end. */
export function noteEnding(
  { finish, finishDetail, stopSequence }: Finish,
  ending: WireEnding,
  shape: AnswerShape,
  losses: LossLog,
): void {
  const read = ending.status === 'completed' ? toFinish('stop', shape) : undefined;
  const back =
    read ??
    (ending.status === 'incomplete' && ending.reason === 'content_filter' ? 'content-filter' : 'length');
  if (back !== finish) {
    const clear = finish === 'refusal' || finish === 'stop' || finish === 'tool-calls';
    losses.add(
      'approximated',
      '/finish',
      clear ? 'info' : 'warning',
      'this protocol has another word for this end',
    );
  }
  const detail = ending.status === 'completed' ? ending.status : ending.reason;
  if (finishDetail !== detail)
    losses.add('approximated', '/finishDetail', 'info', "a provider's own word for the end");
  if (stopSequence !== undefined)
    losses.add('dropped', '/stopSequence', 'info', 'the stop text has no form here');
}
