import type { FetchLike } from '@modelcontextprotocol/client';

/**
 * A `fetch` that sends headers to the server that they were given for and to nobody else: a login asks addresses that the
 * server names, which may be those of others. At the server's own address they stand in front of what the SDK sends; to the
 * rest of its origin, where it may serve its login, they go where the request says nothing else.
 */
export function ownHeaders(
  fetch: FetchLike,
  { href, origin }: URL,
  headers: Readonly<Record<string, string>>,
): FetchLike {
  return async (address, init) => {
    const url = new URL(address);
    if (url.origin !== origin) return fetch(address, init);
    const sent = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers))
      if (url.href === href || !sent.has(name)) sent.set(name, value);
    return fetch(address, { ...init, headers: sent });
  };
}
