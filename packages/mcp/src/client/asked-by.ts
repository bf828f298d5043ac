/** A message of the protocol that was posted. */
export interface Asked {
  /** `undefined` for what has no answer. */
  readonly id: string | number | undefined;
}

/** What a request of HTTP asks a server; `undefined` for one that is not of the protocol, such as those of a login. */
export function askedBy(init: RequestInit | undefined): Asked | undefined {
  if (init?.method !== 'POST' || typeof init.body !== 'string' || !init.body.startsWith('{'))
    return undefined;
  // Written by the SDK.
  const message: unknown = JSON.parse(init.body);
  if (typeof message !== 'object' || message === null || Reflect.get(message, 'jsonrpc') !== '2.0')
    return undefined;
  const id: unknown = Object.hasOwn(message, 'method') ? Reflect.get(message, 'id') : undefined;
  return { id: typeof id === 'string' || typeof id === 'number' ? id : undefined };
}
