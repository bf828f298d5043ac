import { appendPointer } from '@toolgate/core';
import type { Protocol } from '@toolgate/model';
import type { BuildContext } from './build-context.ts';
import type { GatewayConfigInput, ProviderInput } from './config-input.ts';
import type { ProviderConfig } from './gateway-config.ts';
import type { Secret } from './secret.ts';

/** Where the owner of each protocol serves it. */
const BASE_URLS: Readonly<Record<Protocol, string>> = {
  'openai-chat': 'https://api.openai.com/v1',
  'openai-responses': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Headers that belong to the connection or to the body, and are never anybody's to set. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
const KEY_PARAMETERS = /^(?:key|api[-_]?key|(?:access[-_]?)?token|subscription-key)$/i;

/** The providers by name. */
export function buildProviders(
  context: BuildContext,
  { providers = {} }: GatewayConfigInput,
): ReadonlyMap<string, ProviderConfig> {
  return new Map(
    Object.entries(providers).flatMap(([name, input]) => {
      const built = buildProvider(context, name, input);
      return built === undefined ? [] : [[name, built]];
    }),
  );
}

function buildProvider(
  context: BuildContext,
  name: string,
  input: ProviderInput,
): ProviderConfig | undefined {
  const pointer = appendPointer('/providers', name);
  const { maxTokensField, protocol, timeouts = {} } = input;
  if (maxTokensField !== undefined && protocol !== 'openai-chat')
    context.note(`${pointer}/maxTokensField`, 'only openai-chat has two names for it');
  const { apiKey: key, baseUrl: address = BASE_URLS[protocol] } = input;
  const baseUrl = context.part(() => buildUrl(context, `${pointer}/baseUrl`, address));
  const apiKey =
    key === undefined ? undefined : context.part(() => headerSecret(context, `${pointer}/apiKey`, key));
  const headers = buildHeaders(context, `${pointer}/headers`, input.headers);
  if (baseUrl === undefined) return undefined;
  return Object.freeze({
    name,
    protocol,
    baseUrl,
    apiKey,
    headers,
    maxTokensField,
    timeouts: Object.freeze({
      connectMs: timeouts.connectMs ?? 10_000,
      firstByteMs: timeouts.firstByteMs ?? 120_000,
      idleMs: timeouts.idleMs ?? 60_000,
      totalMs: timeouts.totalMs ?? 900_000,
    }),
  });
}

/** An address that the gateway itself calls: no credentials, and no key in the query, where logs would keep it. */
export function buildUrl(context: BuildContext, pointer: string, text: string): URL {
  const filled = context.fill(pointer, text);
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return context.fail(pointer, 'it is not an absolute http or https address');
  if (url.username !== '' || url.password !== '' || url.hash !== '')
    return context.fail(pointer, 'an address has no credentials and no fragment');
  if ([...url.searchParams.keys()].some((name) => KEY_PARAMETERS.test(name)))
    return context.fail(pointer, 'an address has no key in its query');
  return url;
}

/** Headers for each request, names in lower case. */
export function buildHeaders(
  context: BuildContext,
  pointer: string,
  headers: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, Secret> {
  const built = new Map<string, Secret>();
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name))
      context.note(pointer, 'the name of a header has a character that is not allowed');
    if (OWN_HEADERS.has(lower)) context.note(pointer, `the header ${lower} is set by the gateway itself`);
    if (built.has(lower)) context.note(pointer, `the header ${lower} is there twice`);
    const secret = context.part(() => headerSecret(context, appendPointer(pointer, name), value));
    if (secret !== undefined) built.set(lower, secret);
  }
  return built;
}

/** A secret that is sent in a header, where a line break would begin another one. */
function headerSecret(context: BuildContext, pointer: string, value: string): Secret {
  const secret = context.secret(pointer, value);
  if (!/^[\t\x20-\x7e\x80-\xff]+$/.test(secret.reveal()))
    context.fail(pointer, 'a value for a header is empty or has a character that is not allowed');
  return secret;
}
