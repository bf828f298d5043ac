import { isJsonObject, type JsonValue } from '@toolgate/core';

/**
 * The wait that Gemini asks for in the body of a refusal (`google.rpc.RetryInfo`), where it sends no `Retry-After`:
 * decimal seconds and an `s`.
 *
 * @returns Milliseconds; `undefined` when absent or unreadable.
 */
export function retryInfoMs(body: JsonValue | undefined): number | undefined {
  const first = Array.isArray(body) ? body[0] : body;
  const error = isJsonObject(first) ? first['error'] : undefined;
  const details = isJsonObject(error) ? error['details'] : undefined;
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const delay = isJsonObject(detail) && isRetryInfo(detail['@type']) ? detail['retryDelay'] : undefined;
    if (typeof delay === 'string' && /^\d{1,8}(\.\d{1,9})?s$/.test(delay))
      return Number(delay.slice(0, -1)) * 1000;
  }
  return undefined;
}

function isRetryInfo(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && type.endsWith('google.rpc.RetryInfo');
}
