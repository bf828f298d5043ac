import { type FailureClass, failureClass } from '@toolgate/model';
import { type RefusalCode, refuse } from '../http/refusal.ts';
import type { UpstreamFailure } from './upstream-failure.ts';

const CODES: Readonly<Record<FailureClass, RefusalCode>> = {
  context: 'context_length_exceeded',
  limited: 'upstream_limited',
  overloaded: 'upstream_overloaded',
  timeout: 'upstream_timeout',
  request: 'upstream_refused',
};

/**
 * The failure of an answer that, under a status of success, says that there is none.
 *
 * @param word - The provider's word for it; another candidate is asked unless it says that the request is at fault.
 */
export function reportedFailure(word: string | undefined): UpstreamFailure {
  const failure = failureClass(word);
  return Object.freeze({
    kind: 'reported',
    refusal: refuse(failure === undefined ? 'upstream_failed' : CODES[failure]),
    retryable: failure !== 'context' && failure !== 'request',
  });
}

/** Words that every protocol's writer has one of its own for. */
const WORDS: ReadonlyMap<RefusalCode, string> = new Map<RefusalCode, string>([
  ['context_length_exceeded', 'context_length_exceeded'],
  ['upstream_limited', 'rate_limit_exceeded'],
  ['upstream_overloaded', 'overloaded'],
  ['upstream_timeout', 'timeout'],
  ['upstream_refused', 'invalid_prompt'],
]);

/** The word by which a stream that has to end says why; `undefined` where protocols have none for it. */
export function failureWord(code: RefusalCode): string | undefined {
  return WORDS.get(code);
}
