/** A message of the protocol that was posted. */
export interface Asked {
  /** `undefined` for what has no answer. */
  readonly id: string | number | undefined;
  /** Whether it tells something, and neither asks nor answers. */
  readonly isNotice?: true;
}

/** What a request of HTTP asks a server; `undefined` for one that is not of the protocol, such as those of a login. */
export function askedBy(init: RequestInit | undefined): Asked | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string' || !init.body.startsWith('{'))
    return undefined;
  // Written by the SDK.
  const message: unknown = JSON.parse(init.body);
  if (typeof message !== 'object' || message === null || Reflect.get(message, 'jsonrpc') !== '2.0')
    return undefined;
  const asks = Object.hasOwn(message, 'method');
  const id: unknown = asks ? Reflect.get(message, 'id') : undefined;
  const known = typeof id === 'string' || typeof id === 'number' ? id : undefined;
  return { id: known, ...(asks && known === undefined ? { isNotice: true } : {}) };
}
