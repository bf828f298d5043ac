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
