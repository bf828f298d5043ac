import { isRetryableStatus } from './retry.ts';

/** The words, without what joins their parts, by which providers say that the same request may succeed later. */
const PASSING: ReadonlySet<string> = new Set([
  'overloaded',
  'overloadederror',
  'engineoverloaded',
  'serveroverloaded',
  'serverisoverloaded',
  'slowdown',
  'ratelimit',
  'ratelimiterror',
  'ratelimitexceeded',
  'ratelimitexceedederror',
  'toomanyrequests',
  'resourceexhausted',
  'apierror',
  'servererror',
  'internal',
  'internalerror',
  'internalservererror',
  'unavailable',
  'serviceunavailable',
  'serviceunavailableerror',
  'badgateway',
  'gatewaytimeout',
  'timeout',
  'timeouterror',
  'requesttimeout',
  'deadlineexceeded',
  'vectorstoretimeout',
]);

/**
 * Whether a provider's word for a failure means that the same request may succeed later. A word that is not known does
 * not: a used-up quota or a request that is too long fails again.
 */
export function isPassingWord(word: string | undefined): boolean {
  if (word === undefined) return false;
  if (/^\d{3}$/.test(word)) return isRetryableStatus(Number(word));
  return PASSING.has(word.toLowerCase().replace(/[^a-z]/g, ''));
}
