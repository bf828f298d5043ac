import { type Clock, systemClock } from '@toolgate/core';
import type { Codec } from '../codec/codec.ts';
import type { HistoryProfile } from '../history/history-profile.ts';
import type { Capability } from '../model.ts';
import { ModelError } from '../model-error.ts';
import { NAME_RULES, type NameRule } from '../naming/name-map.ts';
import type { SchemaProfile } from '../projection/schema-profile.ts';
import type { SchemaTarget } from '../projection/schema-profiles.ts';
import { readAttemptOptions, readBound } from './attempt-options.ts';
import { type AuthStyle, authHeaders, ENDPOINTS, readBaseUrl } from './endpoint.ts';
import { secretForms } from './redact-secrets.ts';
import type { RetryOptions } from './retry.ts';
import type { ModelTimeouts } from './watchdog.ts';

/** The part of `fetch` that a driver uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How to reach one model over HTTP. Read and copied once. */
export interface HttpModelConfig {
  readonly codec: Codec;
  /** The model's name at the provider; replaces `call.model`. */
  readonly model: string;
  /** Default: the provider's own address. A query is kept (Azure wants `api-version`). */
  readonly baseUrl?: string;
  /** Never part of an address, an error or an event. */
  readonly apiKey?: string;
  /** How the key travels. Default: what the protocol's own provider wants. */
  readonly auth?: AuthStyle;
  /** Further headers; values count as secrets in error texts. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeouts?: ModelTimeouts;
  readonly retry?: RetryOptions;
  /** Bytes of one answer, streamed or not. Default 64 MiB. */
  readonly maxResponseBytes?: number | 'none';
  /** Refuse a call that the protocol cannot carry without an `error` loss. Default `false`: losses become warnings. */
  readonly strict?: boolean;
  /**
   * What tool schemas are projected onto. Default: the strict mode of OpenAI at its own address, else what the protocol
   * accepts without one. `as-written` sends them untouched.
   */
  readonly schemas?: SchemaTarget | SchemaProfile | 'as-written';
  /** What the endpoint accepts as a tool name. Default: the rule of the protocol. */
  readonly names?: NameRule;
  /** How the history is guarded, for example the call ids that the endpoint accepts. Default: as the protocol needs it. */
  readonly history?: Omit<HistoryProfile, 'protocol'>;
  /** Default: streaming and tools. */
  readonly capabilities?: Iterable<Capability>;
  /** Default: the platform's. */
  readonly fetch?: Fetch;
  readonly clock?: Clock;
  /** In [0, 1); for the jitter of retries. Default `Math.random`. */
  readonly random?: () => number;
}

/** A configuration that was checked, with every default filled in. */
export interface HttpModelSettings {
  readonly codec: Codec;
  readonly model: string;
  readonly baseUrl: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly timeouts: Required<ModelTimeouts>;
  readonly retry: Required<RetryOptions>;
  readonly maxResponseBytes: number;
  readonly strict: boolean;
  readonly schemas: SchemaTarget | SchemaProfile | 'as-written';
  readonly names: NameRule;
  readonly history: HistoryProfile;
  readonly capabilities: ReadonlySet<Capability>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
}

/** @throws ModelError `model/options-invalid` that names the field and the fix, never a value. */
export function readHttpModelConfig(config: HttpModelConfig): HttpModelSettings {
  const { codec, model, apiKey } = config;
  if (typeof model !== 'string' || model.trim() === '') throw invalid('model must be a non-blank string');
  const defaults = ENDPOINTS[codec.protocol];
  const baseUrl = readBaseUrl(config.baseUrl ?? defaults.baseUrl);
  const own = baseUrl.origin === new URL(defaults.baseUrl).origin;
  const headers = {
    'content-type': 'application/json',
    ...defaults.headers,
    ...authHeaders(config.auth ?? defaults.auth, checkedKey(apiKey)),
    ...lowerCased(config.headers ?? {}),
  };
  return {
    codec,
    model,
    baseUrl,
    headers,
    secrets: secretForms([...(apiKey === undefined ? [] : [apiKey]), ...Object.values(config.headers ?? {})]),
    ...readAttemptOptions(config),
    maxResponseBytes: unbounded(readBound('maxResponseBytes', config.maxResponseBytes, 64 * 1024 * 1024)),
    strict: config.strict ?? false,
    schemas: config.schemas ?? (own ? defaults.ownSchemas : defaults.schemas),
    names: config.names ?? NAME_RULES[codec.protocol],
    history: { ...config.history, protocol: codec.protocol },
    capabilities: new Set(config.capabilities ?? ['streaming', 'tools']),
    fetch: config.fetch ?? ((url, init) => fetch(url, init)),
    clock: config.clock ?? systemClock,
    random: config.random ?? Math.random,
  };
}

function checkedKey(apiKey: string | undefined): string | undefined {
  // A header value with a line break would throw inside fetch, with the key in the message.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw invalid('apiKey must consist of visible ASCII characters; check for a line break or a space');
  }
  return apiKey;
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw invalid('headers holds a name that is not a header name');
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw invalid(`headers: the value of ${name} is not a header value`);
    result[name.toLowerCase()] = value;
  }
  return result;
}

function unbounded(value: number | 'none'): number {
  return value === 'none' ? Number.POSITIVE_INFINITY : value;
}

function invalid(message: string): ModelError {
  return new ModelError('model/options-invalid', message);
}
