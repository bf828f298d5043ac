import type { ModelResponse } from '../call/model-response.ts';
import type { AnswerShape } from '../codec/answer-shape.ts';
import type { LossLog } from '../codec/loss-log.ts';
import type { ChatFinishReason } from './chat-wire.ts';

type Finish = Pick<ModelResponse, 'finish' | 'finishDetail' | 'stopSequence'>;

/** Logs what the one word of this wire does not say about the end of an answer. */
export function noteFinish(
  { finish, finishDetail, stopSequence }: Finish,
  word: ChatFinishReason,
  { calls }: AnswerShape,
  losses: LossLog,
): void {
  if (finish === 'paused' || finish === 'unknown') {
    losses.add('approximated', '/finish', 'warning', 'this protocol has no word for this end');
  } else if (finish === 'refusal' && word === 'content_filter') {
    losses.add('approximated', '/finish', 'info', 'a refusal without words is a filtered answer here');
  } else if ((finish === 'stop' || finish === 'refusal' || finish === 'tool-calls') && word === 'length') {
    losses.add(
      'approximated',
      '/finish',
      'warning',
      'an answer with an unfinished call is a cut answer here',
    );
  } else if (finish === 'stop' && word === 'tool_calls') {
    losses.add('approximated', '/finish', 'info', 'an answer with calls says so here');
  } else if (finish === 'tool-calls' && word === 'stop') {
    losses.add('approximated', '/finish', 'info', 'an answer without calls does not speak of them here');
  }
  if (finishDetail !== word)
    losses.add('approximated', '/finishDetail', 'info', "a provider's own word for the end");
  if (stopSequence !== undefined)
    losses.add('dropped', '/stopSequence', 'info', 'the stop text has no form here');
  if (calls && (word === 'length' || word === 'content_filter')) {
    losses.add('approximated', '/incomplete', 'info', 'no call of a cut answer counts as finished here');
  }
}
