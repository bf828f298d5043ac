import type { FetchLike } from '@modelcontextprotocol/client';

/** What carries out the requests of the platform's `fetch` (undici, Dispatcher). */
interface Dispatcher {
  readonly dispatch: (options: object, handler: unknown) => boolean;
}

const GLOBAL = /^undici\.globalDispatcher\.(\d+)$/;
const EVENTS = 'text/event-stream';
/** A call waits as long as its own limits say. */
const NO_TIMEOUT = { headersTimeout: 0, bodyTimeout: 0 } as const;

/**
 * The platform's `fetch` without its own limit of five minutes for an answer, and for each piece of one, to messages that
 * are posted: how long a call may take is for its rule to say. Logins keep it, and so do streams that wait for news,
 * because whether they still lead anywhere shows in nothing else.
 */
export const patientFetch: FetchLike = (url, init) => {
  if (!isMessage(init) || globalDispatcher() === undefined) return fetch(url, init);
  return fetch(url, { ...init, dispatcher: PATIENT } as RequestInit);
};

/** Whether this posts a message of the protocol, whose answer may be a stream. */
function isMessage(init: RequestInit | undefined): boolean {
  return init?.method === 'POST' && (new Headers(init.headers).get('accept') ?? '').includes(EVENTS);
}

const PATIENT: Dispatcher = Object.freeze({
  // Looked up each time: applications exchange it, for proxies above all.
  dispatch: (options: object, handler: unknown) =>
    globalDispatcher(handler)?.dispatch({ ...options, ...NO_TIMEOUT }, handler) ?? false,
});

/**
 * The dispatcher that the platform's `fetch` would take; absent until `fetch` was loaded. Under each number stands one for
 * another form of handlers: the newest takes those that begin with `onRequestStart` alone, the oldest what came before.
 */
function globalDispatcher(handler?: unknown): Dispatcher | undefined {
  const numbered = Object.getOwnPropertySymbols(globalThis)
    .map((symbol) => ({ symbol, number: Number(GLOBAL.exec(symbol.description ?? '')?.[1] ?? 0) }))
    .filter(({ number }) => number > 0)
    .toSorted((left, right) => left.number - right.number);
  const chosen = startsRequests(handler) ? numbered.at(-1) : numbered[0];
  const found: unknown = chosen && Reflect.get(globalThis, chosen.symbol);
  return isDispatcher(found) ? found : undefined;
}

function startsRequests(handler: unknown): boolean {
  return (
    typeof handler === 'object' &&
    handler !== null &&
    typeof Reflect.get(handler, 'onRequestStart') === 'function'
  );
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'dispatch') === 'function';
}
