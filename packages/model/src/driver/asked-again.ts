import { isJsonObject, type JsonValue } from '@toolgate/core';

/** Words for an account that is used up or not paid, which share the status 429 with a rate that passes. */
const USED_UP: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'exceeded_current_quota_error',
  'billing_hard_limit_reached',
  'billing_not_active',
  'usage_limit_reached',
  'insufficient_balance',
]);

/**
 * What a provider says itself about sending the same request once more, which counts more than its status: the header
 * `x-should-retry`, or that the account is used up.
 *
 * @param usedUp - Whether its error has a word for that.
 * @returns `undefined` where it says neither.
 */
export function askedAgain(headers: Headers, usedUp: boolean): boolean | undefined {
  const wish = headers.get('x-should-retry')?.trim().toLowerCase();
  if (wish === 'true' || wish === 'false') return wish === 'true';
  return usedUp ? false : undefined;
}

/** Whether the body of a refusal has a word for an account that no wait fills up. */
export function isUsedUp(body: JsonValue | undefined): boolean {
  const first = Array.isArray(body) ? body[0] : body;
  if (!isJsonObject(first)) return false;
  const error = first['error'];
  const inner = isJsonObject(error) ? [error['code'], error['type']] : [];
  return [...inner, first['code'], first['type']].some(
    (word) => typeof word === 'string' && USED_UP.has(word),
  );
}
