import type { Protocol } from '../call/protocol.ts';
import { ModelError } from '../model-error.ts';
import type { SchemaTarget } from '../projection/schema-profiles.ts';

/** How a key travels. `query` does not exist on purpose: addresses end up in logs. */
export type AuthStyle = 'bearer' | 'x-api-key' | 'api-key' | 'x-goog-api-key' | 'none';

/** Where a protocol lives and how it is spoken to there. */
export interface EndpointDefaults {
  readonly baseUrl: string;
  readonly auth: AuthStyle;
  readonly headers: Readonly<Record<string, string>>;
  /** What tool schemas are projected onto at any other address that speaks the protocol. */
  readonly schemas: SchemaTarget;
  /** The same at the address above. */
  readonly ownSchemas: SchemaTarget;
}

/** Where each protocol lives unless the caller says otherwise. */
export const ENDPOINTS: Readonly<Record<Protocol, EndpointDefaults>> = {
  'openai-chat': {
    baseUrl: 'https://api.openai.com/v1',
    auth: 'bearer',
    headers: {},
    schemas: 'openai',
    ownSchemas: 'openai-strict',
  },
  'openai-responses': {
    baseUrl: 'https://api.openai.com/v1',
    auth: 'bearer',
    headers: {},
    schemas: 'openai',
    ownSchemas: 'openai-strict',
  },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    auth: 'x-api-key',
    headers: { 'anthropic-version': '2023-06-01' },
    schemas: 'anthropic',
    ownSchemas: 'anthropic',
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    auth: 'x-goog-api-key',
    headers: {},
    schemas: 'gemini-json',
    ownSchemas: 'gemini-json',
  },
};

/** Ends of addresses that the codec adds itself. */
const METHOD_PATHS =
  /\/(?:chat\/completions|responses|messages|models\/[^/]*:(?:generate|streamGenerate)Content)\/*$/;
const KEY_PARAMETERS = /^(?:key|api[-_]?key|(?:access[-_]?)?token|subscription-key)$/i;

/**
 * Reads a base URL once. Its query is kept (Azure wants `api-version` there); credentials in it are refused.
 *
 * @throws ModelError `model/options-invalid`, without the address.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalid('baseUrl must be an absolute http or https address');
  if (url.username !== '' || url.password !== '')
    throw invalid('baseUrl must not hold credentials; use apiKey or headers');
  if ([...url.searchParams.keys()].some((name) => KEY_PARAMETERS.test(name)))
    throw invalid('baseUrl must not hold a key in its query, where logs would keep it; use apiKey');
  if (METHOD_PATHS.test(url.pathname))
    throw invalid('baseUrl must end before the path of the method, which is added to it');
  return url;
}

function invalid(message: string): ModelError {
  return new ModelError('model/options-invalid', message);
}

/** Joins a codec's relative path, which may bring a query of its own, to a base URL. */
export function requestUrl(base: URL, path: string): string {
  const [pathname = '', query = ''] = path.split('?');
  const url = new URL(base);
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${pathname}`;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value);
  return url.href;
}

/** The headers that carry a key. */
export function authHeaders(style: AuthStyle, apiKey: string | undefined): Readonly<Record<string, string>> {
  if (apiKey === undefined || style === 'none') return {};
  return style === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { [style]: apiKey };
}
