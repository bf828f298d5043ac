import type { FinishReason, ModelResponse } from '../call/model-response.ts';
import type { AnswerShape } from '../codec/answer-shape.ts';
import type { LossLog } from '../codec/loss-log.ts';
import type { AnthropicStopReason } from './anthropic-wire.ts';

/** A refusal of this protocol is the filter's, not the model's own words. */
const FINISHES: Readonly<Record<AnthropicStopReason, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
  pause_turn: 'paused',
};

/** The finish that a known word means; `undefined` for a word that is not known. */
export function readStopReason(word: unknown): FinishReason | undefined {
  // The answer stops behind the summary of a conversation, to be gone on with.
  if (word === 'compaction') return 'paused';
  return isStopReason(word) ? FINISHES[word] : undefined;
}

function isStopReason(word: unknown): word is AnthropicStopReason {
  return typeof word === 'string' && Object.hasOwn(FINISHES, word);
}

type Finish = Pick<ModelResponse, 'finish' | 'finishDetail' | 'stopSequence'>;

/**
 * The word for a finish: the provider's own where it means the same, else what the answer holds decides. An answer with
 * a call that was not finished never ends cleanly.
 */
export function writeStopReason(end: Finish, shape: AnswerShape): AnthropicStopReason {
  const word = wordFor(end, shape);
  const own = end.finishDetail;
  return isStopReason(own) && own !== 'tool_use' && FINISHES[own] === FINISHES[word] ? own : word;
}

function wordFor({ finish, stopSequence }: Finish, { calls, openCalls }: AnswerShape): AnthropicStopReason {
  if (finish === 'length') return 'max_tokens';
  if (finish === 'content-filter' || finish === 'refusal') return 'refusal';
  if (openCalls) return 'max_tokens';
  if (finish === 'paused') return 'pause_turn';
  if (calls) return 'tool_use';
  return typeof stopSequence === 'string' ? 'stop_sequence' : 'end_turn';
}

/** Logs what the one word of this wire does not say about the end of an answer. */
export function noteStopReason(
  end: Finish,
  word: AnthropicStopReason,
  { calls }: AnswerShape,
  losses: LossLog,
): void {
  const said = FINISHES[word];
  if (said !== end.finish) {
    const unsafe = end.finish === 'unknown' || end.finish === 'refusal' || said === 'length';
    losses.add(
      'approximated',
      '/finish',
      unsafe ? 'warning' : 'info',
      'this protocol has another word for this end',
    );
  }
  if (end.finishDetail !== word) {
    losses.add('approximated', '/finishDetail', 'info', "a provider's own word for the end");
  }
  if (calls && (said === 'length' || said === 'content-filter')) {
    losses.add('approximated', '/incomplete', 'info', 'no call of a cut answer counts as finished here');
  }
}
