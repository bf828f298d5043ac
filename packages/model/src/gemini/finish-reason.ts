import type { FinishReason, ModelResponse } from '../call/model-response.ts';
import type { AnswerShape } from '../codec/answer-shape.ts';
import type { LossLog } from '../codec/loss-log.ts';

const FINISHES: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content-filter'],
  ['RECITATION', 'content-filter'],
  ['LANGUAGE', 'content-filter'],
  ['BLOCKLIST', 'content-filter'],
  ['PROHIBITED_CONTENT', 'content-filter'],
  ['SPII', 'content-filter'],
  ['IMAGE_SAFETY', 'content-filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
  ['IMAGE_RECITATION', 'content-filter'],
  // Reasons for which a prompt is blocked.
  ['MODEL_ARMOR', 'content-filter'],
  ['JAILBREAK', 'content-filter'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
  ['MISSING_THOUGHT_SIGNATURE', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
  ['OTHER', 'error'],
  ['IMAGE_OTHER', 'error'],
  ['NO_IMAGE', 'error'],
  ['CONTINUATION', 'paused'],
]);

/** The finish that a known word means; `undefined` for a word that is not known. */
export function readFinish(word: unknown): FinishReason | undefined {
  return typeof word === 'string' ? FINISHES.get(word) : undefined;
}

/** Whether an answer that ended with this was not cut off, so that its calls are whole. */
export function isWhole(said: FinishReason | undefined): boolean {
  return said === 'stop' || said === 'paused';
}

type Finish = Pick<ModelResponse, 'finish' | 'finishDetail' | 'stopSequence'>;

/** The word for a finish: the provider's own where it means the same. Calls need no word of their own here. */
export function writeFinish(end: Finish, { openCalls }: AnswerShape): string {
  const word = wordFor(end.finish, openCalls);
  const own = end.finishDetail;
  return own !== undefined && FINISHES.get(own) === FINISHES.get(word) ? own : word;
}

function wordFor(finish: FinishReason, openCalls: boolean): string {
  if (finish === 'length') return 'MAX_TOKENS';
  if (finish === 'content-filter' || finish === 'refusal') return 'SAFETY';
  if (openCalls) return 'MAX_TOKENS';
  if (finish === 'paused') return 'CONTINUATION';
  return finish === 'stop' || finish === 'tool-calls' ? 'STOP' : 'OTHER';
}

/** Logs what the one word of this wire does not say about the end of an answer. */
export function noteFinish(end: Finish, word: string, { calls }: AnswerShape, losses: LossLog): void {
  const said = FINISHES.get(word);
  const back = said === 'stop' && calls ? 'tool-calls' : said;
  if (back !== end.finish) {
    const harmless = end.finish === 'stop' || end.finish === 'tool-calls';
    losses.add(
      'approximated',
      '/finish',
      harmless && said === 'stop' ? 'info' : 'warning',
      'this protocol has another word for this end',
    );
  }
  if (end.finishDetail !== word) {
    losses.add('approximated', '/finishDetail', 'info', "a provider's own word for the end");
  }
  if (end.stopSequence !== undefined)
    losses.add('dropped', '/stopSequence', 'info', 'the stop text has no form here');
  if (calls && !isWhole(said)) {
    losses.add('approximated', '/incomplete', 'info', 'no call of a cut answer counts as finished here');
  }
}
