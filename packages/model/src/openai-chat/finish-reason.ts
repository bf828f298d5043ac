import type { FinishReason } from '../call/model-response.ts';
import type { AnswerShape } from '../codec/answer-shape.ts';
import type { ChatFinishReason } from './chat-wire.ts';

/**
 * The words that end an answer, those of the wire and those by which servers that speak it say the same, in small letters.
 * Everything else, the empty text included, says that it goes on.
 */
const FINISHES: ReadonlyMap<string, FinishReason> = new Map<string, FinishReason>([
  ['stop', 'stop'],
  ['tool_calls', 'tool-calls'],
  ['function_call', 'tool-calls'],
  ['length', 'length'],
  ['content_filter', 'content-filter'],
  ['end', 'stop'],
  ['end_turn', 'stop'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_call', 'tool-calls'],
  ['tool_use', 'tool-calls'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['refusal', 'content-filter'],
  ['safety', 'content-filter'],
  ['sensitive', 'content-filter'],
  ['abort', 'error'],
  ['error', 'error'],
  ['insufficient_system_resource', 'error'],
  ['malformed_function_call', 'error'],
  ['network_error', 'error'],
]);

/** What an answer without any word about its end is taken for. */
export type MissingFinish = 'unknown' | 'stop';

/** The finish of an answer that ended: that of its word, or what a missing one means. An unknown word is none of these. */
export function readEnd(word: unknown, missing: MissingFinish): FinishReason | undefined {
  const isMissing = word === undefined || word === null || word === '';
  return isMissing && missing === 'stop' ? 'stop' : readFinish(word);
}

/** The finish that a known word means, or `undefined` for a word that ends nothing. */
export function readFinish(word: unknown): FinishReason | undefined {
  if (typeof word !== 'string') return undefined;
  return FINISHES.get(word) ?? FINISHES.get(word.toLowerCase());
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
