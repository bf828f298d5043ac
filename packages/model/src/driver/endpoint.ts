import type { Protocol } from '../call/protocol.ts';
import { ModelError } from '../model-error.ts';

/** How a key travels. `query` does not exist on purpose: addresses end up in logs. */
export type AuthStyle = 'bearer' | 'x-api-key' | 'api-key' | 'x-goog-api-key' | 'none';

interface EndpointDefaults {
  readonly baseUrl: string;
  readonly auth: AuthStyle;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where each protocol lives unless the caller says otherwise. */
export const ENDPOINTS: Readonly<Record<Protocol, EndpointDefaults>> = {
  'openai-chat': { baseUrl: 'https://api.openai.com/v1', auth: 'bearer', headers: {} },
  'openai-responses': { baseUrl: 'https://api.openai.com/v1', auth: 'bearer', headers: {} },
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    auth: 'x-api-key',
    headers: { 'anthropic-version': '2023-06-01' },
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    auth: 'x-goog-api-key',
    headers: {},
  },
};

/**
 * Reads a base URL once. Its query is kept (Azure wants `api-version` there); credentials in it are refused.
 *
 * @throws ModelError `model/options-invalid`.
 */
export function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ModelError('model/options-invalid', 'baseUrl must be an absolute http or https address');
  }
  if (url.username !== '' || url.password !== '') {
    throw new ModelError('model/options-invalid', 'baseUrl must not hold credentials; use apiKey or headers');
  }
  return url;
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
