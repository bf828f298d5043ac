import type { Item } from '../call/item.ts';
import type { FinishReason } from '../call/model-response.ts';
import type { ChatFinishReason } from './chat-wire.ts';

/** What an answer holds, as far as its finish depends on it. */
export interface AnswerShape {
  /** Calls that are whole, foreign ones included. */
  readonly calls: boolean;
  /** Calls that the provider did not finish. */
  readonly openCalls: boolean;
  readonly refusal: boolean;
}

/** The words that end an answer. Everything else, the empty text included, says that it goes on. */
const FINISHES: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
]);

/** The finish that a known word means, or `undefined` for a word that ends nothing. */
export function readFinish(word: unknown): FinishReason | undefined {
  return typeof word === 'string' ? FINISHES.get(word) : undefined;
}

/**
 * The neutral finish of an answer. A cut (`length`, `content-filter`) always wins; otherwise what the answer holds
 * decides, and not the word: whole calls are `tool-calls`, and only a refusal is `refusal`.
 */
export function toFinish(said: FinishReason | undefined, { calls, refusal }: AnswerShape): FinishReason {
  if (said === undefined) return 'unknown';
  if (said !== 'stop' && said !== 'tool-calls') return said;
  if (calls) return 'tool-calls';
  return refusal ? 'refusal' : 'stop';
}

/**
 * The word for a finish. An answer with whole calls says `tool_calls`, unless it was cut; an answer with a call that
 * the provider did not finish never ends cleanly.
 */
export function writeFinish(
  finish: FinishReason,
  { calls, openCalls, refusal }: AnswerShape,
): ChatFinishReason {
  if (finish === 'length') return 'length';
  if (finish === 'content-filter') return 'content_filter';
  if (openCalls) return 'length';
  if (finish === 'refusal' && !refusal) return 'content_filter';
  return calls ? 'tool_calls' : 'stop';
}

/** The shape of a whole answer. */
export function shapeOf(items: readonly Item[], incomplete: readonly string[] = []): AnswerShape {
  const open = new Set(incomplete);
  let calls = false;
  let refusal = false;
  for (const item of items) {
    if (item.kind === 'tool-call') calls ||= !open.has(item.callId);
    else if (item.kind === 'foreign') calls ||= item.role === 'assistant';
    else if (item.kind === 'message') refusal ||= item.parts.some((part) => part.kind === 'refusal');
  }
  return { calls, openCalls: open.size > 0, refusal };
}
