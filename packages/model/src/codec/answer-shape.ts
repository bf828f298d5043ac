import type { ForeignItem, Item, MessageItem } from '../call/item.ts';
import type { FinishReason } from '../call/model-response.ts';

/** What an answer holds, as far as its finish depends on it. */
export interface AnswerShape {
  /** Calls that are whole, foreign ones included. */
  readonly calls: boolean;
  /** Calls that the provider did not finish. */
  readonly openCalls: boolean;
  readonly refusal: boolean;
}

/**
 * The neutral finish of an answer. A cut (`length`, `content-filter`) always wins; otherwise what the answer holds
 * decides, and not the word: whole calls are `tool-calls`, only a refusal is `refusal`, and nothing but a call that the
 * provider did not finish is no clean end.
 */
export function toFinish(
  said: FinishReason | undefined,
  { calls, openCalls, refusal }: AnswerShape,
): FinishReason {
  if (said === undefined) return 'unknown';
  if (said !== 'stop' && said !== 'tool-calls') return said;
  if (calls) return 'tool-calls';
  if (openCalls) return 'unknown';
  return refusal ? 'refusal' : 'stop';
}

/**
 * The shape of a whole answer.
 *
 * @param isCall - Whether a foreign item is a call that the client has to answer.
 */
export function shapeOf(
  items: readonly Item[],
  incomplete: readonly string[] = [],
  isCall: (item: ForeignItem) => boolean = () => false,
): AnswerShape {
  const open = incomplete.length === 0 ? undefined : new Set(incomplete);
  let calls = false;
  let refusal = false;
  // By index: an engine walks a frozen list by iterator at several times the cost.
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item?.kind === 'tool-call') calls ||= open?.has(item.callId) !== true;
    else if (item?.kind === 'foreign') calls ||= isCall(item);
    else if (item?.kind === 'message') refusal ||= refuses(item);
  }
  return { calls, openCalls: open !== undefined, refusal };
}

function refuses({ parts }: MessageItem): boolean {
  for (let index = 0; index < parts.length; index++) if (parts[index]?.kind === 'refusal') return true;
  return false;
}
