import type { Clock } from '@toolgate/core';
import { authHeaders, ENDPOINTS, type Protocol, requestUrl } from '@toolgate/model';
import type { ProviderConfig } from '../config/gateway-config.ts';
import { type ExchangeHandler, type SentRequest, startExchange } from './exchange.ts';
import { openPool } from './open-pool.ts';

/** One request to a provider. */
export interface ProviderRequest {
  readonly method: 'POST' | 'GET';
  /** Relative to the base URL, without a leading slash; may bring a query. */
  readonly path: string;
  readonly body: Uint8Array | string;
  /** Headers of the client that mean something to the provider; never a key. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One upstream with its connections. */
export interface Provider {
  readonly name: string;
  readonly protocol: Protocol;
  readonly baseUrl: URL;
  /** Of the address, for traces. */
  readonly host: string;
  /** Whether it is the protocol's own service and not something compatible. */
  readonly isOwner: boolean;
  /** The one name under which it knows the limit of an answer, where that is written. */
  readonly maxTokensField: ProviderConfig['maxTokensField'];
  /** Exact texts that must not be shown to anybody. */
  secrets(): readonly string[];
  send(request: ProviderRequest, handler: ExchangeHandler): SentRequest;
  /** Waits for what is in flight, then closes the connections. */
  close(): Promise<void>;
  /** Breaks all connections. */
  destroy(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Opens a provider. One answer at a time on a connection and as many connections as there are answers: a stream that
 * waits behind another one would stand still for seconds.
 */
export function createProvider(config: ProviderConfig, clock: Clock): Provider {
  const { name, protocol, baseUrl, apiKey, timeouts } = config;
  const endpoint = ENDPOINTS[protocol];
  const folder = baseUrl.pathname.replace(/\/+$/, '');
  const pool = openPool(baseUrl.origin, {
    pipelining: 1,
    connections: null,
    keepAliveTimeout: 15_000,
    connect: { timeout: timeouts.connectMs },
    // The exchange watches over silence itself, because waiting for a slow client is none.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const pathOf = (path: string): string => {
    if (baseUrl.search === '') return `${folder}/${path}`;
    const url = new URL(requestUrl(baseUrl, path));
    return `${url.pathname}${url.search}`;
  };

  const common: Headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream, application/json',
    ...endpoint.headers,
  };
  const own: Headers = {
    ...authHeaders(endpoint.auth, apiKey?.reveal()),
    ...Object.fromEntries([...config.headers].map(([header, value]) => [header, value.reveal()])),
  };
  const plain: Headers = Object.freeze({ ...common, ...own });
  /** What a client asks for stands below the key and above the defaults; most ask for nothing. */
  const headersFor = (asked: Headers): Headers =>
    Object.keys(asked).length === 0 ? plain : { ...common, ...asked, ...own };

  return Object.freeze({
    name,
    protocol,
    baseUrl,
    host: baseUrl.hostname,
    maxTokensField: config.maxTokensField,
    isOwner: baseUrl.origin === new URL(endpoint.baseUrl).origin,
    secrets() {
      const texts = [...config.headers.values()].map((secret) => secret.reveal());
      return apiKey === undefined ? texts : [apiKey.reveal(), ...texts];
    },
    send(request: ProviderRequest, handler: ExchangeHandler) {
      const headers = headersFor(request.headers);
      const dispatch = { path: pathOf(request.path), method: request.method, headers, body: request.body };
      return startExchange({ dispatcher: pool, request: dispatch, timeouts, clock }, handler);
    },
    close: () => pool.close(),
    destroy: () => pool.destroy(),
  });
}
