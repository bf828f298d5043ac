import { failureClass } from '../codec/failure-class.ts';
import { isRetryableStatus } from './retry.ts';

/** The words, without what joins their parts, for a failure of a server that has no class of its own. */
const OF_SERVERS: ReadonlySet<string> = new Set([
  'apierror',
  'servererror',
  'internal',
  'internalerror',
  'internalservererror',
  'badgateway',
]);

/**
 * Whether a provider's word for a failure means that the same request may succeed later. A word that is not known does
 * not: a used-up quota or a request that is too long fails again.
 */
export function isPassingWord(word: string | undefined): boolean {
  if (word === undefined) return false;
  if (/^\d{3}$/.test(word)) return isRetryableStatus(Number(word));
  const failure = failureClass(word);
  if (failure !== undefined) return failure !== 'context' && failure !== 'request';
  return OF_SERVERS.has(word.toLowerCase().replace(/[^a-z]/g, ''));
}
